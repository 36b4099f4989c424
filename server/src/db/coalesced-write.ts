import type { Millis } from '@usher/domain';
import { type NewRow, takeClock } from './account-clock.ts';
import type { PreparedStatement } from './prepared-statement.ts';
import type { Db } from './schema.ts';
import type { SqlRunner } from './sql-runner.ts';

/** A write that needs one statement for an item, and can write the items of several requests with one statement too. */
export interface CoalescedWrite<Item extends object, Row, Found> {
  /** Writes one item. Its params have the names of the item's properties. */
  single: PreparedStatement<Row, Extract<keyof Item, string>>;
  /**
   * Writes many items. `items` is a JSON list that has a list of values for each item, in the order of `names`. On
   * PostgreSQL it waits for no row that another transaction has locked, but returns the key of its item as `skipped`.
   */
  batched: PreparedStatement<Row & { skipped?: string | null }, 'items'>;
  names: readonly Extract<keyof Item, string>[];
  /** For items that are new records: sets the ID. All items of one transaction share one tick of the account's clock. */
  stamp?(item: Item, row: NewRow): void;
  /** Identifies an item. Two items with the same key are never written by the same statement. */
  keyOf(item: Item): string;
  /** Reads a row that the statement returned, with the key of its item. */
  read(row: Row): { key: string; found: Found };
}

// biome-ignore lint/suspicious/noExplicitAny: items and rows of any write
export type AnyCoalescedWrite = CoalescedWrite<any, any, any>;

/** Of any write. */
export type AnyItem = Parameters<AnyCoalescedWrite['keyOf']>[0];
export type AnyFound = ReturnType<AnyCoalescedWrite['read']>['found'];

/** Runs the statement for many items and returns its rows. */
export function runBatched(
  runner: SqlRunner,
  db: Db,
  accountId: string,
  { names, batched }: AnyCoalescedWrite,
  items: Iterable<AnyItem>,
): ReturnType<AnyCoalescedWrite['batched']['run']> {
  const lists = Array.from(items, (item) => names.map((name) => item[name]));
  return batched.run(runner, db, accountId, { items: JSON.stringify(lists) });
}

export async function stampItems(
  runner: SqlRunner,
  db: Db,
  accountId: string,
  { stamp }: AnyCoalescedWrite,
  items: Iterable<AnyItem>,
  now: Millis,
): Promise<void> {
  if (!stamp) return;
  const { newRow } = await takeClock(runner, db, accountId, now);
  for (const item of items) stamp(item, newRow());
}

import type { Millis } from '@usher/domain';
import { type NewRow, takeClock } from './account-clock.ts';
import type { PreparedQuery } from './prepared-query.ts';
import type { Db, Storage } from './storage.ts';

/** A write that is a single statement for one item, and can be one for many. */
export interface CoalescedWrite<Item extends object, Row, Found> {
  /** Each value of the item has its place in it. */
  single: PreparedQuery<Row, Extract<keyof Item, string>>;
  /** `items` is a JSON list with a list for each, of its values under these names. */
  names: readonly Extract<keyof Item, string>[];
  batched: PreparedQuery<Row, 'items'>;
  /** Where items are new records: gives one its ID. The clock of the account is taken for all that are written together. */
  stamp?(item: Item, row: NewRow): void;
  /** What makes an item one of its kind: no two alike are written together. */
  keyOf(item: Item): string;
  /** A row that was written, with the key of its item. */
  read(row: Row): { key: string; found: Found };
}

// biome-ignore lint/suspicious/noExplicitAny: of whichever write
type AnyWrite = CoalescedWrite<any, any, any>;
type Found = Map<string, unknown>;

interface Group {
  items: Map<string, object>;
  written: Promise<Found>;
}

/**
 * Items that arrive while a commit is under way are written by one statement in the next: handing a statement its values
 * and taking its row over costs the driver as much as the writing itself.
 */
export class CoalescedWrites {
  readonly #run: <T>(accountId: string, work: (db: Db) => Promise<T>) => Promise<T>;
  readonly #noteJoined: () => void;
  /** Those that more can join, by account. */
  readonly #groups = new Map<AnyWrite, Map<string, Group | undefined>>();

  /**
   * @param run the work when its turn has come, and answers after its commit
   * @param noteJoined is told of each item that joins a work
   */
  constructor(run: <T>(accountId: string, work: (db: Db) => Promise<T>) => Promise<T>, noteJoined: () => void) {
    this.#run = run;
    this.#noteJoined = noteJoined;
  }

  async write(storage: Storage, accountId: string, write: AnyWrite, item: object, now: () => Millis): Promise<unknown> {
    const groups = this.#groups.get(write) ?? new Map<string, Group | undefined>();
    this.#groups.set(write, groups);
    const key = write.keyOf(item);
    const known = groups.get(accountId);
    if (known && !known.items.has(key)) {
      known.items.set(key, item);
      this.#noteJoined();
      return (await known.written).get(key);
    }
    const items = new Map([[key, item]]);
    const written = this.#run(accountId, async (db) => {
      if (groups.get(accountId)?.items === items) groups.set(accountId, undefined);
      if (write.stamp) await stampAll(storage, db, accountId, write, items.values(), now());
      const lists = Array.from(items.values(), (item) => write.names.map((name) => item[name as never]));
      return foundBy(write, await write.batched.run(storage, db, accountId, { items: JSON.stringify(lists) }));
    });
    groups.set(accountId, { items, written });
    return (await written).get(key);
  }
}

export async function stampAll(
  storage: Storage,
  db: Db,
  accountId: string,
  { stamp }: AnyWrite,
  items: Iterable<object>,
  now: Millis,
): Promise<void> {
  const { newRow } = await takeClock(storage, db, accountId, now);
  for (const item of items) stamp?.(item, newRow());
}

function foundBy(write: AnyWrite, rows: unknown[]): Found {
  const found: Found = new Map();
  for (const row of rows) {
    const read = write.read(row);
    found.set(read.key, read.found);
  }
  return found;
}

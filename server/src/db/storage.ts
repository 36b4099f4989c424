import type { Millis } from '@usher/domain';
import type { RawBuilder } from 'kysely';
import type { Outbox } from '../webhooks/sending/outbox.ts';
import type { RunLookup, RunUpsert } from './bulk-rows.ts';
import type { CoalescedWrite } from './coalesced-write.ts';
import type { JsonSql } from './json.ts';
import type { Db } from './schema.ts';

export type { Db };

/** More traces than these are as good as none. */
export const MAX_TRACES = 200;

export type StorageAddress =
  | { readonly sqliteFile: string; readonly writerPriority: SharedArrayBuffer }
  | { readonly databaseUrl: string };

/** All that the rest of the server knows of a database. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  /** Reads committed rows: of one account, or with null of the global tables only. */
  reader(accountId: string | null): Db;
  /** Like `reader`, for reads that may take long: they hold up nobody else. */
  heavyReader(accountId: string | null): Db;
  /**
   * Runs the work in one transaction and answers after its commit. The work awaits nothing but queries on the `Db`
   * it is given: on SQLite others wait behind it.
   */
  write<T>(accountId: string | null, work: (db: Db) => Promise<T>): Promise<T>;
  /** Writes an item as a transaction of its own, together with those that others write at the same time where that pays. */
  writeCoalesced<Item extends object, Row, Found>(
    accountId: string,
    write: CoalescedWrite<Item, Row, Found>,
    item: Item,
    now: () => Millis,
  ): Promise<Found | undefined>;
  /**
   * Runs a text that was built and checked before, on one of the databases above, and gives its rows; with `one`, the
   * first of them.
   */
  runText<Row>(db: Db, sql: string, values: readonly unknown[], one: boolean): Row[] | Promise<Row[]>;
  /** Makes rows that the rest of this transaction reads wait for others who would change them. */
  lockRows<Query extends { forUpdate(): Query }>(query: Query): Query;
  /** Like `lockRows`, and passes over rows that others hold, so that each takes others. */
  lockFreeRows<Query extends { forUpdate(): Query; skipLocked(): Query }>(query: Query): Query;
  /** Makes rows that this query reads stay there until the transaction ends; they may change. */
  keepRows<Query extends { forKeyShare(): Query }>(query: Query): Query;
  /** Makes a query that would wait for rows that others hold fail at once instead: `isHeld` tells. */
  noWait<Query extends { noWait(): Query }>(query: Query): Query;
  /** Of a join, each by its name in it: locks the rows of one and keeps those of the other, and waits for neither. */
  lockJoined<Query extends { modifyEnd(modifier: RawBuilder<unknown>): Query }>(
    query: Query,
    locked: string,
    kept: string,
  ): Query;
  /** Whether an error says that another transaction holds what was asked for. */
  isLocked(error: unknown): boolean;
  /** How to ask for values within JSON columns. */
  readonly json: JsonSql;
  /** How many rows are best written together: more are quicker, fewer let others have their turn. */
  readonly rowsAtOnce: number;
  /**
   * After a deletion: takes what was deleted out of the files too, as far as that is ours to do. Copies of it are known
   * by the traces, texts that were in it; without any, or with more than `MOST_TRACES`, all that may be a copy goes.
   */
  shred(traces: readonly string[]): Promise<void>;
  /** Finds and holds many rows at once, within a transaction. */
  readonly lookUp: RunLookup;
  /** Writes many rows at once, within a transaction. */
  readonly upsert: RunUpsert;
  /** Whether an error says that the storage itself cannot be reached or written, rather than that a query is wrong. */
  isUnavailable(error: unknown): boolean;
  /** What webhooks are still to be told, of all accounts. */
  readonly outbox: Outbox;
  /** How another thread opens it too. */
  readonly address: StorageAddress;
  migrate(): Promise<void>;
  /** The schema as the engine itself tells it. */
  dumpSchema(): Promise<string>;
  close(): Promise<void>;
}

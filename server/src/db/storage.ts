import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type Db = Kysely<Schema>;

/** All that the rest of the server knows of a database. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  /** Reads committed rows: of one account, or with null of the global tables only. */
  reader(accountId: string | null): Db;
  /**
   * Runs the work in one transaction and answers after its commit. The work awaits nothing but queries on the `Db`
   * it is given: on SQLite others wait behind it.
   */
  write<T>(accountId: string | null, work: (db: Db) => Promise<T>): Promise<T>;
  /** Makes rows that the rest of this transaction reads wait for others who would change them. */
  lockRows<Query extends { forUpdate(): Query }>(query: Query): Query;
  /** Whether an error says that the storage itself cannot be reached or written, rather than that a query is wrong. */
  isAway(error: unknown): boolean;
  migrate(): Promise<void>;
  /** The schema as the engine itself tells it. */
  dumpSchema(): Promise<string>;
  close(): Promise<void>;
}

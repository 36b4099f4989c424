import type { RawBuilder } from 'kysely';
import type { CheckMissing, RunLookup, RunUpsert } from './bulk-rows.ts';
import type { IdSql } from './id-sql.ts';
import type { JsonSql } from './json.ts';

/** The SQL that each engine writes in its own way. It has no connection and no state. */
export interface SqlDialect {
  readonly engine: 'sqlite' | 'postgres';
  /** Builds expressions on JSON columns. */
  readonly json: JsonSql;
  /** Builds expressions on the times in IDs. */
  readonly id: IdSql;
  /** Locks the rows that this query reads until the transaction ends. */
  lockRows<Query extends { forUpdate(): Query }>(query: Query): Query;
  /** Like `lockRows`, but leaves out rows that another transaction has locked, so that two workers get different rows. */
  lockRowsSkipLocked<Query extends { forUpdate(): Query; skipLocked(): Query }>(query: Query): Query;
  /** Prevents the deletion of the rows that this query reads until the transaction ends. Updates are still possible. */
  keepRows<Query extends { forKeyShare(): Query }>(query: Query): Query;
  /** Whether an error means that another transaction has locked a row. */
  isLocked(error: unknown): boolean;
  /** Finds and locks many rows by their keys, within a transaction. */
  readonly lookUp: RunLookup;
  /** Starts the transaction again if rows that `lookUp` did not find exist now. The transaction holds the clock. */
  readonly checkMissing: CheckMissing;
  /** Inserts or updates many rows, within a transaction. */
  readonly upsert: RunUpsert;
  /** The rows of keys that are passed as JSON, as a list of lists with values of these types. */
  listedKeys(types: readonly ('text' | 'integer')[], json: string): RawBuilder<unknown>;
  /** How many rows to write in one transaction: more are faster, fewer let other writers in sooner. */
  readonly rowsPerWrite: number;
}

import type { Db } from './schema.ts';
import type { SqlDialect } from './sql-dialect.ts';

/** What prepared statements need of a storage. */
export interface SqlRunner {
  readonly dialect: SqlDialect;
  /** Reads committed rows: those of one account, or with null only those of the global tables. */
  reader(accountId: string | null): Db;
  /**
   * Runs SQL that was compiled and checked before, on a database of this storage, and returns its rows. With `firstOnly`
   * it returns at most one row.
   */
  runSql<Row>(db: Db, sql: string, values: readonly unknown[], firstOnly: boolean): Row[] | Promise<Row[]>;
}

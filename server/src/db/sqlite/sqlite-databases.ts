import { CompiledQuery } from 'kysely';
import { guarded } from '../account-guard.ts';
import type { Db } from '../schema.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { kyselyOn } from './sqlite-kysely.ts';

/** The databases of this thread with their account guards: one reads committed rows, one is inside the transaction. */
export class SqliteDatabases implements SqlRunner {
  readonly dialect = sqliteDialect;
  readonly reader: (accountId: string | null) => Db;
  readonly writer: (accountId: string | null) => Db;
  readonly #connections = new WeakMap<Db, SqliteConnection>();

  constructor(reading: SqliteConnection, writing: SqliteConnection) {
    this.reader = this.#guardedOn(reading);
    this.writer = this.#guardedOn(writing);
  }

  #guardedOn(connection: SqliteConnection): (accountId: string | null) => Db {
    return guarded(kyselyOn(connection), (db) => this.#connections.set(db, connection));
  }

  /** Goes past Kysely, which takes longer for a query than SQLite. */
  readonly runSql = <Row>(db: Db, sql: string, values: readonly unknown[], firstOnly: boolean) => {
    const connection = this.#connections.get(db);
    if (!connection || connection.paused)
      return db.executeQuery<Row>(CompiledQuery.raw(sql, [...values])).then(({ rows }) => rows);
    return connection.query<Row>(sql, values, firstOnly);
  };
}

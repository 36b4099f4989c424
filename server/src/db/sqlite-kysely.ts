import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Schema } from './schema.ts';
import type { Db } from './storage.ts';

/** A value that libsql takes. */
export type SqliteValue = string | number | bigint | Buffer | null;

/** A column of a result, with the type it was declared with if it is one of a table. */
export interface Column {
  name: string;
  type: string | null;
}

export type Row = Record<string, unknown>;

export type Convert = (row: Row) => void;

/** Kysely on one connection that all its queries share. */
export function kyselyOn(connection: DatabaseConnection): Db {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

class SqliteDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('Transactions are opened by Storage.write');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** Columns come back by their declared type: JSON parsed, booleans as booleans. */
export function converterFor(columns: Column[]): Convert | undefined {
  const namesOf = (declared: string) =>
    columns.filter(({ type }) => type?.toLowerCase() === declared).map(({ name }) => name);
  const json = namesOf('jsontext');
  const booleans = namesOf('boolean');
  if (json.length === 0 && booleans.length === 0) return undefined;
  return (row) => {
    for (const name of json) if (typeof row[name] === 'string') row[name] = JSON.parse(row[name]);
    for (const name of booleans) if (row[name] !== null) row[name] = row[name] === 1;
  };
}

/** The driver ends the process on a value it does not know, so only what it knows may reach it. */
export function toSqlite(value: unknown): SqliteValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Buffer.isBuffer(value)) return value;
  throw new TypeError(`A ${typeof value} cannot be stored`);
}

// biome-ignore lint/correctness/useYield: part of Kysely's interface; nothing streams yet
export async function* streamNothing(): AsyncGenerator<never> {
  throw new Error('Streaming is not available on SQLite');
}

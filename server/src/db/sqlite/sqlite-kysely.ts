import { type DatabaseConnection, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { kyselyOnConnection } from '../kysely-on-connection.ts';
import type { Db } from '../schema.ts';

/** A value that libsql accepts. */
export type SqliteValue = string | number | bigint | Buffer | null;

/** A column of a result, with its declared type if it belongs to a table. */
export interface Column {
  name: string;
  type: string | null;
}

export type Row = Record<string, unknown>;

export type Convert = (row: Row) => void;

/** Creates a Kysely whose queries all use one connection. */
export function kyselyOn(connection: DatabaseConnection): Db {
  return kyselyOnConnection(connection, {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
}

const conversions: Record<string, (value: unknown) => unknown> = {
  jsontext: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
  boolean: (value) => (value === null ? null : value === 1),
};

function conversionOf({ type }: Column): ((value: unknown) => unknown) | undefined {
  return conversions[type?.toLowerCase() ?? ''];
}

/** Returns a function that converts columns by their declared type: it parses JSON, and makes booleans of numbers. */
export function converterFor(columns: readonly Column[]): Convert | undefined {
  const converted = columns.flatMap((column) => {
    const convert = conversionOf(column);
    return convert ? [{ name: column.name, convert }] : [];
  });
  if (converted.length === 0) return undefined;
  return (row) => {
    for (const { name, convert } of converted) row[name] = convert(row[name]);
  };
}

/** Does the same for rows that are lists of values, which the driver returns in half the time. */
export function rowMakerFor(columns: readonly Column[]): (values: readonly unknown[]) => Row {
  const fields = columns.map((column) => ({ name: column.name, convert: conversionOf(column) }));
  return (values) => {
    const row: Row = {};
    let at = 0;
    for (const { name, convert } of fields) {
      const value = values[at++];
      row[name] = convert ? convert(value) : value;
    }
    return row;
  };
}

/** The driver aborts the process when it gets a value of an unknown type, so such values are rejected here. */
export function toSqlite(value: unknown): SqliteValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Buffer.isBuffer(value)) return value;
  throw new TypeError(`A ${typeof value} cannot be stored`);
}

import { openConnection, SqliteConnection } from '../sqlite/sqlite-connection.ts';
import { kyselyOn } from '../sqlite/sqlite-kysely.ts';
import { emptyLog } from '../sqlite/stopped-file.ts';
import { type CanonicalValue, type ColumnType, columnTypeOf, toCanonical } from './canonical.ts';
import type { TableShape, TransferColumn, TransferSide } from './transfer-side.ts';

const SETTINGS = 'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on';
const WAIT_MS = 4000;

/**
 * A SQLite file that no server uses.
 * @param isHeld keeps every other process from writing until it is closed
 */
export function openSqliteSide(file: string, { isHeld = false }: { isHeld?: boolean } = {}): TransferSide {
  const connection = new SqliteConnection(openConnection(file, SETTINGS));
  connection.exec(`pragma busy_timeout = ${WAIT_MS}`);
  if (isHeld) connection.exec('begin immediate');
  const db = kyselyOn(connection);
  const query = <Row>(sql: string, values: readonly unknown[] = []) => connection.query<Row>(sql, values);
  return {
    engine: 'sqlite',
    name: file,
    db,
    describeTable: async (table) => {
      const found = query<{ name: string; type: string; pk: number }>(
        'select name, type, pk from pragma_table_info(?)',
        [table],
      );
      const columns = found.map(({ name, type }) => ({ name, type: columnTypeOf(type, `${table}.${name}`) }));
      const key = found
        .flatMap(({ pk }, at) => (pk > 0 ? { pk, column: columns[at] as TransferColumn } : []))
        .sort((one, other) => one.pk - other.pk)
        .map(({ column }) => column);
      return { table, columns, key };
    },
    countRows: async (table) => query<{ count: number }>(`select count(*) as count from "${table}"`)[0]?.count ?? 0,
    readRows: async (shape, { after, limit }, onReplaced) =>
      query<Record<string, unknown>>(selectText(shape, after !== null, limit), after ?? []).map((row) =>
        shape.columns.map(({ name, type }) => toCanonical(row[name], type, () => onReplaced(name))),
      ),
    insertRows: async (_db, { table, columns }, rows) => {
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const insert = `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`;
      for (const row of rows)
        query(
          insert,
          columns.map(({ type }, at) => toStored(row[at] ?? null, type)),
        );
    },
    write: async (work) => {
      if (!isHeld) connection.exec('begin immediate');
      let end = 'rollback';
      try {
        const result = await work(db);
        end = 'commit';
        return result;
      } finally {
        connection.exec(end);
        if (isHeld) connection.exec('begin immediate');
      }
    },
    listTables: async () =>
      query<{ name: string }>(
        `select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'`,
      ).map(({ name }) => name),
    // The file alone is then the database.
    finish: async () => {
      emptyLog(file);
    },
    // libsql closes the file later, so the lock has to be given up now.
    close: async () => {
      if (isHeld) connection.exec('rollback');
      connection.close();
    },
  };
}

/**
 * Whole numbers are read as text, and so have all their digits. Without the casts the connection would parse JSON. The driver
 * returns a text only up to the first NUL, so a text with NUL is read as bytes.
 */
function selectText({ table, columns, key }: TableShape, hasAfter: boolean, limit: number): string {
  const values = columns.map(({ name, type }) => `${readText(`"${name}"`, type)} as "${name}"`);
  // Without the table, `order by` would mean the text of a number, and not use the index of the key.
  const names = key.map(({ name }) => `"${table}"."${name}"`).join(', ');
  const places = key.map(({ type }) => (type === 'integer' ? 'cast(? as integer)' : '?')).join(', ');
  const where = hasAfter ? ` where (${names}) > (${places})` : '';
  return `select ${values.join(', ')} from "${table}"${where} order by ${names} limit ${limit}`;
}

function readText(column: string, type: ColumnType): string {
  if (type === 'double' || type === 'bytes') return column;
  if (type === 'boolean')
    return `case ${column} when 1 then 'true' when 0 then 'false' else cast(${column} as text) end`;
  const text = `cast(${column} as text)`;
  return type === 'text'
    ? `case when instr(${column}, char(0)) > 0 then cast(${column} as blob) else ${text} end`
    : text;
}

/** A column for whole numbers makes a number of digits itself. */
function toStored(value: CanonicalValue, type: ColumnType): unknown {
  if (value === null) return null;
  if (type === 'bytes') return Buffer.from(value, 'base64');
  if (type === 'boolean') return value === 'true';
  return type === 'double' ? Number(value) : value;
}

import { CompiledQuery, sql } from 'kysely';
import type { Log } from '../../log/log.ts';
import { connect } from '../postgres/connect.ts';
import { forMigrations } from '../postgres/patience.ts';
import type { Db } from '../storage.ts';
import { type ColumnType, columnTypeOf, toCanonical } from './canonical.ts';
import type { TableShape, TransferColumn, TransferSide } from './transfer-side.ts';

const casts: Record<ColumnType, (column: string) => string> = {
  text: (column) => column,
  integer: (column) => `${column}::bigint`,
  double: (column) => `${column}::double precision`,
  boolean: (column) => `${column}::boolean`,
  json: (column) => `${column}::jsonb`,
  bytes: (column) => `decode(${column}, 'base64')`,
};

export function openPostgresSide(url: string, log: Log): TransferSide {
  // Counting a large table takes longer than any request may.
  const { db, close } = connect(url, { maxConnections: 2, patience: forMigrations, log });
  const run = async <Row>(on: Db, text: string, values: readonly unknown[] = []) =>
    (await on.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  return {
    engine: 'postgres',
    name: nameOf(url),
    db,
    describeTable: async (table) => {
      const found = await run<{ name: string; type: string; place: number }>(
        db,
        `select a.attname as name, format_type(a.atttypid, null) as type,
           coalesce(array_position(i.indkey::int2[], a.attnum), -1) as place
         from pg_attribute a
         left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
         where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
         order by a.attnum`,
        [`"${table}"`],
      );
      const columns = found.map(({ name, type }) => ({ name, type: columnTypeOf(type, `${table}.${name}`) }));
      const key = found
        .flatMap(({ place }, at) => (place >= 0 ? { place, column: columns[at] as TransferColumn } : []))
        .sort((one, other) => one.place - other.place)
        .map(({ column }) => column);
      return { table, columns, key };
    },
    countRows: async (table) => {
      const [found] = await run<{ count: number }>(db, `select count(*) as count from "${table}"`);
      return Number(found?.count ?? 0);
    },
    readRows: async (shape, { after, limit }, onReplaced) => {
      const rows = await run<Record<string, unknown>>(db, selectText(shape, after !== null, limit), after ?? []);
      return rows.map((row) =>
        shape.columns.map(({ name, type }) => toCanonical(row[name], type, () => onReplaced(name))),
      );
    },
    insertRows: async (tx, { table, columns }, rows) => {
      const lists = columns.map((_, at) => rows.map((row) => row[at] ?? null));
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const values = columns.map(({ type }, at) => casts[type](`c${at}`)).join(', ');
      const from = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
      const as = columns.map((_, at) => `c${at}`).join(', ');
      await run(tx, `insert into "${table}" (${names}) select ${values} from unnest(${from}) as given(${as})`, lists);
    },
    // The original of a move can only be read, unless a transaction says otherwise.
    write: (work) => db.transaction().setAccessMode('read write').execute(work),
    listTables: async () => {
      const { rows } = await sql<{ name: string }>`
        select c.relname as name from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
          and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`.execute(db);
      return rows.map(({ name }) => name);
    },
    // Otherwise the first queries would be planned for empty tables.
    finish: async () => {
      await sql`analyze`.execute(db);
    },
    close,
  };
}

/** `digits::bigint` as a comparison uses the index on the key. */
function selectText({ table, columns, key }: TableShape, hasAfter: boolean, limit: number): string {
  const values = columns.map(({ name, type }) => (type === 'bytes' ? `"${name}"` : `"${name}"::text as "${name}"`));
  const names = key.map(({ name }) => `"${table}"."${name}"`).join(', ');
  const places = key.map(({ type }, at) => casts[type](`$${at + 1}::text`)).join(', ');
  const where = hasAfter ? ` where (${names}) > (${places})` : '';
  return `select ${values.join(', ')} from "${table}"${where} order by ${names} limit ${limit}`;
}

/** Without the name of the user and the password. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

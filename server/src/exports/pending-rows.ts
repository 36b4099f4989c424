import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AppContext } from '../context.ts';
import type { Db } from '../db/storage.ts';
import { type ExportTable, hasUid, type Row } from './export-tables.ts';

/** How many rows are looked at together. */
const ROWS_PER_READ = 20_000;

export type Key = readonly (string | number)[];

/** What is looked for in one account. */
export interface Search {
  app: AppContext;
  accountId: string;
  table: ExportTable;
  /** The numbers of files that never appeared: their rows are in no file. */
  givenUp: readonly number[];
}

/**
 * Finds the keys of rows that are in no file, in the order of the keys, some thousand rows at a time. It reads the table once, beside
 * other queries. A row that moves meanwhile, because its user signs in, is found by this run or by the next.
 */
export async function* findPending(search: Search): AsyncGenerator<Key[]> {
  const { app, accountId, table } = search;
  const names = Object.keys(table.key);
  const keys = sql.join(names.map((name) => sql.ref(name)));
  for (let after: Key | undefined; ; ) {
    const behind = after ? sql`(${keys}) > (${sql.join([...after])})` : sql`1 = 1`;
    const read = async (query: RawBuilder<Row>) =>
      (await query.execute(app.storage.heavyReader(accountId))).rows.map((row) => toKey(table, row));
    const from = sql`from ${sql.table(table.table)} where account_id = ${accountId} and ${behind}`;
    const [last] = await read(sql`select ${keys} ${from} order by ${keys} limit 1 offset ${ROWS_PER_READ}`);
    const range = last ? sql`(${keys}) <= (${sql.join([...last])})` : sql`1 = 1`;
    const pending = await read(sql`select ${keys} ${from} and ${range} and ${isPending(search)} order by ${keys}`);
    if (pending.length > 0) yield pending;
    if (!last) return;
    after = last;
  }
}

/**
 * Gives rows the number of a file and returns them, in the transaction of `db`. A row that another run has taken, or that is gone, is left
 * out: this is what makes each row part of one file.
 */
export async function takeRows(search: Search, db: Db, keys: readonly Key[], number: number): Promise<Row[]> {
  const { accountId, table } = search;
  const names = Object.keys(table.key);
  const { changes } = table;
  const kept = changes ? sql`, ${sql.ref(changes.exported)} = ${sql.ref(changes.grows)}` : sql``;
  const { rows } = await sql<Row>`
    update ${sql.table(table.table)} set exported_in = ${number}${kept}
    where account_id = ${accountId} and ${isAmong(search, keys)} and ${isPending(search)}
    returning account_id, ${sql.join([...names, ...table.reads].map((name) => sql.ref(name)))}`.execute(db);
  return rows.length > 0 && table.complete ? table.complete(db, accountId, rows) : rows;
}

/** Adds what the product calls the users of these rows. */
export async function addUids({ app, accountId, table }: Search, rows: Row[]): Promise<Row[]> {
  if (!hasUid(table) || rows.length === 0) return rows;
  const ids = [...new Set(rows.map(({ profile_id }) => profile_id as string))];
  const found = await app.storage
    .reader(accountId)
    .selectFrom('profiles')
    .select(['id', 'uid'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  const uids = new Map(found.map(({ id, uid }) => [id, uid]));
  return rows.map((row) => ({ ...row, uid: uids.get(row.profile_id as string) ?? null }));
}

function isPending({ app, table: { changes, isReady }, givenUp }: Search): Expression<SqlBool> {
  const ways = [sql`exported_in is null`];
  if (givenUp.length > 0) ways.push(sql`exported_in in (${sql.join([...givenUp])})`);
  if (changes) ways.push(sql`${sql.ref(changes.grows)} > ${sql.ref(changes.exported)}`);
  const ready = isReady ? sql` and ${isReady(app.now())}` : sql``;
  return sql<SqlBool>`(case when ${sql.join(ways, sql` then true when `)} then true else false end)${ready}`;
}

/** Passes the keys as one JSON text, so that the statement is always the same. */
function isAmong({ app, table }: Search, keys: readonly Key[]): RawBuilder<SqlBool> {
  const names = Object.keys(table.key);
  return sql<SqlBool>`(${sql.join(names.map((name) => sql.ref(name)))}) in (${app.storage.dialect.listedKeys(Object.values(table.key), JSON.stringify(keys))})`;
}

function toKey({ key }: ExportTable, row: Row): Key {
  return Object.entries(key).map(([name, type]) => (type === 'integer' ? Number(row[name]) : (row[name] as string)));
}

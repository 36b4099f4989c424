import { CompiledQuery, sql } from 'kysely';
import type { Db } from './schema.ts';

/** Rows to find by many keys. They stay locked for the rest of the transaction. */
interface Wanted<Row> {
  table: 'profiles' | 'companies';
  /** Unique within an account. */
  key: string;
  names: readonly string[];
  columns: readonly (keyof Row & string)[];
  /** The columns are texts and numbers only. SQLite then returns all rows as one JSON text, in half the time. */
  isPlain?: boolean;
}

export type RunLookup = <Row>(db: Db, accountId: string, wanted: Wanted<Row>) => Promise<Row[]>;

export const lookUpOnSqlite: RunLookup = async <Row>(db: Db, accountId: string, wanted: Wanted<Row>) => {
  const { table, key, columns, names, isPlain = false } = wanted;
  const selected = isPlain
    ? `json_group_array(json_object(${columns.map((name) => `'${name}', ${name}`).join(', ')})) as found`
    : columns.join(', ');
  const text = `select ${selected} from ${table} where account_id = ? and ${key} in (select value from json_each(?))`;
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [accountId, JSON.stringify(names)]));
  return isPlain ? JSON.parse((rows as { found: string }[])[0]?.found ?? '[]') : rows;
};

/**
 * Locks the rows one after the other in the order of their keys, so that two transactions never deadlock. The lateral join
 * makes PostgreSQL use the index: without statistics of the table it would read the whole account, 15 ms instead of 2 for
 * 500 rows.
 */
export const lookUpOnPostgres: RunLookup = async <Row>(db: Db, accountId: string, wanted: Wanted<Row>) => {
  const names = [...new Set(wanted.names)].sort();
  const { rows } = await sql<Row>`
    select found.* from unnest(${names}::text[]) as wanted (name) cross join lateral (
      select ${columnsOf(wanted)} from ${sql.table(wanted.table)}
      where account_id = ${accountId} and ${sql.ref(wanted.key)} = wanted.name limit 1 for no key update
    ) as found`.execute(db);
  return rows;
};

/**
 * Rows that were not found, and that the transaction is about to insert. The transaction holds the clock of the account, so
 * no other transaction inserts rows at the moment.
 */
interface Missing {
  table: 'profiles' | 'companies';
  key: string;
  names: readonly string[];
}

export type CheckMissing = (db: Db, accountId: string, missing: Missing) => Promise<void>;

/** SQLite has one writer, so a row that was missing at the beginning of a transaction is missing until its end. */
export const checkMissingOnSqlite: CheckMissing = async () => {};

/** Another transaction has inserted the row. The current transaction runs again, and then finds it. */
class InsertedMeanwhile extends Error {
  /** The SQLSTATE of a serialization failure. */
  readonly code = '40001';
}

/**
 * Inserting a row that another transaction has inserted before, and that a third one is changing, would wait for the third
 * one, which may wait for the clock: a deadlock, which PostgreSQL detects only after a second. Reading waits for nobody.
 */
export const checkMissingOnPostgres: CheckMissing = async (db, accountId, { table, key, names }) => {
  if (names.length === 0) return;
  const { rows } = await sql`
    select 1 from ${sql.table(table)}
    where account_id = ${accountId} and ${sql.ref(key)} = any(${names}::text[]) limit 1`.execute(db);
  if (rows.length > 0) throw new InsertedMeanwhile(`Inserted meanwhile: one of the ${table}`);
};

function columnsOf({ columns }: Wanted<never>) {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Describes how many rows are written: each is inserted, or updated if its key exists. */
export interface Upsert {
  table:
    | 'profiles'
    | 'companies'
    | 'properties'
    | 'changes'
    | 'change_properties'
    | 'captures'
    | 'experiences'
    | 'translations'
    | 'events'
    | 'profile_events'
    | 'event_counts'
    | 'interactions'
    | 'interruption_counts'
    | 'response_counts'
    | 'responses'
    | 'deliveries'
    | 'managed_records';
  /** The columns of the rows, without account_id. JSON is passed as text. */
  columns: { readonly [name: string]: 'text' | 'bigint' | 'double precision' | 'boolean' | 'jsonb' };
  /** The columns to update if the row exists. If there are none, all rows are new. */
  changes: readonly string[];
  /** How a column of a row that exists is changed; by default it gets the new value. */
  merged?: { readonly [name: string]: 'sum' | 'min' | 'max' };
  /** The columns that identify a row within its account; `id` by default. */
  key?: readonly string[];
}

type Row = Record<string, string | number | boolean | null>;

/**
 * The SQL is written directly, because building it with Kysely takes as long as running it. So the account guard does not
 * check it: it names the account itself.
 */
export type RunUpsert = (db: Db, accountId: string, upsert: Upsert, rows: readonly Row[]) => Promise<void>;

/** SQLite keeps every statement that it has prepared. In parts of this size there are few, and they are as fast as longer ones. */
const ROWS_PER_STATEMENT = 50;

/**
 * Passes a parameter for each column of each row, which is faster than one JSON text. The account is one parameter:
 * passing a value takes as long as writing it.
 */
export const upsertOnSqlite: RunUpsert = async (db, accountId, upsert, rows) => {
  const { table, columns } = upsert;
  const names = Object.keys(columns);
  const one = `(?1${', ?'.repeat(names.length)})`;
  const start = `insert into ${table} (account_id, ${names.join(', ')}) values`;
  const end = onConflict(upsert);
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const part = rows.slice(at, at + ROWS_PER_STATEMENT);
    const parameters: unknown[] = [accountId];
    for (const row of part) for (const name of names) parameters.push(row[name] ?? null);
    await db.executeQuery(CompiledQuery.raw(`${start} ${Array(part.length).fill(one).join(', ')} ${end}`, parameters));
  }
};

/** Passes all rows in one JSON parameter, which is twice as fast as a parameter for each value. */
export const upsertOnPostgres: RunUpsert = async (db, accountId, upsert, rows) => {
  const { table, columns } = upsert;
  const names = Object.entries(columns);
  const typed = names.map(([name, type]) => `${name} ${type}`).join(', ');
  const text = `insert into ${table} (account_id, ${names.map(([name]) => name).join(', ')})
    select $1, sent.* from jsonb_to_recordset($2::jsonb) as sent(${typed}) ${onConflict(upsert)}`;
  const fields = (row: Row) =>
    names.map(([name, type]) => `"${name}":${type === 'jsonb' ? row[name] : JSON.stringify(row[name] ?? null)}`);
  const sent = `[${rows.map((row) => `{${fields(row).join(',')}}`).join(',')}]`;
  await db.executeQuery(CompiledQuery.raw(text, [accountId, sent]));
};

function onConflict({ table, changes, merged = {}, key = ['id'] }: Upsert): string {
  if (changes.length === 0) return '';
  const newValue = (name: string) => {
    const [stored, sent] = [`${table}.${name}`, `excluded.${name}`];
    switch (merged[name]) {
      case 'sum':
        return `${stored} + ${sent}`;
      case 'min':
        return `case when ${sent} < ${stored} then ${sent} else ${stored} end`;
      case 'max':
        return `case when ${sent} > ${stored} then ${sent} else ${stored} end`;
      default:
        return sent;
    }
  };
  return `on conflict (account_id, ${key.join(', ')}) do update set ${changes.map((name) => `${name} = ${newValue(name)}`).join(', ')}`;
}

import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

const tables = ['profile_events', 'findings', 'change_properties', 'experience_uses', 'visited_paths', 'page_counts'];
/** Tables that are written again, by this migration or by 0042-events-by-profile. */
export const tablesWithRowIds = [...tables, 'events'];

/** They are copied in about a second. */
const MANY_ROWS = 100_000;

/**
 * On SQLite, a table with a primary key of texts is stored as a table and an index of these texts. Without row IDs, the rows
 * are in the index: 200,000 rows of `profile_events` take 33 MB instead of 50, of `findings` 66 instead of 77, of
 * `change_properties` 40 instead of 55, and of `visited_paths` 19 instead of 35. Tables with long rows, such as `outbox`, stay
 * as they are: each row over 1 KB would need another page.
 *
 * Also, the index of events by name gets the profile, so that a search for profiles by an event reads the index only.
 */
export function rowsStoredOnce({ onSqlite }: ColumnTypes): MigrationStep[] {
  const isSqlite = onSqlite('').length > 0;
  return [
    addProfileToIndex,
    ...(isSqlite
      ? tables.map(
          (table): MigrationStep =>
            (db, say) =>
              removeRowIds(db, table, say),
        )
      : []),
  ];
}

/** The index is not unique, so nothing but the speed of the version before depends on it. */
async function addProfileToIndex(db: Db): Promise<void> {
  await sql`drop index profile_events_by_name`.execute(db);
  await sql`create index profile_events_by_name on profile_events (account_id, name, profile_id)`.execute(db);
}

/**
 * Copies a table, in the order of its key.
 * @param newKey the columns of its new primary key
 */
export async function removeRowIds(db: Db, table: string, say: (text: string) => void, newKey?: string): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const { rows } = await sql<{ type: string; sql: string }>`select type, sql from sqlite_schema
    where tbl_name = ${table} and sql is not null order by type desc`.execute(db);
  const [create, ...indices] = rows.map((row) => row.sql);
  const [primaryKey = '', oldKey] = /primary key \(([^)]*)\)/.exec(create ?? '') ?? [];
  const key = newKey ?? oldKey;
  const created = create?.replace(primaryKey, `primary key (${key})`).replace(/\) without rowid$/, ')');
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  const count = counted[0]?.count ?? 0;
  if (count > MANY_ROWS) say(`the table ${table} is copied: ${count} rows`);
  await run(`alter table ${table} rename to before`);
  await run(`${created} without rowid`);
  await run(`insert into ${table} select * from before order by ${key}`);
  await run('drop table before');
  for (const index of indices) await run(index);
}

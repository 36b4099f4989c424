import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../src/context.ts';
import { tables } from '../src/db/schema.ts';
import { engine } from './engine.ts';

/** What is counted can be stored by a request that only reads. */
const derived = ['account_clocks', 'profile_counts', 'segment_counts', 'segment_count_runs'];
const names = Object.entries(tables).flatMap(([name, kind]) =>
  kind === 'tenant' && !derived.includes(name) ? name : [],
);

/** Returns all rows of an account by table, except its clock, which a rejected request may advance, and counts. */
export async function accountRows(app: AppContext, accountId: string): Promise<Record<string, string[]>> {
  // These parts of the server write with a delay, so they are flushed first.
  await app.propertyRegistry.flush(accountId);
  await app.pageCounts.flush(accountId);
  await app.installationLog.flush(accountId);
  await app.visitedPaths.flush(accountId);
  const rowOf = engine === 'postgres' ? () => sql`row_to_json(t)::text` : await readColumns(app);
  const found = await readAllTables(app, accountId, rowOf);
  return Object.fromEntries(Object.entries(found).map(([name, rows]) => [name, rows.sort()]));
}

type RowOf = (table: string) => RawBuilder<unknown>;

/** Reads all tables with one query, because tests would otherwise spend most of their time on these reads. */
async function readAllTables(app: AppContext, accountId: string, rowOf: RowOf): Promise<Record<string, string[]>> {
  const queries = names.map(
    (name) =>
      sql`select ${sql.lit(name)} as name, ${rowOf(name)} as row from ${sql.table(name)} t where account_id = ${accountId}`,
  );
  const all = sql<{ name: string; row: string }>`${sql.join(queries, sql` union all `)}`;
  const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const { name, row } of (await all.execute(app.storage.reader(accountId))).rows) found[name]?.push(row);
  return found;
}

/** The expression of a row as JSON, by table. SQLite has no function for a whole row. */
let rowsOfSqlite: Promise<Map<string, RawBuilder<unknown>>> | undefined;

async function readColumns(app: AppContext): Promise<RowOf> {
  rowsOfSqlite ??= describeRows(app);
  const rows = await rowsOfSqlite;
  return (table) => rows.get(table) ?? sql`null`;
}

async function describeRows(app: AppContext): Promise<Map<string, RawBuilder<unknown>>> {
  const query = sql<{ table: string; name: string; type: string }>`select t.name as "table", c.name, c.type
    from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'`;
  const { rows } = await query.execute(app.storage.reader(null));
  return new Map(
    names.map((name) => {
      const its = rows.filter(({ table }) => table === name);
      if (its.length === 0) throw new Error(`There is no table ${name}`);
      return [name, sql`json_object(${sql.join(its.flatMap((one) => [sql.lit(one.name), jsonOf(one)]))})`];
    }),
  );
}

/** The expression for a column that returns what Kysely reads from it. */
function jsonOf({ name, type }: { name: string; type: string }): RawBuilder<unknown> {
  const column = sql.ref(name);
  if (/^jsontext$/i.test(type)) return sql`json(${column})`;
  if (/^boolean$/i.test(type)) return sql`json(iif(${column} = 1, 'true', iif(${column} is null, null, 'false')))`;
  return /^blob$/i.test(type) ? sql`hex(${column})` : column;
}

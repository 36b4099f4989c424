import { CompiledQuery, type RawBuilder, sql } from 'kysely';
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
  const query = queries.get(app) ?? compileQuery(app, accountId);
  queries.set(app, query);
  const { sql: text, parameters } = await query;
  const reader = app.storage.reader(accountId);
  const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  const read = CompiledQuery.raw(
    text,
    parameters.map(() => accountId),
  );
  for (const { name, row } of (await reader.executeQuery<{ name: string; row: string }>(read)).rows)
    found[name]?.push(row);
  return Object.fromEntries(Object.entries(found).map(([name, rows]) => [name, rows.sort()]));
}

/** The query that reads all tables. It is compiled once, because tests would otherwise spend most of their time here. */
const queries = new WeakMap<AppContext, Promise<CompiledQuery>>();

async function compileQuery(app: AppContext, accountId: string): Promise<CompiledQuery> {
  const rowOf = engine === 'postgres' ? () => sql`row_to_json(t)::text` : await readColumns(app);
  const selects = names.map(
    (name) =>
      sql`select ${sql.lit(name)} as name, ${rowOf(name)} as row from ${sql.table(name)} t where account_id = ${accountId}`,
  );
  return sql`${sql.join(selects, sql` union all `)}`.compile(app.storage.reader(accountId));
}

type RowOf = (table: string) => RawBuilder<unknown>;

/** The expression of a row as JSON, by table. SQLite has no function for a whole row. */
async function readColumns(app: AppContext): Promise<RowOf> {
  const rows = await describeRows(app);
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

import { sql } from 'kysely';
import type { AppContext } from '../src/context.ts';
import { tables } from '../src/db/schema.ts';
import { engine } from './engine.ts';

const names = Object.entries(tables).flatMap(([name, kind]) =>
  kind === 'tenant' && name !== 'account_clocks' ? name : [],
);

/** Returns all rows of an account by table, except its clock, which a rejected request may advance. */
export async function accountRows(app: AppContext, accountId: string): Promise<Record<string, string[]>> {
  // These write with a delay.
  await app.propertyRegistry.flush(accountId);
  await app.pageCounts.flush(accountId);
  await app.installationLog.flush(accountId);
  await app.visitedPaths.flush(accountId);
  const found = await (engine === 'postgres' ? readAtOnce(app, accountId) : readEach(app, accountId));
  return Object.fromEntries(Object.entries(found).map(([name, rows]) => [name, rows.sort()]));
}

/** One query for all tables: tests would otherwise spend most of their time on these reads. */
async function readAtOnce(app: AppContext, accountId: string): Promise<Record<string, string[]>> {
  const queries = names.map(
    (name) =>
      sql`SELECT ${sql.lit(name)} AS name, row_to_json(t)::text AS row FROM ${sql.table(name)} t WHERE account_id = ${accountId}`,
  );
  const all = sql<{ name: string; row: string }>`${sql.join(queries, sql` UNION ALL `)}`;
  const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const { name, row } of (await all.execute(app.storage.reader(accountId))).rows) found[name]?.push(row);
  return found;
}

async function readEach(app: AppContext, accountId: string): Promise<Record<string, string[]>> {
  const rows = names.map(async (name): Promise<[string, string[]]> => {
    const query = app.storage
      .reader(accountId)
      .selectFrom(name as 'urls')
      .selectAll();
    const found = await query.where('account_id', '=', accountId).execute();
    return [name, found.map((row) => JSON.stringify(row))];
  });
  return Object.fromEntries(await Promise.all(rows));
}

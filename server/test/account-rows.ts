import type { AppContext } from '../src/context.ts';
import { tables } from '../src/db/schema.ts';

/** Returns all rows of an account by table, except its clock, which a rejected request may advance. */
export async function accountRows(app: AppContext, accountId: string): Promise<Record<string, string[]>> {
  // These write with a delay.
  await app.propertyRegistry.flush(accountId);
  await app.pageCounts.flush(accountId);
  await app.installationLog.flush(accountId);
  await app.visitedPaths.flush(accountId);
  const names = Object.entries(tables).flatMap(([name, kind]) =>
    kind === 'tenant' && name !== 'account_clocks' ? name : [],
  );
  const rows = names.map(async (name): Promise<[string, string[]]> => {
    const query = app.storage
      .reader(accountId)
      .selectFrom(name as 'urls')
      .selectAll();
    const found = await query.where('account_id', '=', accountId).execute();
    return [name, found.map((row) => JSON.stringify(row)).sort()];
  });
  return Object.fromEntries(await Promise.all(rows));
}

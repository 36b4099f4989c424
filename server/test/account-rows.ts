import type { World } from '../src/context.ts';
import { tables } from '../src/db/schema.ts';

/** All that an account has, by table. */
export async function accountRows(world: World, accountId: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const [name, kind] of Object.entries(tables)) {
    if (kind !== 'tenant') continue;
    const query = world.storage
      .reader(accountId)
      .selectFrom(name as 'urls')
      .selectAll();
    const found = await query.where('account_id', '=', accountId).execute();
    rows[name] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

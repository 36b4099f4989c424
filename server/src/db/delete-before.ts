import type { Db } from './storage.ts';

/** Deletes at most `max` rows of an account whose IDs are below `end`, the oldest first. Returns how many it deleted. */
export async function deleteBefore(
  db: Db,
  table: 'webhook_events' | 'webhook_attempts',
  accountId: string,
  end: string,
  max: number,
): Promise<number> {
  const old = await db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '<', end)
    .orderBy('id')
    .limit(max)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom(table).where('account_id', '=', accountId).where('id', 'in', ids).execute();
  return ids.length;
}

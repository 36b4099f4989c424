import type { Db } from './storage.ts';

/** Deletes rows of an account whose IDs are before this one, the oldest first, so many at most. Answers how many it were. */
export async function deleteBefore(
  db: Db,
  table: 'events' | 'webhook_events' | 'webhook_attempts',
  accountId: string,
  end: string,
  most: number,
): Promise<number> {
  const old = await db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '<', end)
    .orderBy('id')
    .limit(most)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom(table).where('account_id', '=', accountId).where('id', 'in', ids).execute();
  return ids.length;
}

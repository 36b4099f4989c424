import { firstIdAt } from '@usher/domain';
import type { World } from '../../context.ts';
import type { Db } from '../../db/storage.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Events are kept one by one for a while; how often each user had them, and when last, stays. */
export async function sweepEvents({ storage, now }: World, keepDays: number): Promise<void> {
  const end = firstIdAt(now() - keepDays * DAY_MS);
  for (const { id } of await storage.reader(null).selectFrom('accounts').select('id').execute()) {
    // Some at a time, so that nobody waits for all of them.
    while ((await storage.write(id, (db) => deleteBefore(db, id, end, storage.rowsAtOnce))) > 0);
  }
}

async function deleteBefore(db: Db, accountId: string, end: string, most: number): Promise<number> {
  const old = await db
    .selectFrom('events')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '<', end)
    .orderBy('id')
    .limit(most)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0)
    await db.deleteFrom('events').where('account_id', '=', accountId).where('id', 'in', ids).execute();
  return ids.length;
}

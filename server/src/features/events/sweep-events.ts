import { firstIdAt } from '@usher/domain';
import type { AppContext } from '../../context.ts';
import { deleteBefore } from '../../db/delete-before.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Events are kept one by one for a while; how often each user had them, and when last, stays. */
export async function sweepEvents({ storage, now }: AppContext, keepDays: number): Promise<void> {
  const end = firstIdAt(now() - keepDays * DAY_MS);
  for (const { id } of await storage.reader(null).selectFrom('accounts').select('id').execute()) {
    // Some at a time, so that nobody waits for all of them.
    while ((await storage.write(id, (db) => deleteBefore(db, 'events', id, end, storage.dialect.rowsPerWrite))) > 0);
  }
}

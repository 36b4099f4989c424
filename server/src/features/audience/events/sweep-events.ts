import { firstIdAt } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { deleteBefore } from '../../../db/delete-before.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Single events are deleted after some days. The counts and times per user are kept. */
export async function sweepEvents({ storage, now }: AppContext, keepDays: number): Promise<void> {
  const end = firstIdAt(now() - keepDays * DAY_MS);
  await forEachAccount(storage, async (id) => {
    // Events are deleted in batches, so that other writers wait for one batch only.
    while ((await storage.write(id, (db) => deleteBefore(db, 'events', id, end, storage.dialect.rowsPerWrite))) > 0);
  });
}

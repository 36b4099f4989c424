import type { AppContext } from '../../../context.ts';
import { forEachAccount } from '../../../db/for-each-account.ts';

const KEEP_MS = 24 * 60 * 60_000;

/** Deletes picks that expired more than a day ago. */
export async function sweepPicks({ storage, now }: AppContext): Promise<void> {
  const end = now() - KEEP_MS;
  await forEachAccount(storage, (id) =>
    storage.write(
      id,
      (db) => db.deleteFrom('picks').where('account_id', '=', id).where('expires_at', '<', end).execute(),
      { isLong: true },
    ),
  );
}

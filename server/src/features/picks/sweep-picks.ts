import type { AppContext } from '../../context.ts';

const KEEP_MS = 24 * 60 * 60_000;

/** Deletes picks that expired more than a day ago. */
export async function sweepPicks({ storage, now }: AppContext): Promise<void> {
  const end = now() - KEEP_MS;
  for (const { id } of await storage.reader(null).selectFrom('accounts').select('id').execute())
    await storage.write(
      id,
      (db) => db.deleteFrom('picks').where('account_id', '=', id).where('expires_at', '<', end).execute(),
      { isLong: true },
    );
}

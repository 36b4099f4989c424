import type { AppContext } from '../../../context.ts';

const KEEP_MS = 60 * 24 * 60 * 60_000;

/**
 * Deletes sessions and links that ended long ago. Until then, a session shows from which network a person has signed
 * in.
 */
export async function sweepSessions({ storage, now }: AppContext): Promise<void> {
  const end = now() - KEEP_MS;
  await storage.write(
    null,
    async (db) => {
      await db.deleteFrom('sessions').where('last_used_at', '<', end).execute();
      await db.deleteFrom('links').where('expires_at', '<', end).execute();
    },
    { isLong: true },
  );
}

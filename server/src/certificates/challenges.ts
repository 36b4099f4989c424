import type { Millis } from '@usher/domain';
import type { Storage } from '../db/storage.ts';

/** An order takes minutes. What is older was left by a node that was killed. */
const MAX_AGE_MS: Millis = 24 * 60 * 60_000;

/** What this installation returns for the token of a challenge; undefined for an unknown token. */
export async function findChallenge(storage: Storage, token: string): Promise<string | undefined> {
  if (!/^[\w-]{16,200}$/.test(token)) return undefined;
  const query = storage.reader(null).selectFrom('acme_challenges').select('key_authorization');
  return (await query.where('token', '=', token).executeTakeFirst())?.key_authorization;
}

export function addChallenge(
  storage: Storage,
  challenge: { token: string; key_authorization: string; created_at: Millis },
): Promise<void> {
  return storage.write(null, async (db) => {
    await db
      .insertInto('acme_challenges')
      .values(challenge)
      .onConflict((known) => known.column('token').doUpdateSet(challenge))
      .execute();
  });
}

export function removeChallenges(storage: Storage, tokens: readonly string[], now: Millis): Promise<void> {
  return storage.write(null, async (db) => {
    await db
      .deleteFrom('acme_challenges')
      .where('created_at', '<', now - MAX_AGE_MS)
      .execute();
    if (tokens.length > 0) await db.deleteFrom('acme_challenges').where('token', 'in', tokens).execute();
  });
}

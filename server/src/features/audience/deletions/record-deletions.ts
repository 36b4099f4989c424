import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { openKey, sealKey } from '../../../keys/account-keys.ts';

interface DeletedRecord {
  name: string;
  /** For a profile: finds it again in an older backup. */
  profile_hash?: string;
  /** The ID of the Deletion, if the record was deleted before and came back with a backup. */
  id?: string | undefined;
}

/**
 * Records deletions by a keyed hash of the name. Somebody who knows the name can prove the deletion; nobody can read
 * the name back.
 */
export async function recordDeletions(ctx: Context, records: readonly DeletedRecord[]): Promise<string[]> {
  // Every transaction that locks the row of the account takes the clock first.
  const clock = await ctx.clock();
  const key = await getHashKey(ctx);
  const rows = records.map(({ name, profile_hash = null, id = clock.newRow().id }) => ({
    account_id: ctx.account.id,
    id,
    hash: hashName(key, name),
    profile_hash,
  }));
  if (rows.length > 0)
    await ctx.db
      .insertInto('deletions')
      .values(rows)
      // The backup has the Deletion already if its profile came back in another way.
      .onConflict((existing) => existing.doNothing())
      .execute();
  return rows.map(({ id }) => id);
}

export function hashName(key: string, name: string): string {
  return createHmac('sha256', key).update(name).digest('hex');
}

/** Returns the hash key of the account, and creates it at first use. Of two concurrent keys, the stored one is used. */
async function getHashKey(ctx: Context): Promise<string> {
  const { account, app, db } = ctx;
  const { secretBox } = app;
  const query = db.selectFrom('accounts').select(['id', 'hash_key']).where('id', '=', account.id);
  const known = await query.executeTakeFirstOrThrow();
  if (known.hash_key !== null) return openKey(secretBox, known, 'hash_key') as string;
  const place = { id: account.id, column: 'hash_key' } as const;
  const hash_key = await sealKey(ctx.dialect, db, secretBox, place, randomBytes(32).toString('hex'));
  await db
    .updateTable('accounts')
    .set({ hash_key })
    .where('id', '=', account.id)
    .where('hash_key', 'is', null)
    .execute();
  return openKey(secretBox, await query.executeTakeFirstOrThrow(), 'hash_key') as string;
}

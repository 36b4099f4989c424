import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { openKey, sealKey } from '../../keys/account-keys.ts';

/** Records deletions by a keyed hash of the name. Who knows the name can prove the deletion; nobody can read it back. */
export async function recordDeletions(ctx: Context, names: readonly string[]): Promise<string[]> {
  // All who lock the row of the account take the clock first.
  const clock = await ctx.clock();
  const key = await getHashKey(ctx);
  const rows = names.map((name) => ({
    account_id: ctx.account.id,
    id: clock.newRow().id,
    hash: hashName(key, name),
  }));
  if (rows.length > 0) await ctx.db.insertInto('deletions').values(rows).execute();
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

import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { openKey, sealKey } from '../../keys/account-keys.ts';

/** Notes that something was deleted. Whoever knows what it was called can prove it by the hash; nobody can read it back. */
export async function recordDeletions(ctx: Context, names: readonly string[]): Promise<string[]> {
  // Before the row of the account, as everyone who locks that does.
  const clock = await ctx.clock();
  const key = await accountKey(ctx);
  const rows = names.map((name) => ({
    account_id: ctx.account.id,
    id: clock.newRow().id,
    hash: hashOf(key, name),
  }));
  if (rows.length > 0) await ctx.db.insertInto('deletions').values(rows).execute();
  return rows.map(({ id }) => id);
}

export function hashOf(key: string, name: string): string {
  return createHmac('sha256', key).update(name).digest('hex');
}

/** Made when it is first needed. Of two who make it, both use the one that was stored. */
async function accountKey(ctx: Context): Promise<string> {
  const { account, db, app } = ctx;
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

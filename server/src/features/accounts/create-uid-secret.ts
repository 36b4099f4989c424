import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { sealKey } from '../../keys/account-keys.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';

/**
 * What the customer's product makes each `uid_hash` with. It is shown here and never again; hashes made with the one
 * before are refused from now on.
 */
export async function createUidSecret(ctx: Context): Promise<string> {
  if (ctx.actor.role !== 'owner') throw forbidden('Only owners may make a new secret for `uid_hash`');
  const secret = `usher_uid_secret_${randomBytes(32).toString('base64url')}`;
  await ctx.transaction(async (ctx) => {
    await ctx.clock();
    const place = { id: ctx.account.id, column: 'uid_secret' } as const;
    const uid_secret = await sealKey(ctx.dialect, ctx.db, ctx.app.secretBox, place, secret);
    await ctx.db
      .updateTable('accounts')
      .set({ uid_secret, updated_at: ctx.now() })
      .where('id', '=', ctx.account.id)
      .execute();
    await bumpPublishedVersion(ctx);
  });
  return secret;
}

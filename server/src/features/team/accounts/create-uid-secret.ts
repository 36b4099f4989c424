import { randomBytes } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { sealKey } from '../../../keys/account-keys.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../audit/record-audit.ts';

/**
 * Creates the secret that the customer's product signs each `uid_hash` with. It is returned here and never again. Hashes
 * of the previous secret are rejected from now on.
 */
export async function createUidSecret(ctx: Context): Promise<string> {
  const secret = `usher_uid_secret_${randomBytes(32).toString('base64url')}`;
  await ctx.transaction(async (ctx) => {
    await ctx.clock();
    const location = { id: ctx.account.id, column: 'uid_secret' } as const;
    const uid_secret = await sealKey(ctx.dialect, ctx.db, ctx.app.secretBox, location, secret);
    await ctx.db
      .updateTable('accounts')
      .set({ uid_secret, updated_at: ctx.now() })
      .where('id', '=', ctx.account.id)
      .execute();
    await bumpPublishedVersion(ctx);
    await recordAudit(ctx, 'account.create_uid_secret', { type: 'account', id: ctx.account.id });
  });
  return secret;
}

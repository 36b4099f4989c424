import { type DebugToken, type DebugTokenInput, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { signDebugToken } from '../../../pages/debug-token.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';

/** Creates a token for `usher.debug(token)` on the pages of the account. It is not stored: it ends by its time, or with who made it. */
export async function createDebugToken(ctx: Context, { ttl }: DebugTokenInput): Promise<DebugToken> {
  const { visitKey } = await currentAccount(ctx, ctx.account);
  const expiresAt = ctx.now() + ttl * 1000;
  const { id: adminId, secret } = ctx.actor;
  const content = { accountId: ctx.account.id, expiresAt, adminId, secretId: secret?.id ?? '' };
  await ctx.transaction((ctx) => recordAudit(ctx, 'debug_token.create', null, { expires_at: toTimestamp(expiresAt) }));
  return { token: signDebugToken(visitKey, content), expires_at: toTimestamp(expiresAt) };
}

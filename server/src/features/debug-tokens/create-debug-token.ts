import { type DebugToken, type DebugTokenInput, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { currentAccount } from '../../pages/current-account.ts';
import { signDebugToken } from '../../pages/debug-token.ts';

/** Creates a token for `usher.debug(token)` on the pages of the account. Nothing is stored: it ends by its time. */
export async function createDebugToken(ctx: Context, { ttl }: DebugTokenInput): Promise<DebugToken> {
  const { visitKey } = await currentAccount(ctx, ctx.account);
  const expiresAt = ctx.now() + ttl * 1000;
  return { token: signDebugToken(visitKey, ctx.account.id, expiresAt), expires_at: toTimestamp(expiresAt) };
}

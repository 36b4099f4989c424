import type { Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { hashToken, newSessionToken } from './token.ts';

/** Inside a transaction: gives the session of the request a new token, and returns the headers that set it. */
export async function rotateSession(
  ctx: Context,
  set: { account_id?: string; confirmed_at?: Millis } = {},
): Promise<Record<string, string>> {
  const { request, actor } = ctx;
  if (!request || !actor.session) return {};
  const token = newSessionToken();
  await ctx.db
    .updateTable('sessions')
    .set({ ...set, hash: hashToken(token), last_used_at: ctx.now() })
    .where('id', '=', actor.session.id)
    .execute();
  return request.cookie.set(token);
}

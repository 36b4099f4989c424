import type { SignedIn } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { ApiError } from '../../../errors.ts';
import { ResponseWithStatus } from '../../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listMemberships } from '../persons/queries.ts';
import { sessionOf } from './queries.ts';
import { rotateSession } from './rotate-session.ts';
import { showSession } from './show-session.ts';

/** Continues the session in another account of the person, with a new token. */
export async function switchAccount(ctx: Context, accountId: string): Promise<ResponseWithStatus<SignedIn>> {
  const session = sessionOf(ctx);
  const memberships = await listMemberships(ctx.db, session.personId);
  const chosen = memberships.find(({ id }) => id === accountId);
  if (!chosen) throw new ApiError(404, ['You are in no account with this ID: `accounts` lists yours']);
  const caller = { account: { id: chosen.id }, actor: { id: chosen.admin_id, role: chosen.role, session } };
  return createContext(ctx.app, caller, ctx.request).transaction(async (ctx) => {
    await ctx.clock();
    const headers = await rotateSession(ctx, { account_id: chosen.id });
    await recordAudit(ctx, 'session.switch', { type: 'session', id: session.id });
    return new ResponseWithStatus(200, await showSession(ctx), headers);
  });
}

import type { Millis, SignedIn } from '@usher/domain';
import type { AppContext } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { forbidden } from '../../../errors.ts';
import type { RequestInfo } from '../../../http/request-info.ts';
import { ResponseWithStatus } from '../../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { wrongPassword } from '../persons/check-password.ts';
import { listMemberships, lockPerson, type PersonRow } from '../persons/queries.ts';
import { findLastAccount } from './queries.ts';
import { showSession } from './show-session.ts';
import { hashToken, newSessionToken } from './token.ts';

interface Start {
  /**
   * The account to begin with. By default it is the account in which the person worked last, in this browser or else
   * anywhere.
   */
  accountId?: string | undefined;
  /** When the person gave their password; null if they did not. By default it is now. */
  confirmedAt?: Millis | null | undefined;
}

/**
 * Signs a person in: creates a session with a new token, and ends the session that this browser had before, so that a
 * token which somebody else has put there, or knows, is worth nothing.
 */
export async function startSession(
  app: AppContext,
  request: RequestInfo,
  { id: personId, password_hash }: Pick<PersonRow, 'id' | 'password_hash'>,
  { accountId, confirmedAt = app.now() }: Start = {},
): Promise<ResponseWithStatus<SignedIn>> {
  const db = app.storage.reader(null);
  const memberships = await listMemberships(db, personId);
  const before = request.cookie.token;
  const wanted = accountId ?? (await findLastAccount(db, personId, before));
  const chosen = memberships.find(({ id }) => id === wanted) ?? memberships[0];
  if (!chosen) throw forbidden('You are in no account of this server any more: ask an owner of one to invite you');

  const now = app.now();
  const [id, token] = [app.newId(), newSessionToken()];
  const session = { id, personId, confirmedUntil: 0 };
  const caller = { account: { id: chosen.id }, actor: { id: chosen.admin_id, role: chosen.role, session } };
  const signedIn = await createContext(app, caller, request).transaction(async (ctx) => {
    // Every transaction takes the clock of the account before it locks a person, an account or a session, to avoid deadlocks.
    await ctx.clock();
    // Checking a password takes long. If it was changed meanwhile, all sessions have ended, and this one must not begin.
    if ((await lockPerson(ctx, personId)).password_hash !== password_hash) throw wrongPassword();
    if (before !== undefined)
      await ctx.db
        .updateTable('sessions')
        .set({ ended_at: now })
        .where('hash', '=', hashToken(before))
        .where('ended_at', 'is', null)
        .execute();
    await ctx.db
      .insertInto('sessions')
      .values({
        id,
        hash: hashToken(token),
        person_id: personId,
        account_id: chosen.id,
        last_used_at: now,
        confirmed_at: confirmedAt,
        user_agent: request.userAgent,
        network: request.network,
      })
      .execute();
    await recordAudit(ctx, 'session.create', { type: 'session', id });
    return showSession(ctx);
  });
  return new ResponseWithStatus(200, signedIn, request.cookie.set(token));
}

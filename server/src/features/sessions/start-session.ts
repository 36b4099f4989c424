import type { AuditAction, SignedIn } from '@usher/domain';
import { type AppContext, createContext } from '../../context.ts';
import type { Db } from '../../db/storage.ts';
import { forbidden } from '../../errors.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import { ResponseWithStatus } from '../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listMemberships } from '../people/queries.ts';
import { showSession } from './show-session.ts';
import { hashToken, newSessionToken } from './token.ts';

interface Start {
  /** The account to begin with. Left out: the one that the person worked in, in this browser or else anywhere. */
  accountId?: string | undefined;
  action?: AuditAction;
}

/**
 * Signs a person in: creates a session with a new token, and ends the session that this browser had before, so that a
 * token which somebody else has put there, or knows, is worth nothing.
 */
export async function startSession(
  app: AppContext,
  request: RequestInfo,
  personId: string,
  { accountId, action = 'session.create' }: Start = {},
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
    // Whoever locks rows of people, accounts or sessions has the clock of the account first, so that none wait in a circle.
    await ctx.clock();
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
        confirmed_at: now,
        user_agent: request.userAgent,
        network: request.network,
      })
      .execute();
    await recordAudit(ctx, action, { type: 'session', id });
    return showSession(ctx);
  });
  return new ResponseWithStatus(200, signedIn, request.cookie.set(token));
}

/** Whoever signs in again after their session has ended goes on where they were: they may have typed something there. */
async function findLastAccount(db: Db, personId: string, token = ''): Promise<string | undefined> {
  const sessions = db.selectFrom('sessions').select('account_id').where('person_id', '=', personId);
  const here = await sessions.where('hash', '=', hashToken(token)).executeTakeFirst();
  const last = here ?? (await sessions.orderBy('last_used_at', 'desc').limit(1).executeTakeFirst());
  return last?.account_id;
}

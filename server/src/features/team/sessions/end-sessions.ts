import type { Session } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { ResponseWithStatus } from '../../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockPerson } from '../persons/queries.ts';
import { presentSession } from './present-session.ts';
import { openSessionsOf, type SessionRow, sessionOf } from './queries.ts';

type OneSession = ResponseWithStatus<{ session: Session }>;

/** Ends one session of the person. If it is the one of the request, its cookie goes too. */
export async function endSession(ctx: Context, id = sessionOf(ctx).id): Promise<OneSession> {
  const current = sessionOf(ctx).id;
  const [row] = await end(ctx, (session) => session.id === id);
  if (!row) throw notFound('session');
  const headers = id === current ? ctx.request?.cookie.set(null) : undefined;
  return new ResponseWithStatus(200, { session: presentSession(row, ctx.now(), current) }, headers);
}

/** Ends all sessions of the person except the one of the request. */
export async function endOtherSessions(ctx: Context): Promise<Session[]> {
  const current = sessionOf(ctx).id;
  const rows = await end(ctx, ({ id }) => id !== current);
  return rows.map((row) => presentSession(row, ctx.now(), current));
}

async function end(ctx: Context, isMeant: (session: SessionRow) => boolean): Promise<SessionRow[]> {
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    // Every request that ends several sessions of a person locks the person first, to avoid deadlocks.
    await lockPerson(ctx, sessionOf(ctx).personId);
    const rows = (await openSessionsOf(ctx).orderBy('id', 'desc').execute()).filter(isMeant);
    for (const { id } of rows) {
      await ctx.db.updateTable('sessions').set({ ended_at: ctx.now() }).where('id', '=', id).execute();
      await recordAudit(ctx, 'session.delete', { type: 'session', id });
    }
    return rows;
  });
}

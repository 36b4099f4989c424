import { firstIdAt, SESSION_IDLE_MS, SESSION_MAX_MS } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { ActorSession, Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import type { Db } from '../../../db/storage.ts';
import { signedOut } from '../../../errors.ts';
import { hashToken } from './token.ts';

export type SessionRow = Selectable<Schema['sessions']>;

/** The session of the request. */
export function sessionOf({ actor }: Context): ActorSession {
  if (!actor.session) throw signedOut();
  return actor.session;
}

/**
 * A person who signs in again after their session has ended continues in the same account, because they may have
 * unsaved work there.
 */
export async function findLastAccount(db: Db, personId: string, token = ''): Promise<string | undefined> {
  const sessions = db.selectFrom('sessions').select('account_id').where('person_id', '=', personId);
  const here = await sessions.where('hash', '=', hashToken(token)).executeTakeFirst();
  const last = here ?? (await sessions.orderBy('last_used_at', 'desc').limit(1).executeTakeFirst());
  return last?.account_id;
}

/**
 * Inside a transaction that has the clock: rejects the request if its session has ended since it was authenticated, and
 * keeps the session from ending until the commit.
 */
export async function lockSession(ctx: Context): Promise<void> {
  const session = ctx.db.selectFrom('sessions').select('ended_at').where('id', '=', sessionOf(ctx).id);
  const row = await ctx.dialect.lockRows(session).executeTakeFirst();
  if (!row || row.ended_at !== null) throw signedOut();
}

/** The sessions of the person that have not ended. */
export function openSessionsOf(ctx: Context) {
  return ctx.db
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', sessionOf(ctx).personId)
    .where('ended_at', 'is', null)
    .where('last_used_at', '>', ctx.now() - SESSION_IDLE_MS)
    .where('id', '>', firstIdAt(ctx.now() - SESSION_MAX_MS));
}

import {
  CONFIRMATION_MS,
  firstIdAt,
  type Millis,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  type Session,
  timeOfId,
  toTimestamp,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { ActorSession, Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import type { Db } from '../../../db/storage.ts';
import { signedOut } from '../../../errors.ts';
import { hashToken } from './token.ts';

export type SessionRow = Selectable<Schema['sessions']>;

/** When a session ends if it is not used any more. */
export function expiresAt({ id, last_used_at }: Pick<SessionRow, 'id' | 'last_used_at'>): Millis {
  return Math.min(timeOfId(id) + SESSION_MAX_MS, last_used_at + SESSION_IDLE_MS);
}

/** Until when the password need not be given again. */
export function confirmedUntil({ confirmed_at }: Pick<SessionRow, 'confirmed_at'>): Millis {
  return confirmed_at === null ? 0 : confirmed_at + CONFIRMATION_MS;
}

/** The session of the request. */
export function sessionOf({ actor }: Context): ActorSession {
  if (!actor.session) throw signedOut();
  return actor.session;
}

/** Whoever signs in again after their session has ended goes on where they were: they may have typed something there. */
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

export function presentSession(row: SessionRow, now: Millis, currentId: string): Session {
  const until = confirmedUntil(row);
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    last_used_at: toTimestamp(row.last_used_at),
    expires_at: toTimestamp(expiresAt(row)),
    confirmed_until: until > now ? toTimestamp(until) : null,
    user_agent: row.user_agent,
    network: row.network,
    current: row.id === currentId,
  };
}

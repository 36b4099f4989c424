import { type Millis, type Session, timeOfId, toTimestamp } from '@usher/domain';
import type { SessionRow } from './queries.ts';
import { confirmedUntil, expiresAt } from './session-times.ts';

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

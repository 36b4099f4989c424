import { laterOf, type Millis } from '../basics/time.ts';

const SESSION_TIMEOUT_MS: Millis = 90 * 60_000;

export interface LastSeen {
  last_seen_at: Millis | null;
  last_seen_session_count: number;
}

/** The values after a page load. A page load after more than 90 minutes starts a session. A late one moves nothing back. */
export function updateLastSeen(
  { last_seen_at, last_seen_session_count }: LastSeen,
  now: Millis,
): LastSeen & { last_seen_at: Millis } {
  const isNewSession = last_seen_at === null || last_seen_at < sessionCutoff(now);
  return {
    last_seen_at: laterOf(last_seen_at, now),
    last_seen_session_count: last_seen_session_count + (isNewSession ? 1 : 0),
  };
}

/** A user who was last seen before this time starts a new session now. */
export function sessionCutoff(now: Millis): Millis {
  return now - SESSION_TIMEOUT_MS;
}

/** Whether a user was known before this session. Anyone can make up users with the public token, but these are new. */
export function wasSeenBefore(createdAt: Millis, now: Millis): boolean {
  return createdAt <= sessionCutoff(now);
}

import type { Millis } from '../basics/time.ts';

const SESSION_TIMEOUT_MS: Millis = 90 * 60_000;

export interface LastSeen {
  last_seen_at: Millis | null;
  last_seen_session_count: number;
}

/** After a page load: more than 90 minutes without one begin a new session. A late report moves nothing backwards. */
export function updateLastSeen(
  { last_seen_at, last_seen_session_count }: LastSeen,
  now: Millis,
): LastSeen & { last_seen_at: Millis } {
  const begins = last_seen_at === null || last_seen_at < sessionCutoff(now);
  return {
    last_seen_at: Math.max(last_seen_at ?? now, now),
    last_seen_session_count: last_seen_session_count + (begins ? 1 : 0),
  };
}

/** Whoever was seen before this moment begins a new session now. */
export function sessionCutoff(now: Millis): Millis {
  return now - SESSION_TIMEOUT_MS;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LastSeen, updateLastSeen } from './session.ts';

const MINUTES_90 = 90 * 60_000;
const never: LastSeen = { last_seen_at: null, last_seen_session_count: 0 };
const time = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
const sessions = fc.nat({ max: 1_000_000 });

describe('updateLastSeen', () => {
  it('starts the first session with the first page load', () => {
    fc.assert(
      fc.property(time, (now) => {
        expect(updateLastSeen(never, now)).toEqual({ last_seen_at: now, last_seen_session_count: 1 });
      }),
    );
  });

  it('starts a session again after a reset', () => {
    fc.assert(
      fc.property(sessions, time, (last_seen_session_count, now) => {
        expect(updateLastSeen({ last_seen_at: null, last_seen_session_count }, now)).toEqual({
          last_seen_at: now,
          last_seen_session_count: last_seen_session_count + 1,
        });
      }),
    );
  });

  it('continues the session after exactly 90 minutes, and starts one a millisecond later', () => {
    fc.assert(
      fc.property(time, sessions, (last_seen_at, last_seen_session_count) => {
        const seen = { last_seen_at, last_seen_session_count };
        expect(updateLastSeen(seen, last_seen_at + MINUTES_90)).toEqual({
          last_seen_at: last_seen_at + MINUTES_90,
          last_seen_session_count,
        });
        expect(updateLastSeen(seen, last_seen_at + MINUTES_90 + 1)).toEqual({
          last_seen_at: last_seen_at + MINUTES_90 + 1,
          last_seen_session_count: last_seen_session_count + 1,
        });
      }),
    );
  });

  it('continues the session after any pause up to 90 minutes, and starts one after any longer pause', () => {
    const pause = fc.oneof(fc.nat({ max: 2 * MINUTES_90 }), fc.nat({ max: 1e12 }));
    fc.assert(
      fc.property(time, sessions, pause, (last_seen_at, last_seen_session_count, ms) => {
        const seen = updateLastSeen({ last_seen_at, last_seen_session_count }, last_seen_at + ms);
        expect(seen.last_seen_at).toBe(last_seen_at + ms);
        expect(seen.last_seen_session_count - last_seen_session_count).toBe(ms > MINUTES_90 ? 1 : 0);
      }),
    );
  });

  it('moves nothing back when the clocks of nodes differ by up to a minute', () => {
    fc.assert(
      fc.property(time, sessions, fc.nat({ max: 60_000 }), (last_seen_at, last_seen_session_count, ms) => {
        const seen = { last_seen_at, last_seen_session_count };
        expect(updateLastSeen(seen, last_seen_at - ms)).toEqual(seen);
      }),
    );
  });

  it('follows a clock that was ahead and is corrected', () => {
    fc.assert(
      fc.property(time, sessions, fc.integer({ min: 60_001, max: 1e12 }), (now, last_seen_session_count, ms) => {
        const seen = { last_seen_at: now + ms, last_seen_session_count };
        expect(updateLastSeen(seen, now)).toEqual({ last_seen_at: now, last_seen_session_count });
      }),
    );
  });

  it('counts one session more than there are long pauses', () => {
    const pauses = fc.array(fc.constantFrom(0, 1, 60_000, MINUTES_90, MINUTES_90 + 1, 10 * MINUTES_90));
    fc.assert(
      fc.property(time, pauses, (begin, list) => {
        let now = begin;
        let seen = updateLastSeen(never, now);
        for (const pause of list) {
          now += pause;
          seen = updateLastSeen(seen, now);
        }
        expect(seen).toEqual({
          last_seen_at: now,
          last_seen_session_count: 1 + list.filter((pause) => pause > MINUTES_90).length,
        });
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createIdSource,
  createPastIds,
  createTickIds,
  firstIdAt,
  ID_PATTERN,
  isId,
  TICKS_PER_MS,
  tickOfId,
  timeOfId,
  timeOfTick,
} from './id.ts';

const LAST_TIME = 0xffffffff * 1000 + 999;
const time = fc.integer({ min: 1, max: LAST_TIME - 100_000 });

/** A clock that returns these times one after the other, and then always the last. */
function clockOf(times: readonly number[]): () => number {
  let at = 0;
  return () => times[Math.min(at++, times.length - 1)] ?? 0;
}

function make(count: number, next: () => string): string[] {
  return Array.from({ length: count }, next);
}

function expectIncreasing(ids: readonly string[]): void {
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1];
    if (before !== undefined && !(before < id)) expect.fail(`${id} comes after ${before} but is not above it`);
  }
}

describe('isId', () => {
  it('accepts exactly 24 lowercase hex digits', () => {
    expect(isId('5fb70dcbc39330000325a817')).toBe(true);
    const others = ['', '5fb70dcbc39330000325a81', '5fb70dcbc39330000325a8170', '5FB70DCBC39330000325A817'];
    const lookalikes = [
      '5fb70dcbc39330000325a81g',
      '5fb70dcbc39330000325a817\n',
      ' 5fb70dcbc39330000325a817',
      '٥'.repeat(24),
    ];
    expect([...others, ...lookalikes].filter(isId)).toEqual([]);
  });

  it('agrees with the published pattern', () => {
    const published = new RegExp(ID_PATTERN, 'u');
    const nearly = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABg \n'), minLength: 22, maxLength: 26 });
    fc.assert(fc.property(nearly, (text) => isId(text) === published.test(text)));
  });
});

describe('createIdSource', () => {
  it('creates IDs of the second, the millisecond, the counter and the origin', () => {
    const next = createIdSource(
      () => 0x5fb70dcb * 1000 + 0x1a3,
      () => 0.5,
    );
    expect(make(2, next)).toEqual(['5fb70dcb1a30000800000000', '5fb70dcb1a30001800000000']);
  });

  it('creates strictly increasing IDs whatever the clock does within a minute', () => {
    const near = fc.tuple(time, fc.array(fc.nat({ max: 60_000 }), { minLength: 1, maxLength: 200 }));
    fc.assert(
      fc.property(
        near.map(([start, steps]) => steps.map((step) => start + step)),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (times, random) => {
          const ids = make(
            times.length,
            createIdSource(clockOf(times), () => random),
          );
          expect(ids.every(isId)).toBe(true);
          expectIncreasing(ids);
        },
      ),
    );
  });

  it('creates increasing IDs when the counter overflows while the clock stands still', () => {
    const ids = make(
      0x10000 * 2 + 3,
      createIdSource(() => 1_700_000_000_999),
    );
    expect(ids.every(isId)).toBe(true);
    expectIncreasing(ids);
    expect(timeOfId(ids.at(-1) ?? '')).toBe(1_700_000_001_001);
  });

  it('uses the clock again once it has passed the borrowed time', () => {
    let now = 5000;
    const next = createIdSource(() => now);
    make(0x10000 + 1, next);
    const borrowed = next();
    expect(timeOfId(borrowed)).toBe(5001);
    now = 5001;
    const same = next();
    now = 5002;
    const later = next();
    expect([timeOfId(same), timeOfId(later)]).toEqual([5001, 5002]);
    expectIncreasing([borrowed, same, later]);
  });

  it('keeps the latest time when the clock steps back', () => {
    const [first, second, third] = make(3, createIdSource(clockOf([9000, 1000, 9001])));
    expect([first, second, third].map((id) => timeOfId(id ?? ''))).toEqual([9000, 9000, 9001]);
  });

  it('follows a clock that was far ahead, and creates no ID twice', () => {
    const DAY = 86_400_000;
    const ids = make(6, createIdSource(clockOf([9000, 9000 + DAY, 9000, 9000, 9000 + DAY, 9000])));
    expect(ids.map(timeOfId)).toEqual([9000, 9000 + DAY, 9000, 9000, 9000 + DAY, 9000]);
    expect(new Set(ids).size).toBe(6);
  });

  it('creates different IDs in different processes at the same time', () => {
    fc.assert(
      fc.property(
        time,
        fc.uniqueArray(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 2 }),
        (now, randoms) => {
          const origins = new Set(randoms.map((random) => Math.floor(random * 2 ** 36)));
          const ids = randoms.map((random) =>
            createIdSource(
              () => now,
              () => random,
            )(),
          );
          expect(new Set(ids).size).toBe(origins.size);
        },
      ),
    );
  });
});

describe('createTickIds', () => {
  const tick = fc.integer({ min: TICKS_PER_MS, max: (LAST_TIME - 1) * TICKS_PER_MS });

  it('creates IDs of the second, the millisecond, the tick within it and the random digits', () => {
    const next = createTickIds((0x5fb70dcb * 1000 + 0x1a3) * TICKS_PER_MS + 0x2b, () => 0);
    expect(make(2, next)).toEqual(['5fb70dcb1a3002b000000000', '5fb70dcb1a3002b000000001']);
  });

  it('creates IDs that increase within a tick and from tick to tick, whatever the random digits are', () => {
    const draw = fc.double({ min: 0, max: 0.9999999999, noNaN: true });
    fc.assert(
      fc.property(tick, draw, draw, (tick, one, other) => {
        const ids = [
          ...make(
            3,
            createTickIds(tick, () => one),
          ),
          ...make(
            3,
            createTickIds(tick + 1, () => other),
          ),
        ];
        expect(ids.every(isId)).toBe(true);
        expectIncreasing(ids);
        expect([timeOfId(ids[0] ?? ''), tickOfId(ids[0] ?? '')]).toEqual([timeOfTick(tick), tick]);
      }),
    );
  });

  it('has room for all records of a transaction, also after the highest random digits', () => {
    const ids = make(
      200_000,
      createTickIds(5_000_000, () => 1 - 2 ** -53),
    );
    expect(ids.every(isId)).toBe(true);
    expectIncreasing(ids);
  });
});

describe('timeOfId', () => {
  it('returns the time of the clock when the ID was created', () => {
    fc.assert(fc.property(time, (now) => timeOfId(createIdSource(() => now)()) === now));
  });

  it('reads the Unix second from the first 8 digits', () => {
    fc.assert(
      fc.property(time, (now) => {
        const id = createIdSource(() => now)();
        expect(Number.parseInt(id.slice(0, 8), 16)).toBe(Math.floor(now / 1000));
      }),
    );
  });
});

describe('firstIdAt', () => {
  it('returns an ID that is above exactly the IDs created before the time', () => {
    const near = time.chain((created) =>
      fc.record({
        created: fc.constant(created),
        at: fc.oneof(
          time,
          fc.integer({ min: -2, max: 2 }).map((d) => created + d),
        ),
      }),
    );
    fc.assert(
      fc.property(near, fc.double({ min: 0, max: 0.999, noNaN: true }), ({ created, at }, random) => {
        const id = createIdSource(
          () => created,
          () => random,
        )();
        expect(id < firstIdAt(at)).toBe(created < at);
      }),
    );
  });

  it('returns an ID above the last ID of the millisecond before', () => {
    const ids = make(
      0x10000,
      createIdSource(
        () => 7000,
        () => 0.9999999999999,
      ),
    );
    const last = ids.at(-1) ?? '';
    expect(last).toBe(`00000007000${'f'.repeat(13)}`);
    expect(last < firstIdAt(7000)).toBe(false);
    expect(last < firstIdAt(7001)).toBe(true);
  });

  it('returns an ID for every time, also before 1970 and after the last second', () => {
    fc.assert(fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (at) => isId(firstIdAt(at))));
    expect(firstIdAt(-1)).toBe('0'.repeat(24));
    expect(firstIdAt(8.64e15)).toBe(`ffffffff3e7${'0'.repeat(13)}`);
  });
});

describe('createPastIds', () => {
  it('creates different IDs of each time, in their order', () => {
    fc.assert(
      fc.property(time, time, (one, other) => {
        const idAt = createPastIds();
        const ids = make(100, () => idAt(one));
        expectIncreasing(ids);
        expect(ids.every((id) => isId(id) && timeOfId(id) === one)).toBe(true);
        expect(timeOfId(idAt(other))).toBe(other);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNews, leaveHome, type NewsComparison, newsRanges, newsSince } from './find-news.ts';
import { chanceOfCount, chanceOfDifference, moreThanChance, shareOf } from './significance.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2029, 3, 5, 12);

/** A small generator with a seed, so that the same Homes are simulated in every run. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const count = (people: number, share: number) => {
    let reached = 0;
    for (let at = 0; at < people; at++) if (next() < share) reached++;
    return reached;
  };
  return { next, normal, between, count };
}
type Random = ReturnType<typeof createRandom>;

/** An Experience with the same rates before and after. Numbers of people vary from week to week by more than arrivals do. */
function simulateUnchanged(random: Random, id: string): NewsComparison[] {
  const [before, after] = [random.between(20, 600), random.between(20, 600)];
  const rate = (measure: 'completion' | 'start' | 'goal'): NewsComparison => {
    const share = random.next();
    return {
      ...{ id, measure },
      before: shareOf(before, random.count(before, share)),
      after: shareOf(after, random.count(after, share)),
    };
  };
  const [promoters, detractors] = [random.next() * 0.6, random.next() * 0.4];
  const scores = (people: number) => {
    const [up, down] = [random.count(people, promoters), random.count(people, detractors)];
    return { people, sum: up - down, squares: up + down };
  };
  const people = random.between(30, 3000);
  const variation = random.next() * 0.4;
  const week = () => Math.max(0, Math.round(people * (1 + variation * random.normal())));
  return [
    rate('completion'),
    rate('start'),
    rate('goal'),
    { id, measure: 'nps', before: scores(before), after: scores(after) },
    { id, measure: 'people', past: Array.from({ length: random.between(4, 8) }, week), after: week() },
  ];
}

describe('findNews', () => {
  it('says on at most 5 % of the Homes on which nothing changed that something has', () => {
    const random = createRandom(65);
    const homes = 1500;
    let wrong = 0;
    let tested = 0;
    for (let home = 0; home < homes; home++) {
      const experiences = Array.from({ length: random.between(1, 12) }, (_, at) =>
        simulateUnchanged(random, String(at)),
      );
      tested += experiences.length;
      if (findNews(experiences.flat()).length > 0) wrong += 1;
    }
    expect(tested).toBeGreaterThan(homes);
    expect(wrong / homes).toBeLessThanOrEqual(0.05);
    // The simulation can tell a rule without a correction from this one.
    const naive = createRandom(65);
    let naiveWrong = 0;
    for (let home = 0; home < 200; home++) {
      const all = Array.from({ length: naive.between(1, 12) }, (_, at) => simulateUnchanged(naive, String(at))).flat();
      if (
        all.some(
          (one) =>
            one.measure !== 'people' &&
            Math.min(one.before.people, one.after.people) >= 50 &&
            chanceOfDifference(one.before, one.after) < 0.05,
        )
      )
        naiveWrong += 1;
    }
    expect(naiveWrong / 200).toBeGreaterThan(0.3);
  }, 60_000);

  it('finds a completion rate that fell by half among many that did not', () => {
    const random = createRandom(7);
    for (let home = 0; home < 50; home++) {
      const others = Array.from({ length: 10 }, (_, at) => simulateUnchanged(random, String(at))).flat();
      const changed = {
        ...{ id: 'changed', measure: 'completion' as const },
        before: shareOf(300, random.count(300, 0.62)),
        after: shareOf(300, random.count(300, 0.31)),
      };
      expect(findNews([...others, changed])[0]).toBe(changed);
    }
  });

  const completion = (id: string, before: [number, number], after: [number, number]): NewsComparison => ({
    ...{ id, measure: 'completion' },
    before: shareOf(...before),
    after: shareOf(...after),
  });

  it('leaves out small differences, few people, and rates that the test is not exact for', () => {
    const isNews = (...args: [[number, number], [number, number]]) => findNews([completion('a', ...args)]).length > 0;
    expect(isNews([1000, 620], [1000, 310])).toBe(true);
    expect(isNews([1000, 310], [1000, 620])).toBe(true);
    expect(isNews([49, 49], [1000, 0])).toBe(false);
    expect(isNews([1000, 0], [49, 49])).toBe(false);
    expect(isNews([1_000_000, 620_000], [1_000_000, 610_000])).toBe(false);
    expect(isNews([1_000_000, 20_000], [1_000_000, 15_000])).toBe(true);
    expect(isNews([100, 0], [100, 8])).toBe(false);
    expect(isNews([1000, 1000], [1000, 1000])).toBe(false);
  });

  it('compares people with the same days of the weeks before', () => {
    const isNews = (past: number[], after: number) =>
      findNews([{ id: 'a', measure: 'people', past, after }]).length > 0;
    expect(isNews([500, 520, 480, 510, 490, 505], 900)).toBe(true);
    expect(isNews([500, 520, 480, 510, 490, 505], 200)).toBe(true);
    expect(isNews([500, 900, 200, 700, 400, 600], 900)).toBe(false);
    expect(isNews([500, 520, 480], 900)).toBe(false);
    expect(isNews([5, 6, 4, 5, 5], 20)).toBe(false);
    expect(isNews([500, 500, 500, 500, 500, 500], 560)).toBe(false);
  });

  it('lists an Experience once, with what is most certain, and the most certain one first', () => {
    const found = findNews([
      completion('a', [1000, 500], [1000, 400]),
      { ...completion('a', [1000, 600], [1000, 300]), measure: 'goal' } as NewsComparison,
      completion('b', [1000, 600], [1000, 400]),
    ]);
    expect(found.map(({ id, measure }) => [id, measure])).toEqual([
      ['a', 'goal'],
      ['b', 'completion'],
    ]);
  });

  it('does not depend on the order, and treats rises and falls alike', () => {
    const share = fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }));
    const pair = fc.tuple(share, share).map(([[n, p], [m, q]]): [[number, number], [number, number]] => [
      [n, Math.round(n * p)],
      [m, Math.round(m * q)],
    ]);
    const idsOf = (all: readonly NewsComparison[]) => new Set(findNews(all).map(({ id }) => id));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 20 }), (pairs) => {
        const all = pairs.map((one, at) => completion(String(at), ...one));
        const found = findNews(all);
        expect(idsOf(all.toReversed())).toEqual(idsOf(all));
        expect(found.every((one) => all.includes(one))).toBe(true);
        for (const { before, after } of found.flatMap((one) => (one.measure === 'people' ? [] : [one])))
          expect(chanceOfDifference(after, before)).toBeCloseTo(chanceOfDifference(before, after), 12);
      }),
    );
  });
});

describe('chances', () => {
  it('are those of the tables', () => {
    // 25 and 35 of 50 are 2.041 standard errors apart.
    expect(chanceOfDifference({ people: 50, sum: 25, squares: 25 }, { people: 50, sum: 35, squares: 35 })).toBeCloseTo(
      0.0412,
      4,
    );
    expect(chanceOfDifference(shareOf(1000, 500), shareOf(1000, 500))).toBeCloseTo(1, 6);
    // Student's t of 2.365 with 7 degrees of freedom: 0.05.
    const past = [90, 110, 95, 105, 100, 100, 92, 108].map((count) => count * 100);
    const deviation = Math.sqrt(past.reduce((sum, one) => sum + (one - 10_000) ** 2, 0) / 7);
    expect(chanceOfCount(past, 10_000 + 2.365 * deviation * Math.sqrt(1 + 1 / 8))).toBeCloseTo(0.05, 3);
    expect(chanceOfCount(past, 10_000 - 5.408 * deviation * Math.sqrt(1 + 1 / 8))).toBeCloseTo(0.001, 4);
  });

  it('are from 0 to 1, and smaller for a larger difference', () => {
    const counts = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(counts, counts, fc.nat(5000), fc.nat(5000), fc.nat(5000), (n, m, x, y, z) => {
        const [before, one, other] = [shareOf(n, x), shareOf(m, y), shareOf(m, z)];
        const chance = chanceOfDifference(before, one);
        expect(chance).toBeGreaterThanOrEqual(0);
        expect(chance).toBeLessThanOrEqual(1.000001);
        const share = before.sum / n;
        const [near, far] = [one, other].sort((a, b) => Math.abs(a.sum / m - share) - Math.abs(b.sum / m - share));
        const isSameSide = (one.sum / m - share) * (other.sum / m - share) > 0;
        if (isSameSide && near && far)
          expect(chanceOfDifference(before, far)).toBeLessThanOrEqual(chanceOfDifference(before, near) + 1e-9);
      }),
    );
  });

  it('are corrected for their number: one alone passes, and the same one among many does not', () => {
    expect(moreThanChance([0.008], 0.01)).toEqual(new Set([0]));
    expect(moreThanChance([0.008, ...Array.from({ length: 20 }, () => 0.5)], 0.01)).toEqual(new Set());
    expect(moreThanChance([0.5, 0.004, 0.0001], 0.01)).toEqual(new Set([1, 2]));
    expect(moreThanChance([], 0.01)).toEqual(new Set());
  });
});

describe('newsSince', () => {
  const left = (at: number | null, before: number | null = null) => ({ home_left_at: at, home_left_before: before });

  it('is the last visit, at least a day and at most 30 days ago', () => {
    expect(newsSince(left(NOW - 3 * DAY_MS), NOW, undefined)).toBe(NOW - 3 * DAY_MS);
    expect(newsSince(left(NOW - 2 * HOUR_MS, NOW - 5 * DAY_MS), NOW, undefined)).toBe(NOW - DAY_MS);
    expect(newsSince(left(NOW - 90 * DAY_MS), NOW, undefined)).toBe(NOW - 30 * DAY_MS);
    expect(newsSince(left(null), NOW, undefined)).toBe(NOW - 7 * DAY_MS);
    expect(newsSince(left(NOW - 3 * DAY_MS), NOW, NOW - 5 * DAY_MS)).toBe(NOW - 5 * DAY_MS);
    expect(newsSince(left(null), NOW, NOW + DAY_MS)).toBe(NOW - DAY_MS);
    expect(newsSince(left(null), NOW, 0)).toBe(NOW - 30 * DAY_MS);
  });

  it('stays the same when Home is loaded again soon, however often', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: HOUR_MS - 1 }), { maxLength: 20 }), (steps) => {
        const before = NOW - 10 * DAY_MS;
        let visits = leaveHome(left(before), NOW);
        let now = NOW;
        for (const step of steps) {
          now += step;
          expect(newsSince(visits, now, undefined)).toBe(before);
          visits = leaveHome(visits, now);
        }
      }),
    );
  });

  it('begins a new visit after an hour', () => {
    const first = leaveHome(left(null), NOW);
    const later = NOW + 5 * DAY_MS;
    expect(newsSince(first, later, undefined)).toBe(NOW);
    expect(leaveHome(first, later)).toEqual(left(later, NOW));
    // A clock that goes back changes nothing.
    expect(leaveHome(first, NOW - DAY_MS)).toEqual(first);
  });
});

describe('newsRanges', () => {
  const days = (range: { first: number; last: number }) => [range.first, range.last];

  it('compares the days since a time with as many before, and the days after a moment with at least a week before', () => {
    const plain = newsRanges({ since: 97, today: 100 });
    expect([days(plain.before), days(plain.after)]).toEqual([
      [93, 96],
      [97, 100],
    ]);
    const moment = newsRanges({ since: 90, moment: 98, today: 100 });
    expect([days(moment.before), days(moment.after)]).toEqual([
      [91, 97],
      [99, 100],
    ]);
  });

  it('compares people on the same days of weeks before the moment', () => {
    const { people } = newsRanges({ since: 90, moment: 91, today: 100 });
    expect(people && [days(people.after), people.past.slice(0, 2).map(days), people.past.length]).toEqual([
      [93, 99],
      [
        [79, 85],
        [72, 78],
      ],
      8,
    ]);
    expect(newsRanges({ since: 90, moment: 99, today: 100 }).people).toBe(undefined);
  });

  it('never compares a day with itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.option(fc.integer({ min: 1, max: 30 })), (ago, momentAgo) => {
        const today = 20_000;
        const moment = momentAgo === null ? {} : { moment: today - momentAgo };
        const { before, after, people } = newsRanges({ since: today - ago, ...moment, today });
        expect(before.last).toBeLessThan(after.first);
        expect(before.first).toBeLessThanOrEqual(before.last);
        expect(after.first).toBeLessThanOrEqual(after.last);
        if (!people) return;
        expect(people.after.last).toBeLessThan(today);
        for (const past of people.past) {
          expect(past.last).toBeLessThanOrEqual(before.last);
          expect((people.after.first - past.first) % 7).toBe(0);
          expect(past.last - past.first).toBe(people.after.last - people.after.first);
        }
      }),
    );
  });
});

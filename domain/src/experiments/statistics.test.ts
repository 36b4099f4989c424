import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasWrongRatio, logGamma } from './sample-ratio.ts';
import { boundary, compareSamples, neededPeople, proportionSample } from './sequential-interval.ts';
import { pickVariant } from './variants.ts';

describe('compareSamples', () => {
  it('finds a large difference and its direction, and nothing in arms that are alike', () => {
    const [few, many] = [proportionSample(2000, 200), proportionSample(2000, 400)];
    expect(compareSamples(few, many)).toMatchObject({ estimate: 0.1 });
    expect(compareSamples(few, many)?.low).toBeGreaterThan(0.05);
    expect(compareSamples(many, few)?.high).toBeLessThan(-0.05);
    const alike = compareSamples(few, few);
    expect(alike?.low).toBeLessThan(0);
    expect(alike?.high).toBeGreaterThan(0);
  });

  it('says nothing while too few people have reached the goal, or too few have not', () => {
    expect(compareSamples(proportionSample(99, 50), proportionSample(5000, 2000))).toBe(undefined);
    expect(compareSamples(proportionSample(1000, 20), proportionSample(1000, 20))).toBe(undefined);
    expect(compareSamples(proportionSample(1000, 980), proportionSample(1000, 980))).toBe(undefined);
    expect(compareSamples(proportionSample(1000, 0), proportionSample(1000, 0))).toBe(undefined);
    expect(compareSamples(proportionSample(1000, 40), proportionSample(1000, 60))).toBeDefined();
  });

  it('is symmetric, and narrower with more people', () => {
    const counts = fc.tuple(fc.integer({ min: 200, max: 5000 }), fc.double({ min: 0.2, max: 0.8, noNaN: true }));
    fc.assert(
      fc.property(counts, counts, ([n, p], [m, q]) => {
        const [one, other] = [proportionSample(n, Math.round(n * p)), proportionSample(m, Math.round(m * q))];
        const [there, back] = [compareSamples(one, other), compareSamples(other, one)];
        expect(there?.low).toBeCloseTo(-(back?.high ?? 0), 10);
        const larger = compareSamples(proportionSample(4 * n, 4 * one.sum), proportionSample(4 * m, 4 * other.sum));
        expect((larger?.high ?? 0) - (larger?.low ?? 0)).toBeLessThan((there?.high ?? 0) - (there?.low ?? 0));
      }),
    );
  });

  it('is always wider than an interval for one look', () => {
    for (const n of [10, 100, 1000, 2500, 1e5, 1e7]) expect(boundary(n, 0.05)).toBeGreaterThan(1.96);
  });
});

it('needs four times as many people for half of the difference, about', () => {
  const [large, small] = [neededPeople(0.3, 0.03), neededPeople(0.3, 0.015)];
  expect(small / large).toBeGreaterThan(3.5);
  expect(small / large).toBeLessThan(5);
  expect(neededPeople(0.3, 0)).toBe(Number.POSITIVE_INFINITY);
});

describe('hasWrongRatio', () => {
  it('warns of numbers that the shares do not explain', () => {
    expect(hasWrongRatio([{ counts: [5000, 5050], shares: [50, 50] }])).toBe(false);
    expect(hasWrongRatio([{ counts: [5000, 5600], shares: [50, 50] }])).toBe(true);
    expect(hasWrongRatio([{ counts: [9000, 1000], shares: [90, 10] }])).toBe(false);
    expect(hasWrongRatio([{ counts: [100, 20], shares: [100, 0] }])).toBe(true);
    expect(hasWrongRatio([])).toBe(false);
  });

  it('tolerates a page load that was decided before an arm lost its share, and was stored after', () => {
    for (const counts of [
      [0, 1],
      [1, 1],
      [10_000, 2],
    ])
      expect(hasWrongRatio([{ counts, shares: [100, 0] }])).toBe(false);
  });

  it('compares each period with its own shares', () => {
    const periods = [
      { counts: [5000, 5000], shares: [50, 50] },
      { counts: [900, 100], shares: [90, 10] },
    ];
    expect(hasWrongRatio(periods)).toBe(false);
    expect(hasWrongRatio([{ counts: [5900, 5100], shares: [50, 50] }])).toBe(true);
  });
});

it('computes the gamma function', () => {
  for (const [x, factorial] of [
    [1, 1],
    [5, 24],
    [11, 3628800],
    [0.5, Math.sqrt(Math.PI)],
  ] as const)
    expect(logGamma(x)).toBeCloseTo(Math.log(factorial), 9);
});

it('gives each variant its share of the positions', () => {
  const variants = [20, 0, 50, 30].map((share, at) => ({ id: String(at), name: '', experience_id: null, share }));
  const counts = [0, 0, 0, 0];
  for (let at = 0; at < 1000; at++) {
    const chosen = Number(pickVariant(variants, at / 1000)?.id);
    counts[chosen] = (counts[chosen] ?? 0) + 1;
  }
  expect(counts).toEqual([200, 0, 500, 300]);
});

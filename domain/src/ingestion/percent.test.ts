import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPercent } from './profile.ts';

/** A seeded generator, so that the statistical checks give the same result at every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('drawPercent', () => {
  it('returns numbers from 0 to 100, both included', () => {
    expect(drawPercent(() => 0)).toBe(0);
    expect(drawPercent(() => 1 - Number.EPSILON)).toBe(100);
    const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(unit, (drawn) => {
        const percent = drawPercent(() => drawn);
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('returns hundredths with equal probability', () => {
    const wrong = Array.from({ length: 10_001 }, (_, hundredths) => hundredths).filter((hundredths) => {
      const edges = [0.001, 0.5, 0.999].map((within) => drawPercent(() => (hundredths + within) / 10_001));
      return edges.some((percent) => percent !== hundredths / 100);
    });
    expect(wrong).toEqual([]);
  });

  it.each([1, 2, 3])('is uniform for seed %#', (seed) => {
    const random = seeded(seed);
    const buckets = Array<number>(10).fill(0);
    const draws = 100_000;
    for (let draw = 0; draw < draws; draw++) {
      const at = Math.min(Math.floor(drawPercent(random) / 10), 9);
      buckets[at] = (buckets[at] ?? 0) + 1;
    }
    const expected = draws / 10;
    const chiSquare = buckets.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // With nine degrees of freedom, chance exceeds this value once in a thousand runs.
    expect(chiSquare).toBeLessThan(27.88);
  });

  it('returns different numbers by default', () => {
    const drawn = Array.from({ length: 50 }, () => drawPercent());
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });
});

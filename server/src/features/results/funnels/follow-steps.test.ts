import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FunnelRule, followSteps } from './follow-steps.ts';

interface Deed {
  time: number;
  mask: number;
}

/** Tries every way through the steps. */
function tryAllWays(deeds: readonly Deed[], { steps, windowMs, from, before }: FunnelRule): number[] {
  const ways = (step: number, after: number, start: number): number[][] => {
    const next = deeds.flatMap(({ time, mask }, at) =>
      step < steps && at > after && mask & (1 << step) && time <= start + windowMs
        ? ways(step + 1, at, start).map((rest) => [time, ...rest])
        : [],
    );
    return [[], ...next];
  };
  const all = deeds.flatMap(({ time, mask }, at) =>
    mask & 1 && time >= from && time < before ? ways(1, at, time).map((rest) => [time, ...rest]) : [],
  );
  const furthest = Math.max(0, ...all.map((way) => way.length));
  const [first = []] = all
    .filter((way) => way.length === furthest)
    .sort(
      (one, other) =>
        (one.find((time, at) => time !== other[at]) ?? 0) - (other.find((time, at) => time !== one[at]) ?? 0),
    );
  return first;
}

const deeds = fc
  .array(fc.record({ time: fc.integer({ min: 0, max: 30 }), mask: fc.integer({ min: 0, max: 15 }) }), { maxLength: 9 })
  .map((list) => list.sort((one, other) => one.time - other.time));
const rule = fc.record({
  steps: fc.integer({ min: 2, max: 4 }),
  windowMs: fc.integer({ min: 0, max: 20 }),
  from: fc.integer({ min: 0, max: 10 }),
  before: fc.integer({ min: 11, max: 31 }),
});

it('finds the way that leads furthest, and of several the first one', () => {
  fc.assert(
    fc.property(deeds, rule, (deeds, rule) => {
      const times = deeds.map(({ time }) => time);
      const masks = deeds.map(({ mask }) => mask);
      expect(followSteps({ count: deeds.length, times, masks }, rule)).toEqual(tryAllWays(deeds, rule));
    }),
    { numRuns: 2000 },
  );
});

it('counts a first step that is later, if the window of an earlier one is over', () => {
  const rule = { steps: 2, windowMs: 10, from: 0, before: 100 };
  expect(followSteps({ count: 3, times: [1, 50, 55], masks: [1, 1, 2] }, rule)).toEqual([50, 55]);
});

it('does not take one event for two steps', () => {
  const rule = { steps: 2, windowMs: 10, from: 0, before: 100 };
  expect(followSteps({ count: 1, times: [5], masks: [3] }, rule)).toEqual([5]);
  expect(followSteps({ count: 2, times: [5, 5], masks: [3, 3] }, rule)).toEqual([5, 5]);
});

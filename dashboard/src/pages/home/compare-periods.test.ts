import { expect, it } from 'vitest';
import { comparePeriods } from './compare-periods.ts';

it('compares two periods by the share of the earlier one', () => {
  expect(comparePeriods(42, 30)).toEqual({ kind: 'more', share: 0.4 });
  expect(comparePeriods(15, 30)).toEqual({ kind: 'less', share: 0.5 });
  expect(comparePeriods(0, 30)).toEqual({ kind: 'less', share: 1 });
  expect(comparePeriods(30, 30)).toEqual({ kind: 'same' });
});

it('never says 0 % for a difference, and nothing about a period without data', () => {
  expect(comparePeriods(10_001, 10_000)).toEqual({ kind: 'more', share: 0.01 });
  expect(comparePeriods(5, 0)).toEqual({ kind: 'unknown' });
  expect(comparePeriods(0, 0)).toEqual({ kind: 'unknown' });
});

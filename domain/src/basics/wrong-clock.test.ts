import { expect, it } from 'vitest';
import { isRecent, laterOf, nextUpdatedAt } from './time.ts';

const NOW = Date.UTC(2029, 3, 7, 12);
const DAY = 86_400_000;

it('keeps the later time, unless it is of a clock that was ahead', () => {
  expect(laterOf(null, NOW)).toBe(NOW);
  expect(laterOf(NOW - DAY, NOW)).toBe(NOW);
  expect(laterOf(NOW + 60_000, NOW)).toBe(NOW + 60_000);
  expect(laterOf(NOW + DAY, NOW)).toBe(NOW);
});

it('gives each change another updated_at', () => {
  expect(nextUpdatedAt(NOW - DAY, NOW)).toBe(NOW);
  expect(nextUpdatedAt(NOW, NOW)).toBe(NOW + 1);
  expect(nextUpdatedAt(NOW + 1, NOW)).toBe(NOW + 2);
  expect(nextUpdatedAt(NOW + DAY, NOW)).toBe(NOW);
});

it('does not count a time of a clock that was ahead as recent', () => {
  expect([NOW - 1000, NOW, NOW + 1000].map((time) => isRecent(time, NOW, 2000))).toEqual([true, true, true]);
  expect([NOW - 2000, NOW + DAY].map((time) => isRecent(time, NOW, 2000))).toEqual([false, false]);
});

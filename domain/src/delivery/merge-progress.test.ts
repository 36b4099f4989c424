import { expect, it } from 'vitest';
import { mergeDays } from './merge-progress.ts';

it('keeps the row of the first time of a day, and that of the known profile where times are not known', () => {
  const row = (of: string, day: number, at: number | null) => ({ of, day, previous_day: -1, at });
  const known = [row('known', 1, 20), row('known', 2, 10), row('known', 3, null)];
  const others = [row('other', 1, 10), row('other', 2, 20), row('other', 3, null), row('other', 4, 1)];
  const merged = mergeDays(known, others).sort((one, other) => one.day - other.day);
  expect(merged.map(({ of, day, previous_day }) => [of, day, previous_day])).toEqual([
    ['other', 1, -1],
    ['known', 2, 1],
    ['known', 3, 2],
    ['other', 4, 3],
  ]);
});

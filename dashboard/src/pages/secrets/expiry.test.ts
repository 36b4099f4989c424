import { expect, it } from 'vitest';
import { expiresAtOf, expiryState } from './expiry.ts';

const now = Date.UTC(2026, 5, 15, 12);
const DAY = 24 * 60 * 60_000;

it.each([
  [null, 'never'],
  [15 * DAY, 'later'],
  [14 * DAY, 'soon'],
  [1, 'soon'],
  [0, 'expired'],
  [-DAY, 'expired'],
])('calls an expiry in %s ms "%s"', (left, state) => {
  expect(expiryState(left === null ? null : new Date(now + left).toISOString(), now)).toBe(state);
});

it('makes a time of a preset, or of the end of a day', () => {
  expect(expiresAtOf('90', '', now)).toBe('+90d');
  expect(expiresAtOf('never', '', now)).toBe(null);
  expect(Date.parse(expiresAtOf('date', '2026-06-20', now) ?? '')).toBe(
    new Date(2026, 5, 20, 23, 59, 59, 999).getTime(),
  );
});

it.each(['', '2026-06-10', 'soon', '2026-02-31x'])('has no time for the day "%s"', (date) => {
  expect(expiresAtOf('date', date, now)).toBe(undefined);
});

import { describe, expect, it } from 'vitest';
import { canRetry, retryDelay } from './retry.ts';

describe('retryDelay', () => {
  it('grows up to five minutes, and is random between half and all of that', () => {
    expect([1, 2, 3, 20].map((failures) => retryDelay(failures, 1))).toEqual([1000, 2000, 4000, 300_000]);
    expect(retryDelay(1, 0)).toBe(500);
  });
});

describe('canRetry', () => {
  it.each([
    [0, true],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
    [200, false],
    [403, false],
    [404, false],
    [422, false],
  ])('returns for status %i: %s', (status, expected) => expect(canRetry(status)).toBe(expected));
});

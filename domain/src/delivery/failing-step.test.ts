import { describe, expect, it } from 'vitest';
import { countsForStepHealth, isStepFailing } from './failing-step.ts';

describe('isStepFailing', () => {
  it.each([
    [19, 19, false],
    [20, 20, true],
    [20, 40, true],
    [20, 41, false],
    [500, 1001, false],
    [0, 0, false],
  ])('begins with %i of %i people: %s', (missed, all, expected) => {
    expect(isStepFailing(false, { missed, all })).toBe(expected);
  });

  it.each([
    ['does not recover without people', 0, 0, true],
    ['does not recover because fewer people come', 3, 3, true],
    ['does not recover while half of the people miss it', 10, 20, true],
    ['recovers when more than half of the people see it', 9, 20, false],
    ['recovers with the first person who sees it after a new version', 0, 1, false],
  ])('%s', (_, missed, all, expected) => {
    expect(isStepFailing(true, { missed, all })).toBe(expected);
  });
});

describe('countsForStepHealth', () => {
  const NOW = 1_900_000_000_000;
  const MINUTES_90 = 90 * 60_000;

  it.each([
    ['a proven user who is new', true, NOW, true],
    ['an unproven user who is new', false, NOW, false],
    ['an unproven user of this session', false, NOW - MINUTES_90 + 1, false],
    ['an unproven user who was known for longer than a session', false, NOW - MINUTES_90, true],
  ])('decides about %s', (_, isProven, createdAt, expected) => {
    expect(countsForStepHealth(isProven, createdAt, NOW)).toBe(expected);
  });
});

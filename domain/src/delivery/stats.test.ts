import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, startOfDay, toDate } from '../basics/time-zone.ts';
import { computeNps, parseDayRange } from './stats.ts';

const NOW = Date.UTC(2029, 3, 7, 12, 18);
const TODAY = dayOf(NOW);
const at = (text: string) => Date.parse(text);

describe('days', () => {
  it('starts a day at midnight in UTC', () => {
    expect(toDate(TODAY)).toBe('2029-04-07');
    expect(dayOf(at('2029-04-07T00:00:00.000Z'))).toBe(TODAY);
    expect(dayOf(at('2029-04-07T23:59:59.999Z'))).toBe(TODAY);
    expect(dayOf(at('2029-04-08T01:59:59.999+02:00'))).toBe(TODAY);
    fc.assert(fc.property(fc.nat(100_000), (day) => dayOf(startOfDay(day)) === day));
  });

  it('is the day of the time zone, and a date means itself in each', () => {
    const now = at('2029-04-07T23:00:00Z');
    expect(parseDayRange({}, now, 'Asia/Tokyo')).toEqual({ first: TODAY - 28, last: TODAY + 1 });
    const from = at('2029-04-07');
    expect(parseDayRange({ from, until: now }, now, 'Asia/Tokyo')).toEqual({ first: TODAY, last: TODAY + 1 });
    expect(parseDayRange({ from }, now, 'America/Lima')).toEqual({ first: TODAY, last: TODAY });
  });

  it('defaults to the last 30 days', () => {
    expect(parseDayRange({}, NOW)).toEqual({ first: TODAY - 29, last: TODAY });
    const until = at('2029-01-31T10:00:00Z');
    expect(parseDayRange({ until }, NOW)).toEqual({ first: dayOf(until) - 29, last: dayOf(until) });
    expect(parseDayRange({ until: 1000 }, NOW)).toEqual({ first: 0, last: 0 });
  });

  it('includes the first and the last day as whole days', () => {
    const range = parseDayRange({ from: at('2029-04-05T23:59:59Z'), until: at('2029-04-07T00:00:00Z') }, NOW);
    expect(range).toEqual({ first: TODAY - 2, last: TODAY });
    expect(parseDayRange({ from: NOW, until: NOW }, NOW)).toEqual({ first: TODAY, last: TODAY });
  });

  it('rejects more than 366 days, and `from` after `until`', () => {
    const from = startOfDay(TODAY - 365);
    expect(parseDayRange({ from }, NOW)).toEqual({ first: TODAY - 365, last: TODAY });
    expect(parseDayRange({ from: from - 1 }, NOW)).toEqual({
      problem: expect.stringContaining('are 367 days: 366 at most'),
    });
    expect(parseDayRange({ from: NOW, until: startOfDay(TODAY - 1) }, NOW)).toEqual({
      problem: '`from` must not be after `until`',
    });
    expect(parseDayRange({ from: startOfDay(TODAY + 1) }, NOW)).toEqual({
      problem: '`from` must not be after `until`, which is now',
    });
  });
});

describe('computeNps', () => {
  const each = (values: number[]) => computeNps(values.map((value) => ({ value: String(value), count: 1 })));

  it('counts 9 and 10 as promoters, 7 and 8 as passives, the others as detractors', () => {
    const all = each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(all).toEqual({ score: -45, promoters: 2, passives: 2, detractors: 7, count: 11 });
    expect(
      computeNps([
        { value: '10', count: 3 },
        { value: '7', count: 1 },
      ]),
    ).toMatchObject({ score: 75, count: 4 });
  });

  it('returns null without valid answers', () => {
    expect(computeNps([])).toBeNull();
    const strange = [null, '', '11', '-1', '9.5', ' 9', 'x', '010'];
    expect(computeNps(strange.map((value) => ({ value, count: 1 })))).toBeNull();
  });

  it('returns a score from -100 to 100, which is negated with the answers', () => {
    const answers = fc.array(fc.constantFrom(0, 7, 10), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(answers, (values) => {
        const score = each(values)?.score ?? Number.NaN;
        expect(Math.abs(score)).toBeLessThanOrEqual(100);
        const turned = each(values.map((value) => (value === 7 ? 7 : 10 - value)))?.score ?? Number.NaN;
        expect(turned + score).toBe(0);
      }),
    );
    expect(each([10, 10])?.score).toBe(100);
    expect(each([0])?.score).toBe(-100);
    expect(Object.is(each([7])?.score, 0)).toBe(true);
  });
});

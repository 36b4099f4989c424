import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ago } from './merge.ts';
import { agoUnits, timeAgo } from './time-ago.ts';

const now = Date.parse('2029-04-07T12:00:00.000Z');
const at = (value: unknown, ago: Ago = 'words', language: string | null = 'en') => timeAgo(value, ago, now, language);

it('says how long ago a time was in the longest unit that has passed', () => {
  const expected: Record<string, string> = {
    '2029-04-07T12:00:00.000Z': 'now',
    '2029-04-07T11:59:01.000Z': 'now',
    '2029-04-07T11:59:00.000Z': '1 minute ago',
    '2029-04-07T09:30:00.000Z': '2 hours ago',
    '2029-04-06T12:00:00.000Z': '1 day ago',
    '2029-03-20T12:00:00.000Z': '2 weeks ago',
    '2029-03-07T12:00:00.000Z': '1 month ago',
    '2029-03-07T12:00:00.001Z': '4 weeks ago',
    '2027-04-07T12:00:00.001Z': '1 year ago',
    '2027-04-07': '2 years ago',
    '2029-04-10T12:00:00.000Z': 'in 3 days',
  };
  expect(Object.fromEntries(Object.keys(expected).map((time) => [time, at(time)]))).toEqual(expected);
});

it('follows the language of the user, and is in English where that is unknown', () => {
  const inLanguage = (language: string | null) => at('2029-04-04T12:00:00.000Z', 'words', language);
  const languages = ['de', 'de-CH', 'pt_BR', 'ja', 'ar', 'en-US', null, '', 'x', '🦊', 'de-'.repeat(30), 'qaa'];
  expect(languages.map(inLanguage)).toEqual([
    ...['vor 3 Tagen', 'vor 3 Tagen', 'há 3 dias', '3 日前', 'قبل 3 أيام', '3 days ago', '3 days ago', '3 days ago'],
    ...['3 days ago', '3 days ago', '3 days ago', expect.stringContaining('3')],
  ]);
});

it('counts whole units, which are negative for a time that is still to come', () => {
  const count = (time: string) => agoUnits.map((unit) => at(time, unit));
  expect(count('2028-01-06T10:30:30.500Z')).toEqual([1, 15, 65, 457, 10969, 658169, 39490169]);
  expect(count('2029-04-07T12:00:00.000Z')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(count('2029-04-08T12:00:00.001Z')).toEqual([0, 0, 0, -1, -24, -1440, -86400]);
  expect(at('2029-03-31T12:00:00.000Z', 'months')).toBe(0);
  expect(at('2031-04-07T12:00:00.000Z', 'years')).toBe(-2);
});

it('has no value for what is no time', () => {
  const values = [undefined, null, '', 'soon', 5, 1_800_000_000, true, ['2029-04-07'], {}, '2029-02-30', '12'];
  expect(values.map((value) => at(value))).toEqual(values.map(() => undefined));
});

it('agrees with itself in all units, for any two times', () => {
  const time = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
  fc.assert(
    fc.property(time, time, (one, other) => {
      const [from, to] = [one.toISOString(), other.getTime()];
      const [years = 0, months = 0, weeks = 0, days = 0] = agoUnits.map((unit) =>
        Number(timeAgo(from, unit, to, 'en')),
      );
      expect(years).toBe(Math.trunc(months / 12) || 0);
      expect(weeks).toBe(Math.trunc(days / 7) || 0);
      // A month has 28 to 31 days.
      expect(Math.abs(months)).toBeLessThanOrEqual(Math.abs(days) / 28);
      expect(Math.abs(months) + 1).toBeGreaterThanOrEqual(Math.abs(days) / 31);
      expect(typeof timeAgo(from, 'words', to, 'en')).toBe('string');
    }),
  );
});

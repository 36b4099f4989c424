import { expect, it } from 'vitest';
import { formatCompact, formatEstimate } from '../messages/format.ts';
import { describeCount, describeCountShortly, formatPeople } from './describe-count.ts';

it('writes large numbers in few letters, in the language of the reader', () => {
  expect([0, 999, 9999, 10_000, 120_334, 1_203_345, 12_345_678].map((value) => formatCompact(value, 'en'))).toEqual([
    '0',
    '999',
    '9,999',
    '10K',
    '120K',
    '1.2M',
    '12M',
  ]);
  expect(formatCompact(1_203_345, 'de')).toBe('1,2\u00a0Mio.');
});

it('rounds estimates', () => {
  expect([7, 123, 123_456].map((value) => formatEstimate(value, 'en'))).toEqual(['7', '120', '120,000']);
});

it('says "about" for people who were not all counted', () => {
  const counted = { count: 40_123, is_complete: false, estimate: 1_203_345 };
  expect(describeCount(counted)).toBe('About 1,200,000 people');
  expect(describeCountShortly(counted)).toBe('About 1.2M people');
  expect(formatPeople(counted)).toBe('about 1,200,000');
});

it('says the number of people who were all counted', () => {
  expect(describeCount({ count: 1, is_complete: true, estimate: 1 })).toBe('1 person');
  expect(describeCount({ count: 40_123 })).toBe('40,123 people');
  expect(describeCountShortly({ count: 40_123 })).toBe('40K people');
  expect(formatPeople({ count: 40_123, is_complete: true })).toBe('40,123');
});

import { describe, expect, it } from 'vitest';
import { formatValue, shortenValue } from '../../people/format-value.ts';
import type { PersonProperty } from '../../people/person-details.ts';
import { describeDevice, describeZone } from './describe-device.ts';
import { describeTest } from './describe-test.ts';
import { findProperties } from './overview/find-properties.ts';
import { entrySentence } from './timeline/entry-sentence.ts';
import { groupDays } from './timeline/group-days.ts';

describe('formatValue', () => {
  it.each([
    ['pro', 'string', { kind: 'plain', text: 'pro' }],
    ['', 'string', { kind: 'plain', text: 'Empty text', isWord: true }],
    [true, 'boolean', { kind: 'plain', text: 'Yes' }],
    [false, 'boolean', { kind: 'plain', text: 'No' }],
    [2026, 'integer', { kind: 'plain', text: '2026' }],
    [1234567, 'integer', { kind: 'plain', text: '1,234,567' }],
    [0.1234567891, 'number', { kind: 'plain', text: '0.1234567891' }],
    [1e21, 'number', { kind: 'plain', text: '1,000,000,000,000,000,000,000' }],
    ['2026-01-02T03:04:05.000Z', 'timestamp', { kind: 'time', time: '2026-01-02T03:04:05.000Z' }],
    ['2026-01-02T03:04:05.000Z', 'string', { kind: 'plain', text: '2026-01-02T03:04:05.000Z' }],
    ['no time', 'timestamp', { kind: 'plain', text: 'no time' }],
    [['a', true, 10000], 'array', { kind: 'list', items: ['a', 'Yes', '10,000'] }],
    [[], 'array', { kind: 'plain', text: 'Empty list', isWord: true }],
    [{ a: { b: 1 } }, 'object', { kind: 'object', text: '{\n  "a": {\n    "b": 1\n  }\n}' }],
    ['javascript:alert(1)', 'string', { kind: 'plain', text: 'javascript:alert(1)' }],
  ])('shows %j of type %s', (value, type, shown) => {
    expect(formatValue(value, type)).toEqual(shown);
  });
});

describe('shortenValue', () => {
  it('leaves short values as they are', () => {
    for (const value of ['x'.repeat(160), ['a', 'b'], { a: 1 }, 5])
      expect(shortenValue(formatValue(value))).toBe(undefined);
  });

  it('keeps the beginning of long ones, with whole characters', () => {
    const text = `${'x'.repeat(159)}😀 and more`;
    expect(shortenValue(formatValue(text))).toEqual({ kind: 'plain', text: `${'x'.repeat(159)}…` });
    const list = [...Array(20).keys()].map(String);
    expect(shortenValue(formatValue(list))).toEqual({ kind: 'list', items: [...list.slice(0, 12), '…'] });
    const object = Object.fromEntries(list.map((key) => [`k${key}`, 1]));
    expect(shortenValue(formatValue(object))).toMatchObject({
      text: expect.stringMatching(/^\{\n( {2}"k\d": 1,\n){7}…$/),
    });
  });
});

describe('the browser of a person', () => {
  it.each([
    ['chrome', 'desktop', 1280, 'Chrome on a computer, window 1,280 pixels wide'],
    ['safari', 'mobile', null, 'Safari on a phone or tablet'],
    ['ie11', null, null, 'Internet Explorer 11'],
    [null, 'mobile', null, 'On a phone or tablet'],
    [null, null, 375, 'Window 375 pixels wide'],
    [null, null, null, undefined],
  ] as const)('%s, %s, %s is described as "%s"', (browser_n, browser_k, browser_x, said) => {
    expect(describeDevice({ browser_n, browser_k, browser_x })).toBe(said);
  });

  it.each([
    [0, 'UTC'],
    [2, 'UTC+2'],
    [-5, 'UTC−5'],
  ])('a time zone of %i hours is %s', (hours, said) => {
    expect(describeZone(hours)).toBe(said);
  });
});

it('says what decides whether somebody is a test user', () => {
  expect(describeTest({ test: null, is_test: true })).toMatch(/^Yes: .*pattern/);
  expect(describeTest({ test: null, is_test: false })).toMatch(/^No: .*pattern/);
  expect(describeTest({ test: true, is_test: true })).toBe('Yes, set for this person');
  expect(describeTest({ test: false, is_test: false })).toBe('No, set for this person');
});

it('finds properties by name, key and value', () => {
  const property = (prop: string, name: string, value: unknown): PersonProperty => ({
    ...{ prop, name, value, type: 'string' },
    ...{ sent_at: null, source: null, is_proven: null },
  });
  const all = [
    property('plan', 'Plan', 'Pro'),
    property('seats', 'Seats', 12),
    property('teams', 'Teams', ['Sales', 'Support']),
  ];
  const found = (search: string) => findProperties(all, search).map(({ prop }) => prop);
  expect(found('')).toEqual(['plan', 'seats', 'teams']);
  expect(found('PLAN pro')).toEqual(['plan']);
  expect(found('12')).toEqual(['seats']);
  expect(found('support')).toEqual(['teams']);
  expect(found('nothing')).toEqual([]);
});

describe('the timeline', () => {
  it('is grouped by the days of the reader', () => {
    const at = (...[month, day, hour]: [number, number, number]) => ({
      at: new Date(2026, month, day, hour).toISOString(),
    });
    const now = new Date(2026, 2, 1, 12).getTime();
    const days = groupDays([at(2, 1, 11), at(2, 1, 0), at(1, 28, 23), at(1, 27, 5)], now);
    expect(days.map(({ title, entries }) => [title, entries.length])).toEqual([
      ['Today', 2],
      ['Yesterday', 1],
      [expect.stringMatching(/^Friday, .*2026/), 1],
    ]);
  });

  it('says what happened, also to an Experience that is gone', () => {
    const experience = { id: 'a', kind: 'tour', name: 'Welcome', is_deleted: false } as const;
    expect(entrySentence({ kind: 'completed', experience })).toBe('Completed tour');
    const gone = { ...experience, name: null, is_deleted: true };
    expect(entrySentence({ kind: 'completed', experience: gone })).toBe('Completed a tour that was deleted');
    expect(entrySentence({ kind: 'completed', experience: null })).toBe('Completed an Experience that was deleted');
    expect(entrySentence({ kind: 'cleared', experience: null })).toBe('History was cleared');
  });
});

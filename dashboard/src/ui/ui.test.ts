import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatDate,
  formatExactTime,
  formatNumber,
  formatPercent,
  formatRelativeTime,
} from '../messages/format.ts';
import { displayKeys } from './display-keys.ts';
import { fitColumns } from './fit-columns.ts';
import { initialsOf } from './initials-of.ts';
import { keyName } from './key-name.ts';
import { matchesWords } from './matches-words.ts';

describe('formatRelativeTime', () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;
  it.each([
    [-10_000, 'now'],
    [-MINUTE, '1 minute ago'],
    [-5 * HOUR, '5 hours ago'],
    [-DAY, 'yesterday'],
    [3 * DAY, 'in 3 days'],
    [-40 * DAY, 'May 6, 2026'],
  ])('shows %i ms as %s', (difference, expected) => {
    expect(formatRelativeTime(new Date(now + difference), now, 'en-US')).toBe(expected);
  });

  it('uses the words of the reader', () => {
    expect(formatRelativeTime(new Date(now - 5 * HOUR), now, 'de')).toBe('vor 5 Stunden');
  });
});

describe('numbers and dates', () => {
  it('are written as the reader writes them', () => {
    expect(formatNumber(1204, {}, 'en-US')).toBe('1,204');
    expect(formatNumber(1204, {}, 'de')).toBe('1.204');
    expect(formatPercent(0.125, 'en-US')).toBe('12.5%');
    expect(formatBytes(3_500_000, 'en-US')).toBe('3.5 MB');
    expect(formatBytes(12, 'en-US')).toBe('12 byte');
    expect(formatDate(new Date(0), 'en-US', 'UTC')).toBe('Jan 1, 1970');
  });

  it('have the time zone in the exact time', () => {
    expect(formatExactTime(new Date(0), 'en-US', 'UTC')).toBe('Thursday, January 1, 1970 at 12:00:00 AM UTC');
  });
});

describe('matchesWords', () => {
  it.each([
    ['Your devices Settings', 'set dev', true],
    ['Übersicht', 'ubers', true],
    ['Home', '', true],
    ['Home', 'settings', false],
    ['app.example.com', 'example', true],
  ])('"%s" for "%s": %s', (text, query, expected) => {
    expect(matchesWords(text, query)).toBe(expected);
  });
});

describe('keys', () => {
  it('are named as on the keyboard of the reader', () => {
    expect(displayKeys('mod+k', true)).toEqual(['⌘', 'K']);
    expect(displayKeys('mod+k', false)).toEqual(['Ctrl', 'K']);
    expect(displayKeys('g h', false)).toEqual(['G', 'H']);
  });

  it('have one name, whatever Shift and the case are', () => {
    const none = { ctrlKey: false, metaKey: false, altKey: false };
    expect(keyName({ ...none, key: 'K', metaKey: true })).toBe('mod+k');
    expect(keyName({ ...none, key: 'k', ctrlKey: true })).toBe('mod+k');
    expect(keyName({ ...none, key: '?' })).toBe('?');
    expect(keyName({ ...none, key: 'ArrowDown' })).toBe('down');
  });
});

it.each([
  ['Ann Lee', 'AL'],
  ['ann', 'A'],
  ['Ann Mary van Lee', 'AL'],
  ['', ''],
  ['👩‍🚀 Ann', 'A'],
  ['Pat <img src=x>', 'PS'],
  ['Pat <', 'P'],
  ['(Ann) "Lee"', 'AL'],
  ['محمد علي', 'مع'],
  ['李 4', '李4'],
  ['ßeta', 'S'],
  ['\u202e <>&"', ''],
])('takes the initials of "%s"', (name, expected) => {
  expect(initialsOf(name)).toBe(expected);
});

it.each([
  [undefined, 'name state live changed actions'],
  [620, 'name state live changed actions'],
  [619, 'name state live actions'],
  [399, 'name state actions'],
  [100, 'name state actions'],
])('shows the columns that fit into %s pixels', (width, expected) => {
  const columns = [
    { id: 'name', width: '2fr', minWidth: 180 },
    { id: 'state' },
    { id: 'live', width: 72, isSecondary: true },
    { id: 'changed', minWidth: 220, isSecondary: true },
    { id: 'actions', width: 52 },
  ];
  expect(
    fitColumns(columns, width)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(expected);
});

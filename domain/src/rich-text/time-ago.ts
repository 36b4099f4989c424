import { canonicalLanguage } from '../account/language.ts';
import { memoize } from '../basics/memoize.ts';
import { type Millis, parseIso } from '../basics/time.ts';
import type { Ago, AgoUnit } from './merge.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const fixedUnits: Partial<Record<AgoUnit, Millis>> = {
  weeks: 7 * DAY_MS,
  days: DAY_MS,
  hours: HOUR_MS,
  minutes: 60 * SECOND_MS,
  seconds: SECOND_MS,
};
/** From the longest. */
export const agoUnits: readonly AgoUnit[] = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];

/**
 * How long ago a stored time was: in words of a language, or as a whole number of a unit, which is negative for a time that is
 * still to come. Undefined if the value is no time.
 */
export function timeAgo(
  value: unknown,
  ago: Ago,
  now: Millis,
  language: string | null | undefined,
): string | number | undefined {
  const time = typeof value === 'string' ? parseIso(value) : undefined;
  if (time === undefined) return undefined;
  return ago === 'words' ? inWords(time, now, language) : countUnits(time, now, ago);
}

/** Whole units from one time to another. Months and years are those of the calendar, in UTC. */
function countUnits(from: Millis, to: Millis, unit: AgoUnit): number {
  const length = fixedUnits[unit];
  const count = length ? (to - from) / length : countMonths(from, to) / (unit === 'years' ? 12 : 1);
  // Not -0, which is a number of its own.
  return Math.trunc(count) || 0;
}

function countMonths(from: Millis, to: Millis): number {
  if (from > to) return -countMonths(to, from);
  const [start, end] = [new Date(from), new Date(to)];
  const months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  // The last month is whole when the day and the time of day are reached.
  const withinMonth = (date: Date) => date.toISOString().slice(-16);
  return withinMonth(end) < withinMonth(start) ? months - 1 : months;
}

/** In the longest unit that has passed at least once. The server and the preview write the same. */
function inWords(time: Millis, now: Millis, language: string | null | undefined): string {
  const { words, present } = formatsFor(language?.trim().replaceAll('_', '-') ?? '');
  for (const unit of agoUnits) {
    const count = countUnits(time, now, unit);
    if (count !== 0 && unit !== 'seconds') return words.format(-count, unit);
  }
  return present;
}

/** Creating a format takes 20 times as long as using it. */
const formatsFor = memoize((language) => {
  const code = canonicalLanguage(language) ?? 'en';
  const words = new Intl.RelativeTimeFormat(code, { numeric: 'always' });
  return { words, present: new Intl.RelativeTimeFormat(code, { numeric: 'auto' }).format(0, 'second') };
}, 100);

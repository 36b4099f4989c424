import { dayOf, toDate } from '@usher/domain';
import { useSearchParams } from 'wouter';

const DAY_MS = 24 * 60 * 60_000;
const MAX_DAYS = 366;
export const presets = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

/** A range of days in the time zone of the account, both included, such as `2029-04-07`. */
export interface Range {
  from: string;
  until: string;
  /** The number of days until today, if the range ends today and is one of the presets. */
  days: number | undefined;
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function addDays(day: string, days: number): string {
  return toDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

export function countDays({ from, until }: Pick<Range, 'from' | 'until'>): number {
  return Math.round((Date.parse(`${until}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;
}

/** With more days, columns would be too narrow to be compared. */
const MAX_COLUMNS_OF_DAYS = 62;

export function periodOf(range: Pick<Range, 'from' | 'until'>): 'day' | 'week' {
  return countDays(range) > MAX_COLUMNS_OF_DAYS ? 'week' : 'day';
}

/** Reads the range from the address. An invalid range means the default. */
export function readRange(params: URLSearchParams, today: string): Range {
  const [from, until] = [params.get('from') ?? '', params.get('until') ?? ''];
  if (problemWith(from, until, today) === undefined) return { from, until, days: undefined };
  const asked = Number(params.get('days'));
  const days = presets.find((one) => one === asked) ?? DEFAULT_DAYS;
  return { from: addDays(today, 1 - days), until: today, days };
}

/** Why a range cannot be shown. */
export function problemWith(
  from: string,
  until: string,
  today: string,
): 'missing' | 'future' | 'wrong' | 'long' | undefined {
  if (!isDay(from) || !isDay(until)) return 'missing';
  if (until > today) return 'future';
  if (from > until) return 'wrong';
  return countDays({ from, until }) > MAX_DAYS ? 'long' : undefined;
}

function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time) && toDay(time) === day;
}

/** The range is in the address, so that a link shows the same results, and "back" restores the previous range. */
export function useRange(timeZone: string | undefined) {
  const [params, setParams] = useSearchParams();
  // As the server counts days.
  const today = toDate(dayOf(Date.now(), timeZone));
  const change = (values: Record<string, string>) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      for (const name of ['days', 'from', 'until']) next.delete(name);
      for (const [name, value] of Object.entries(values)) next.set(name, value);
      return next;
    });
  return {
    today,
    range: readRange(params, today),
    setDays: (days: number) => change(days === DEFAULT_DAYS ? {} : { days: String(days) }),
    setOwn: (from: string, until: string) => change({ from, until }),
  };
}

/** Milliseconds since 1970 in UTC: the type of all times in the code. */
export type Millis = number;

const MIN_TIME: Millis = Date.parse('0000-01-01T00:00:00.000Z');
const MAX_TIME: Millis = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const MINUTE_MS = 60_000;
const unitMillis: Record<string, number> = {
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 24 * 60 * MINUTE_MS,
  w: 7 * 24 * 60 * MINUTE_MS,
};

// Forms and URLs turn an unescaped `+` into a space, so a space stands for it.
const calendar =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z| ?UTC| ?[+-]\d{2}(?::?\d{2})?| \d{2}(?::?\d{2})?)?)?$/;
const isoStart = /^\d{4}-\d{2}-\d{2}(?:[Tt ]|$)/;
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const interval = /^[+ ](\d{1,9})([mhdw])$/;
const unixSeconds = /^\d{1,12}(?:\.\d{1,9})?$/;

/** The clocks of nodes differ by less than this. */
export const MAX_CLOCK_SKEW_MS: Millis = MINUTE_MS;

/** Whether a stored time is in the future, because the clock that it comes from was ahead. Such a time is not continued. */
export function isFromWrongClock(stored: Millis, now: Millis): boolean {
  return stored - now > MAX_CLOCK_SKEW_MS;
}

/** Whether something happened less than `ms` before now. */
export function isRecent(stored: Millis, now: Millis, ms: Millis): boolean {
  return now - stored < ms && !isFromWrongClock(stored, now);
}

/** Returns the later of the two times, so that a report that arrives late does not move the stored time back. */
export function laterOf(stored: Millis | null, at: Millis): Millis {
  return stored === null || isFromWrongClock(stored, at) ? at : Math.max(stored, at);
}

/** The `updated_at` of a change. It always differs from the previous one, because clients compare the two to see what has changed. */
export function nextUpdatedAt(before: Millis, now: Millis): Millis {
  return isFromWrongClock(before, now) ? now : Math.max(now, before + 1);
}

/** The only format in which times are written: ISO 8601 in UTC, always with milliseconds. */
export function toTimestamp(time: Millis): string {
  const second = Math.floor(time / 1000);
  // Most times are in the current second, and formatting the date takes longest.
  let start = startsOfSeconds.get(second);
  if (start === undefined) {
    if (startsOfSeconds.size >= 100) startsOfSeconds.clear();
    start = new Date(second * 1000).toISOString().slice(0, -4);
    startsOfSeconds.set(second, start);
  }
  return `${start}${String(Math.floor(time) - second * 1000).padStart(3, '0')}Z`;
}

const startsOfSeconds = new Map<number, string>();

export function toTimestampOrNull(time: Millis | null): string | null {
  return time === null ? null : toTimestamp(time);
}

/** Whether a text is a time in the format of `toTimestamp`. Two such texts compare as their times do. */
export function isTimestamp(text: string): boolean {
  return text.length === 24 && timestampPattern.test(text);
}

const dayInEveryMonth = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Whether a text is a timestamp that exists without a look at the calendar. This is fast, and true for most times. */
export function isCertainlyTime(text: string): boolean {
  return text.length === 24 && dayInEveryMonth.test(text) && text >= '0100';
}

/** Reads ISO 8601 or `YYYY-MM-DD HH:MM:SS`: a date, or a date with a time of day, with a year of four digits. */
export function parseIso(text: string): Millis | undefined {
  const time = isoStart.test(text) ? parseCalendar(text) : undefined;
  return time !== undefined && time >= MIN_TIME && time <= MAX_TIME ? time : undefined;
}

/**
 * Reads the time in a parameter: ISO 8601, `YYYY-MM-DD HH:MM:SS`, a date, Unix seconds, `$now`, or an
 * interval from now such as `+30d`. Times without a zone are UTC. Anything else is undefined.
 */
export function parseTime(input: unknown, now: Millis): Millis | undefined {
  const time = readTime(input, now);
  return time !== undefined && time >= 0 && time <= MAX_TIME ? time : undefined;
}

function readTime(input: unknown, now: Millis): Millis | undefined {
  if (typeof input === 'number') return Number.isFinite(input) ? Math.round(input * 1000) : undefined;
  if (typeof input !== 'string') return undefined;
  // The usual format, which parseCalendar reads in ten times the time.
  if (isCertainlyTime(input)) return Date.parse(input);
  if (input === '$now') return now;
  if (unixSeconds.test(input)) return Math.round(Number(input) * 1000);
  const step = interval.exec(input);
  if (step) return now + Number(step[1]) * (unitMillis[step[2] ?? ''] ?? Number.NaN);
  return parseCalendar(input);
}

function parseCalendar(text: string): Millis | undefined {
  const parts = calendar.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = parts;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // Date.UTC turns 30 February into a day in March, so a day that does not exist comes back different.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(`${year}-${month}-${day}`))
    return undefined;
  // ISO 8601 has no space before a zone.
  if (/^ (?:[+-]|UTC)|^UTC/.test(zone) && text[10] !== ' ') return undefined;
  const offset = zoneMillis(zone);
  if (offset === undefined) return undefined;
  const clock = (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Number(second) * 1000;
  return midnight + clock + Number(fraction.padEnd(3, '0').slice(0, 3)) - offset;
}

function zoneMillis(text: string): number | undefined {
  if (/Z|UTC/i.test(text)) return 0;
  // `+0200` may stand after a space.
  const zone = text.replace(/^ (?=[+-])/, '');
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 15 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

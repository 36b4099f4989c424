import { memoize } from './memoize.ts';
import { type Millis, toTimestamp } from './time.ts';

/** The time zone of an account until its owner chooses another one. */
export const DEFAULT_TIME_ZONE = 'UTC';

const DAY_MS: Millis = 24 * 60 * 60_000;
const HOUR_MS: Millis = 60 * 60_000;

const formatterOf = memoize(
  (timeZone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
      ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
    }),
);

/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    return formatterOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** What a clock in a time zone shows, as if it were UTC. */
function toLocal(time: Millis, timeZone: string): Millis {
  const parts = formatterOf(timeZone).formatToParts(time);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
}

/** The day in a time zone, counted since 1970. */
export function dayOf(time: Millis, timeZone = DEFAULT_TIME_ZONE): number {
  return Math.floor((timeZone === DEFAULT_TIME_ZONE ? time : toLocal(time, timeZone)) / DAY_MS);
}

/** When a day begins in a time zone. Where clocks are put forward at midnight, it begins an hour later. */
export function startOfDay(day: number, timeZone = DEFAULT_TIME_ZONE): Millis {
  const midnight = day * DAY_MS;
  if (timeZone === DEFAULT_TIME_ZONE) return midnight;
  let time = midnight;
  // The second time with the offset of the place that the first time has found.
  for (let round = 0; round < 2; round++) time = midnight - (toLocal(time, timeZone) - time);
  return dayOf(time, timeZone) < day ? time + HOUR_MS : time;
}

/** Formats a day as `2029-04-07`. */
export function toDate(day: number): string {
  return toTimestamp(startOfDay(day)).slice(0, 10);
}

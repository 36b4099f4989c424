/** How long a column of a chart is. A week is named by its first day; the first one can be shorter. */
export type ChartPeriod = 'day' | 'week';

const DAY_MS = 24 * 60 * 60_000;
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(globalThis.navigator?.language, { ...options, timeZone: 'UTC' });
const whole = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** `2029-04-07` is "Sat, Apr 7, 2029". */
export function formatDay(day: string): string {
  return formatter({ weekday: 'short', ...whole }).format(dateOf(day));
}

/** `2029-04-07` is "Apr 7". */
export function formatShortDay(day: string): string {
  return formatter({ day: 'numeric', month: 'short' }).format(dateOf(day));
}

/** A column: a day, or the days until the next column. "Apr 7 – 13, 2029". */
export function formatColumn(columns: readonly string[], at: number, period: ChartPeriod, until: string): string {
  const first = columns[at] ?? '';
  if (period === 'day') return formatDay(first);
  const next = columns[at + 1];
  const last = next === undefined ? dateOf(until) : new Date(dateOf(next).getTime() - DAY_MS);
  return formatter(whole).formatRange(dateOf(first), last);
}

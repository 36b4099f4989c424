/** The reader's language. */
function language(): string | undefined {
  return globalThis.navigator?.language;
}

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}, locale = language()): string {
  return new Intl.NumberFormat(locale, options).format(value);
}

/** "9,900", "120K", "1.2M": for narrow places. Show the whole number on hover, too. */
export function formatCompact(value: number, locale = language()): string {
  if (Math.abs(value) < 10_000) return formatNumber(value, {}, locale);
  return formatNumber(value, { notation: 'compact' }, locale);
}

/** An estimate has two digits that mean something: "120,000". */
export function formatEstimate(value: number, locale = language()): string {
  return formatNumber(value, { maximumSignificantDigits: 2 }, locale);
}

/** "Owners, editors and viewers". */
export function formatList(items: readonly string[], locale = 'en-GB'): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(items);
}

/** `0.125` is 12.5%. */
export function formatPercent(share: number, locale = language()): string {
  return formatNumber(share, { style: 'percent', maximumFractionDigits: 1 }, locale);
}

/** `3_500_000` is 3.5 MB. */
export function formatBytes(bytes: number, locale = language()): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const options = {
    style: 'unit',
    unit: units[step],
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  } as const;
  return formatNumber(bytes / 1000 ** step, options, locale);
}

/** A short time for sentences. */
export function formatTime(time: Date, locale = language(), timeZone?: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat(locale, options).format(time);
}

/** A time with its time zone, for tooltips and screen readers. */
export function formatExactTime(time: Date, locale = language(), timeZone?: string): string {
  const options = { dateStyle: 'full', timeStyle: 'long', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat(locale, options).format(time);
}

export function formatDate(time: Date, locale = language(), timeZone?: string): string {
  const options = { dateStyle: 'medium', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat(locale, options).format(time);
}

/** A date with the time of day, without seconds. */
export function formatDateTime(time: Date, locale = language(), timeZone?: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat(locale, options).format(time);
}

/** The time of day, for something that happens within an hour or so. */
export function formatTimeOfDay(time: Date, locale = language(), timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...(timeZone && { timeZone }) }).format(time);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, until: number][] = [
  ['second', 1000, 45_000],
  ['minute', MINUTE, 45 * MINUTE],
  ['hour', HOUR, 22 * HOUR],
  ['day', DAY, 26 * DAY],
];

/** "3 minutes ago", "in 2 days"; after a month, a date. Less than a minute is "now". */
export function formatRelativeTime(time: Date, now: number, locale = language()): string {
  const difference = time.getTime() - now;
  const [unit, ms] = steps.find(([, , until]) => Math.abs(difference) < until) ?? [];
  if (!unit || !ms) return formatDate(time, locale);
  const count = unit === 'second' ? 0 : Math.round(difference / ms);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(count, unit);
}

/** "12 s", "3 min", "2 h", "5 days". */
export function formatSeconds(seconds: number): string {
  const units = [
    ['day', 86_400, 172_800],
    ['hour', 3600, 6000],
    ['minute', 60, 100],
  ] as const;
  const [unit, size] = units.find(([, , least]) => seconds >= least) ?? ['second', 1];
  const count = seconds / size;
  const maximumFractionDigits = count < 10 && unit !== 'second' ? 1 : 0;
  return formatNumber(count, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits });
}

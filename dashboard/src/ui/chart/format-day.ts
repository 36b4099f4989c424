const format = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(globalThis.navigator?.language, { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** `2029-04-07` is "Sat, Apr 7, 2029". */
export function formatDay(day: string): string {
  return format(day, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}

/** `2029-04-07` is "Apr 7". */
export function formatShortDay(day: string): string {
  return format(day, { day: 'numeric', month: 'short' });
}

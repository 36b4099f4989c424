import { formatNumber } from './format.ts';
import * as text from './text.ts';

const DAY_HOURS = 24;
type Unit = 'hours' | 'days';

/** Splits a typed period, such as `2 days`, into its number and its unit. */
export function splitPeriod(period: string): { count: string; unit: Unit } {
  const [count = '', unit] = period.split(' ');
  return { count, unit: unit === 'days' ? 'days' : 'hours' };
}

/** Describes a number of hours. Whole days are shown as days from two days on. */
export function periodOf(hours: number): string {
  const isDays = hours >= 2 * DAY_HOURS && hours % DAY_HOURS === 0;
  return isDays ? `${hours / DAY_HOURS} days` : `${hours} hours`;
}

export function hoursOf(period: string): number {
  const { count, unit } = splitPeriod(period);
  return Number(count.replace(',', '.')) * (unit === 'days' ? DAY_HOURS : 1);
}

/** "2 days", with the number in the reader's language. */
export function describePeriod(period: string): string {
  const { count, unit } = splitPeriod(period);
  const number = Number(count.replace(',', '.'));
  return text.limits.period(Number.isFinite(number) ? formatNumber(number) : count, unit);
}

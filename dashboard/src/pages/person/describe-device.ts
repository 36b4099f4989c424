import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import type { PersonDetails } from '../../people/person-details.ts';

const words = text.person.device;

/** "Chrome on a computer, window 1,280 pixels wide"; undefined if no page has reported anything. */
export function describeDevice({
  browser_n,
  browser_k,
  browser_x,
}: Pick<PersonDetails, 'browser_n' | 'browser_k' | 'browser_x'>): string | undefined {
  const name = browser_n === null ? undefined : (words.names[browser_n] ?? browser_n);
  const kind = browser_k === null ? undefined : (words.kinds[browser_k] ?? browser_k);
  const device = name !== undefined && kind !== undefined ? words.on(name, kind) : (name ?? (kind && words.onA(kind)));
  const width = browser_x === null ? undefined : words.width(formatNumber(browser_x));
  const said = [device, width].filter((part) => part !== undefined).join(', ');
  return said === '' ? undefined : `${said.charAt(0).toLocaleUpperCase()}${said.slice(1)}`;
}

/** Pages send whole hours: `2` is "UTC+2". */
export function describeZone(hours: number): string {
  if (hours === 0) return 'UTC';
  return `UTC${hours > 0 ? '+' : '−'}${Math.abs(hours)}`;
}

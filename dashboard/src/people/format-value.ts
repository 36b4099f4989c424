import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';

const words = text.person.properties;

/** A value as it is shown. Lists keep their items, and times can be shown relative to now. */
export type ShownValue =
  | { kind: 'plain'; text: string; isWord?: boolean }
  | { kind: 'time'; time: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'object'; text: string };

/** Customers send these values, so a text is shown as it is: an address in it does not become a link. */
export function formatValue(value: unknown, type?: string): ShownValue {
  if (Array.isArray(value)) {
    if (value.length === 0) return { kind: 'plain', text: words.emptyList, isWord: true };
    return { kind: 'list', items: value.map((one) => scalarText(one)) };
  }
  if (typeof value === 'object' && value !== null) return { kind: 'object', text: JSON.stringify(value, null, 2) };
  if (value === '') return { kind: 'plain', text: words.emptyText, isWord: true };
  if (type === 'timestamp' && isTime(value)) return { kind: 'time', time: value };
  return { kind: 'plain', text: scalarText(value) };
}

function scalarText(value: unknown): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  // With `min2`, a number of four digits has no separator, because it may be a year. All digits are shown.
  if (typeof value === 'number') return formatNumber(value, { useGrouping: 'min2', maximumSignificantDigits: 21 });
  return String(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

const LONG_TEXT = 160;
const LONG_LIST = 12;
const LONG_OBJECT_LINES = 8;

/** The beginning of a long value; undefined if the value is short enough to be shown whole. */
export function shortenValue(value: ShownValue): ShownValue | undefined {
  switch (value.kind) {
    case 'plain':
      return value.text.length > LONG_TEXT ? { ...value, text: `${cut(value.text, LONG_TEXT)}…` } : undefined;
    case 'list': {
      const items = value.items.slice(0, LONG_LIST).map((item) => cut(item, LONG_TEXT));
      const isWhole = items.length === value.items.length && items.every((item, at) => item === value.items[at]);
      return isWhole ? undefined : { ...value, items: [...items, '…'] };
    }
    case 'object': {
      const lines = value.text.split('\n');
      return lines.length > LONG_OBJECT_LINES
        ? { ...value, text: `${lines.slice(0, LONG_OBJECT_LINES).join('\n')}\n…` }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Cuts a text between two characters, never within one. */
function cut(said: string, length: number): string {
  const end = said.slice(0, length);
  return end.isWellFormed() ? end : end.slice(0, -1);
}

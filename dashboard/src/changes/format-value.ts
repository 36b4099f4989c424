import { allFields, isWritten } from '@usher/domain/kinds';
import { parsePicturePath } from '@usher/domain/pictures';
import { type ThemeField, themeFields } from '@usher/domain/themes';
import { formatDateTime, formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';

/** Finds the name of a Segment, Environment, Tag or Experience. */
export type NameOf = (id: string) => string | undefined;

const words = text.history;
const units: Record<string, (count: string) => string> = {
  trigger_delay: words.seconds,
  snooze_hours: words.hours,
  repeat_days: words.days,
};

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Describes the value of a field in words; undefined if there is no value. */
export function formatValue(field: string, value: unknown, nameOf: NameOf): string | undefined {
  if (isEmpty(value)) return undefined;
  const themed = themeFields[field];
  if (themed) return formatThemeValue(themed, String(value));
  if (field === 'variations') return (value as { name: string }[]).map(({ name }) => name).join(', ');
  if (Array.isArray(value)) return value.map((one) => formatValue(field, one, nameOf)).join(', ');
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (typeof value === 'number') {
    if (field === 'position') return formatNumber(value + 1);
    return units[field]?.(formatNumber(value)) ?? formatNumber(value);
  }
  if (typeof value === 'object') return formatObject(value as Record<string, unknown>);
  const said = String(value);
  const type = allFields.get(field)?.type;
  if (type === 'time') return formatDateTime(new Date(said));
  if (type === 'id' || type === 'ids') return nameOf(said) ?? words.gone;
  if (type === 'picture') return formatPicture(said);
  if (isWritten(field)) return said;
  return words.values[said] ?? said;
}

function formatThemeValue({ type }: ThemeField, value: string): string {
  if (value.includes('{{')) return value;
  if (type === 'color') return `#${value}`;
  if (type === 'pixels') return words.pixels(value);
  return type === 'percent' ? words.percent(value) : (words.themeWords[value] ?? value);
}

/** A picture by its size: its path says nothing to people. */
function formatPicture(path: string): string {
  const { width, height } = parsePicturePath(path) ?? { width: 0, height: 0 };
  return words.picture(width, height);
}

/** An element as its selector and text, or a page as its pattern. */
function formatObject(value: Record<string, unknown>): string {
  const { url, match_type, ...rest } = value;
  if (typeof url === 'string') return match_type === 'simple' ? url : `${url} (${words.values[String(match_type)]})`;
  return Object.values(rest)
    .filter((one) => !isEmpty(one))
    .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    .join(' ');
}

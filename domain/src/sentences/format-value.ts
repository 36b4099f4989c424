import type { EventTrigger } from '../fields/field.ts';
import type { ExperienceGoal } from '../fields/goal-fields.ts';
import { allFields, isWritten } from '../kinds/all-fields.ts';
import { parsePicturePath } from '../pictures/picture-path.ts';
import type { Filter } from '../targeting/filter.ts';
import { type ThemeField, themeFields } from '../themes/theme-fields.ts';
import type { ChangeWords } from './english.ts';

/** Finds the name of a Segment, Environment, Tag or Experience. */
export type NameOf = (id: string) => string | undefined;

/** How sentences are written for one reader. */
export interface Wording {
  words: ChangeWords;
  formatNumber(value: number): string;
  formatDateTime(time: Date): string;
  /** The name of a language by its code. */
  languageName(code: string): string;
  /** Conditions over people in a sentence; without it, only their number is said. */
  describeFilters?(filters: Filter[], nameOf: NameOf): string;
  /** A text without the syntax of merge tags. */
  readableText(text: string): string;
}

const units: Record<string, 'seconds' | 'percent' | 'hours' | 'days'> = {
  trigger_delay: 'seconds',
  trigger_scroll_percent: 'percent',
  snooze_hours: 'hours',
  repeat_days: 'days',
  hide_after_completed_days: 'days',
};

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Describes the value of a field in words; undefined if there is no value. */
export function formatValue(field: string, value: unknown, nameOf: NameOf, wording: Wording): string | undefined {
  const { words, formatNumber } = wording;
  if (isEmpty(value)) return undefined;
  const themed = themeFields[field];
  if (themed) return formatThemeValue(themed, String(value), words);
  if (field === 'variations') return (value as { name: string }[]).map(({ name }) => name).join(', ');
  if (Array.isArray(value) && allFields.get(field)?.type === 'filters')
    return wording.describeFilters?.(value as Filter[], nameOf) ?? words.conditions(value.length);
  if (Array.isArray(value) && allFields.get(field)?.type === 'goals')
    return (value as ExperienceGoal[]).map((goal) => formatGoal(goal, nameOf, words)).join(', ');
  if (Array.isArray(value)) return value.map((one) => formatValue(field, one, nameOf, wording)).join(', ');
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (typeof value === 'number') {
    if (field === 'position') return formatNumber(value + 1);
    const unit = units[field];
    return unit ? words[unit](formatNumber(value)) : formatNumber(value);
  }
  const type = allFields.get(field)?.type;
  if (typeof value === 'object')
    return type === 'event'
      ? formatEvent(value as EventTrigger, wording)
      : formatObject(value as Record<string, unknown>, words);
  const said = String(value);
  if (type === 'time') return wording.formatDateTime(new Date(said));
  if (type === 'id' || type === 'ids') return nameOf(said) ?? words.gone;
  if (type === 'picture') return formatPicture(said, words);
  if (isWritten(field)) return said;
  return words.values[said] ?? said;
}

/** A goal by its name. */
function formatGoal({ name, goal_id }: ExperienceGoal, nameOf: NameOf, words: ChangeWords): string {
  return goal_id === null ? name : (nameOf(goal_id) ?? words.gone);
}

/** An event as its name, its properties and its times. */
function formatEvent(
  { name, filters, delay_seconds, within_seconds }: EventTrigger,
  { words, formatNumber }: Wording,
): string {
  const parts = [
    ...(filters.length > 0 ? [words.conditions(filters.length)] : []),
    ...(delay_seconds > 0 ? [words.eventDelay(formatNumber(delay_seconds))] : []),
    words.eventWithin(formatNumber(within_seconds)),
  ];
  return `${name} (${parts.join(', ')})`;
}

function formatThemeValue({ type }: ThemeField, value: string, words: ChangeWords): string {
  if (value.includes('{{')) return value;
  if (type === 'color') return `#${value}`;
  if (type === 'pixels') return words.pixels(value);
  return type === 'percent' ? words.percent(value) : (words.themeWords[value] ?? value);
}

/** A picture by its size: its path says nothing to people. */
function formatPicture(path: string, words: ChangeWords): string {
  const { width, height } = parsePicturePath(path) ?? { width: 0, height: 0 };
  return words.picture(width, height);
}

/** An element as its selector and text, or a page as its pattern. */
function formatObject(value: Record<string, unknown>, words: ChangeWords): string {
  const { url, match_type, ...rest } = value;
  if (typeof value.op === 'string') return formatFilter(value);
  if (typeof url === 'string') return match_type === 'simple' ? url : `${url} (${words.values[String(match_type)]})`;
  return Object.values(rest)
    .filter((one) => !isEmpty(one))
    .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    .join(' ');
}

/** In the same order on every database. */
function formatFilter({ kind, prop, op, ...values }: Record<string, unknown>): string {
  const given = Object.keys(values).sort();
  return [prop ?? kind, op, ...given.map((name) => JSON.stringify(values[name]))].join(' ');
}

import { kinds } from '../kinds/kinds.ts';
import type { QuantifierUrl } from '../patterns/url-match.ts';
import type { Document } from './experience.ts';

const MAX_NAMED = 2;

interface AudienceNames {
  /** How many people it is for, in words; undefined if that is not known. */
  people?: string | undefined;
  segments: readonly string[];
  excluded: readonly string[];
  environments: readonly string[];
  /** Writes a number as its readers write it. */
  formatNumber?(value: number): string;
}

/** One sentence about whom a draft is for, where, and how often: "Shows to 12 people on /team in all Environments, once." */
export function describeAudience(document: Document, rules: readonly QuantifierUrl[], names: AudienceNames): string {
  const { environments } = names;
  const place = environments.length === 0 ? 'in all Environments' : `in ${joinSome(environments, 'and')}`;
  const what = [describePeople(document, names), describePages(rules), place].join(' ');
  return `Shows to ${[what, describeStart(document), describeFrequency(document, names)].filter(Boolean).join(', ')}.`;
}

function describeStart({ steps: [first] }: Document): string | undefined {
  const event = first?.step_trigger === 'event' ? first.trigger_event?.name : undefined;
  return event && `after the event “${event}”`;
}

function describeFrequency(
  { kind, style, repeat_days: days }: Document,
  { formatNumber = String }: AudienceNames,
): string | undefined {
  const { isExclusive, isLasting } = kinds[kind];
  if (isLasting) return undefined;
  if (isExclusive && style === 'manual') return 'when something starts it';
  if (days === null) return 'once';
  return days === 1 ? 'again after 1 day' : `again after ${formatNumber(days)} days`;
}

function describePeople(
  { segments_op }: Document,
  { people = 'everybody', segments, excluded }: AudienceNames,
): string {
  const within = segments.length > 0 ? [`in ${joinSome(segments, segments_op === 'and' ? 'and' : 'or')}`] : [];
  const without = excluded.length > 0 ? [`who are not in ${joinSome(excluded, 'or')}`] : [];
  return [people, ...within, ...without].join(' ');
}

function describePages(rules: readonly QuantifierUrl[]): string {
  const isInverse = ({ match_type }: QuantifierUrl) => match_type.startsWith('inverse_');
  const [shown, hidden] = [rules.filter((rule) => !isInverse(rule)), rules.filter(isInverse)];
  if (shown.length === 0 && hidden.length === 0) return 'on every page';
  const paths = (list: readonly QuantifierUrl[]) => joinSome(list.map(nameOf), 'or');
  if (shown.length === 0) return `on every page except ${paths(hidden)}`;
  return hidden.length === 0 ? `on ${paths(shown)}` : `on ${paths(shown)}, except ${paths(hidden)},`;
}

/** A path is enough: all domains of the account have it. */
function nameOf({ match_type, url }: QuantifierUrl): string {
  return match_type === 'regex' ? `pages like ${url}` : url.replace(/^https?:\/\//, '');
}

function joinSome(names: readonly string[], last: 'and' | 'or'): string {
  if (names.length > MAX_NAMED + 1)
    return `${names.slice(0, MAX_NAMED).join(', ')} ${last} ${names.length - MAX_NAMED} more`;
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

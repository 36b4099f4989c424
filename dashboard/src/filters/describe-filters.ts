import {
  type AgeOp,
  type ComparisonOp,
  type Filter,
  type GroupOp,
  isForeign,
  parseIso,
  type Scalar,
} from '@usher/domain';
import { formatDate, formatNumber, formatTime } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import type { FilterSet } from './filter-set.ts';
import type { FilterNames } from './names.ts';
import { isWholeDay } from './operators.ts';

const texts = text.filters.sentence;
const { words, countWords, answerWords, yes, no } = text.filters;
/** The values of these properties are words for people: role "admin" is "Admins". */
const roles = ['role', 'user_role', 'persona'];
const plans = ['plan', 'company.plan'];

type PropertyFilter = Extract<Filter, { kind: 'property' }>;

/** One sentence for several conditions: "Admins on plan pro, seen in the last 7 days". */
export function describeFilters(
  { filters, filters_op }: FilterSet,
  names: FilterNames,
  noun: string = texts.people,
): string {
  const op = filters.length === 1 ? 'and' : filters_op;
  const flat = op === 'and' ? flatten(filters) : filters;
  if (flat.length === 0) return noun === texts.people ? texts.everybody : noun;
  const role = op === 'and' ? flat.find(isRole) : undefined;
  const parts = flat.filter((filter) => filter !== role).map((filter) => describe(filter, names));
  const head = role ? describeRole(role) : noun;
  return parts.length === 0 ? head : `${head} ${parts.join(texts.joins[op])}`;
}

/** Dissolves groups in which all filters must match, because they say the same as their filters alone. */
function flatten(filters: readonly Filter[]): Filter[] {
  return filters.flatMap((filter) =>
    filter.kind === 'group' && (filter.filters_op === 'and' || filter.filters.length === 1)
      ? flatten(filter.filters)
      : [filter],
  );
}

function isRole(filter: Filter): filter is PropertyFilter {
  if (filter.kind !== 'property' || !roles.includes(filter.prop)) return false;
  if (!['eq', 'in-v', 'in-vi'].includes(filter.op)) return false;
  return [filter.value ?? []].flat().every((value) => typeof value === 'string' && /^\p{L}[\p{L} -]*$/u.test(value));
}

function describeRole({ value }: PropertyFilter): string {
  const plurals = [value ?? []].flat().map((one) => toPlural(String(one)));
  const all = texts.or(plurals);
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}`;
}

function toPlural(word: string): string {
  if (/s$/i.test(word)) return word;
  if (/(x|z|ch|sh)$/i.test(word)) return `${word}es`;
  return /[^aeiou]y$/i.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

function describe(filter: Filter, names: FilterNames): string {
  if (isForeign(filter)) return text.filters.foreign.sentence(filter.kind);
  switch (filter.kind) {
    case 'group':
      return describeGroup(filter.filters, filter.filters_op, names);
    case 'property':
      return describeProperty(filter, names);
    case 'event':
      return describeEvent(filter, texts.quote(names.event(filter.value)));
    case 'tour': {
      const state = texts.tour[filter.op][filter.range ?? 'any'];
      const who = texts.tour.who(state, texts.quote(names.experience('tour', filter.value)));
      return [who, describeAge(filter)].filter((part) => part !== '').join(' ');
    }
    case 'survey': {
      const who = texts.survey[filter.op](texts.quote(names.experience('survey', filter.value)));
      return filter.mod === undefined ? who : `${who} ${answerWords[filter.mod]} ${formatNumber(filter.range ?? 0)}`;
    }
    case 'segment':
      return texts.segment[filter.op](texts.quote(names.segment(filter.value)));
  }
}

function describeGroup(filters: readonly Filter[], op: GroupOp, names: FilterNames): string {
  const parts = filters.map((filter) => describe(filter, names));
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(texts.inner[op])})`;
}

function describeEvent(filter: Extract<Filter, { kind: 'event' }>, name: string): string {
  const { event } = texts;
  const age = describeAge(filter);
  if (filter.mod !== undefined) {
    const count = event.count(countWords[filter.mod], formatNumber(filter.range ?? 0));
    const who = filter.op === 'nx' ? event.didNot(name) : event.did(name);
    return [who, count, age && event.lastTime(age)].filter((part) => part !== '').join(' ');
  }
  if (age === '') return filter.op === 'nx' ? event.never(name) : event.did(name);
  if (filter.op === 'nx') return `${event.didNot(name)} ${age}`;
  return filter.cond === 'lt-d' ? `${event.last(name)} ${age}` : `${event.did(name)} ${age}`;
}

function describeAge({ cond, int }: { cond?: AgeOp; int?: number }): string {
  if (cond === undefined || int === undefined) return '';
  return cond === 'gt-d' ? texts.within(formatNumber(int)) : texts.before(formatNumber(int));
}

function describeProperty(filter: PropertyFilter, names: FilterNames): string {
  const { prop, op } = filter;
  const values = [filter.value ?? []].flat();
  const special = describeKnown(filter, values);
  if (special !== undefined) return special;
  const name = names.property(prop);
  if (op === 'ex') return texts.has(name);
  if (op === 'nx') return texts.hasNot(name);
  if (op === 'gt-d') return texts.property(name, texts.valueWithin(formatNumber(Number(values[0]))));
  if (op === 'lt-d') return texts.property(name, texts.valueBefore(formatNumber(Number(values[0]))));
  const isTime = values.every((value) => typeof value === 'string' && parseIso(value) !== undefined);
  const own: Partial<Record<string, string>> = isTime ? words.date : {};
  // One value is "pro", several are "one of pro or team".
  const verb = own[op] ?? ((op === 'in-v' || op === 'in-vi') && values.length === 1 ? words.any.eq : words.any[op]);
  return texts.property(name, `${verb} ${texts.or(values.map(describeValue))}`);
}

/** Properties that people have shorter words for. */
function describeKnown({ prop, op }: PropertyFilter, values: readonly Scalar[]): string | undefined {
  const days = formatNumber(Number(values[0]));
  if (prop === 'last_seen_at') {
    if (op === 'ex' || op === 'nx') return texts.seen[op];
    if (op === 'gt-d') return texts.seen.within(days);
    if (op === 'lt-d') return texts.seen.before(days);
  }
  if (prop === 'created_at' && op === 'gt-d') return texts.created.within(days);
  if (prop === 'created_at' && op === 'lt-d') return texts.created.before(days);
  if (prop === 'last_seen_session_count' && op in countWords && typeof values[0] === 'number')
    return texts.sessions(countWords[op as ComparisonOp], days);
  if (plans.includes(prop) && values.every((value) => typeof value === 'string')) {
    const named = texts.or(values.map(describeValue));
    if (['eq', 'in-v', 'in-vi'].includes(op)) return texts.plan(named, false);
    if (['ne', 'nin-v', 'nin-vi'].includes(op)) return texts.plan(named, true);
  }
  return undefined;
}

export function describeValue(value: Scalar): string {
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 10 });
  const time = parseIso(value);
  if (time !== undefined)
    return isWholeDay(value) ? formatDate(new Date(time), undefined, 'UTC') : formatTime(new Date(time));
  return /^[\p{L}\p{N}@._+/-]+$/u.test(value) ? value : texts.quote(value);
}

const MAX_NAME = 200;

/** The name of a Segment until somebody types another. The API takes 255 characters at most. */
export function suggestName(value: FilterSet, names: FilterNames): string {
  const sentence = describeFilters(value, names);
  return sentence.length <= MAX_NAME ? sentence : `${sentence.slice(0, MAX_NAME - 1).trimEnd()}…`;
}

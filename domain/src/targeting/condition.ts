import { readValue, type Scalar, typeOfValue, type Value } from '../ingestion/value.ts';
import {
  type AgeOp,
  type ComparisonOp,
  type Filter,
  type ForeignFilter,
  type GroupOp,
  type InteractionState,
  isForeign,
} from './filter.ts';

/*
 * Filters in a small normalized form. match.ts evaluates it for one profile in memory, and the server compiles it to SQL
 * for all profiles. The smaller the form, the easier it is for both to agree.
 */

export type Condition =
  | { is: 'all'; of: Condition[] }
  | { is: 'any'; of: Condition[] }
  | { is: 'not'; of: Condition }
  | { is: 'in segment'; id: string }
  | { is: 'property'; field: Field; test: PropertyTest }
  | { is: 'event'; name: string; count: NumberComparison; last?: Age }
  | { is: 'tour'; id: string; state?: InteractionState; age?: Age }
  | { is: 'survey'; id: string; answer?: NumberComparison }
  /** Nobody knows whether it holds: a filter of another service. It matches nobody, and neither does its opposite. */
  | { is: 'unknown' };

/** Whether nobody knows if a condition holds for some users, because of a filter of another service. */
export function isUncertain(condition: Condition, segment: (id: string) => Condition | undefined): boolean {
  switch (condition.is) {
    case 'unknown':
      return true;
    case 'all':
    case 'any':
      return condition.of.some((part) => isUncertain(part, segment));
    case 'not':
      return isUncertain(condition.of, segment);
    case 'in segment': {
      const found = segment(condition.id);
      return found !== undefined && isUncertain(found, segment);
    }
    default:
      return false;
  }
}

/** A property of a profile or Company: a fact with its own column, or a path into the custom properties. */
export type Field = { of: 'profile' | 'company' } & ({ fact: Fact } | { path: string[] });

export type PropertyTest =
  | { is: 'present' }
  | { is: 'missing' }
  /** The value is one of these. */
  | { is: 'equal'; to: Scalar[]; ignoringCase: boolean }
  /** The value is missing; or it is none of these, but has the type of at least one. */
  | { is: 'unequal'; to: Scalar[]; ignoringCase: boolean }
  | { is: 'ordered'; op: Order; than: Scalar }
  | ({ is: 'aged' } & Age)
  /** The value is a text that contains one of these. When case is ignored, these are in lower case already. */
  | { is: 'containing'; texts: string[]; ignoringCase: boolean }
  | { is: 'not containing'; texts: string[]; ignoringCase: boolean }
  /** The value is a list that contains one of these. */
  | { is: 'holding'; values: Scalar[] }
  | { is: 'not holding'; values: Scalar[] };

export type Order = '>' | '>=' | '<' | '<=';
export interface NumberComparison {
  op: Order | '=' | '<>';
  to: number;
}
export interface Age {
  newer: boolean;
  days: number;
}

const profileFacts = {
  id: 'text',
  uid: 'text',
  email: 'text',
  company_id: 'text',
  browser_l: 'text',
  browser_n: 'text',
  browser_k: 'text',
  browser_x: 'number',
  browser_tz: 'number',
  percent: 'number',
  last_seen_session_count: 'number',
  created_at: 'time',
  updated_at: 'time',
  last_seen_at: 'time',
  last_cleared_at: 'time',
  anonymous: 'boolean',
} as const;
const companyFacts = { id: 'text', uid: 'text', created_at: 'time', updated_at: 'time' } as const;
/** What filters can test besides custom properties, with its type. */
export const filterFacts: Record<Field['of'], Readonly<Record<string, Fact['type']>>> = {
  profile: profileFacts,
  company: companyFacts,
};

export interface Fact {
  name: keyof typeof profileFacts;
  type: 'text' | 'number' | 'time' | 'boolean';
}

const DAY_MS = 24 * 60 * 60_000;
const orders: Record<'gt' | 'gte' | 'lt' | 'lte', Order> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
const always: Condition = { is: 'all', of: [] };

/** An event has no facts and no Company: all its properties are custom ones, which a condition finds where those of a profile are. */
type About = Field['of'] | 'event';

/** Converts filters about profiles, about Companies, or about the properties of an event to a condition. */
export function toCondition(filters: readonly Filter[], op: GroupOp = 'and', about: About = 'profile'): Condition {
  if (filters.length === 0) return always;
  return { is: op === 'and' ? 'all' : 'any', of: filters.map((filter) => toSingleCondition(filter, about)) };
}

function toSingleCondition(filter: Filter, about: About): Condition {
  if (filter.kind === 'group') return toCondition(filter.filters, filter.filters_op, about);
  if (filter.kind === 'property') return toPropertyCondition(filter, about);
  if (isForeign(filter)) return { is: 'unknown' };
  const present = toActivityCondition(filter);
  return filter.op === 'nx' ? { is: 'not', of: present } : present;
}

function toActivityCondition(filter: Exclude<Filter, { kind: 'group' | 'property' } | ForeignFilter>): Condition {
  switch (filter.kind) {
    case 'event': {
      const last = toAge(filter);
      return {
        is: 'event',
        name: filter.value,
        count: toComparison(filter) ?? { op: '>=', to: 1 },
        ...(last && { last }),
      };
    }
    case 'tour': {
      const age = toAge(filter);
      return { is: 'tour', id: filter.value, ...(filter.range && { state: filter.range }), ...(age && { age }) };
    }
    case 'survey': {
      const answer = toComparison(filter);
      return { is: 'survey', id: filter.value, ...(answer && { answer }) };
    }
    case 'segment':
      return { is: 'in segment', id: filter.value };
  }
}

function toComparison({ mod, range }: { mod?: ComparisonOp; range?: number }): NumberComparison | undefined {
  if (mod === undefined || range === undefined) return undefined;
  return { op: mod === 'eq' ? '=' : mod === 'ne' ? '<>' : orders[mod], to: range };
}

function toAge({ cond, int }: { cond?: AgeOp; int?: number }): Age | undefined {
  return cond === undefined || int === undefined ? undefined : { newer: cond === 'gt-d', days: int };
}

function toPropertyCondition({ prop, op, value }: Extract<Filter, { kind: 'property' }>, about: About): Condition {
  const field = toField(prop, about);
  return { is: 'property', field, test: toPropertyTest(op, field, [value ?? []].flat()) };
}

function toField(prop: string, about: About): Field {
  const keys = prop.split('.');
  if (about === 'event') return { of: 'profile', path: keys };
  const of = keys[0] === 'company' ? 'company' : about;
  const path = keys[0] === 'company' ? keys.slice(1) : keys;
  const [name = ''] = path;
  const type = path.length === 1 && Object.hasOwn(filterFacts[of], name) ? filterFacts[of][name] : undefined;
  return type ? { of, fact: { name: name as Fact['name'], type } } : { of, path };
}

function toPropertyTest(op: Extract<Filter, { kind: 'property' }>['op'], field: Field, values: Scalar[]): PropertyTest {
  const operands = values.map((value) => toOperand(field, value));
  const [first = ''] = operands;
  switch (op) {
    case 'ex':
      return { is: 'present' };
    case 'nx':
      return { is: 'missing' };
    case 'eq':
    case 'in-v':
    case 'in-vi':
      return { is: 'equal', to: operands, ignoringCase: op === 'in-vi' };
    case 'ne':
    case 'nin-v':
    case 'nin-vi':
      return { is: 'unequal', to: operands, ignoringCase: op === 'nin-vi' };
    case 'gt-d':
    case 'lt-d':
      return { is: 'aged', newer: op === 'gt-d', days: Number(values[0]) };
    case 'in':
    case 'in-i':
      return { is: 'containing', ...toTexts(field, values, op === 'in-i') };
    case 'nin':
    case 'nin-i':
      return { is: 'not containing', ...toTexts(field, values, op === 'nin-i') };
    case 'in-a':
      return { is: 'holding', values: operands };
    case 'nin-a':
      return { is: 'not holding', values: operands };
    default:
      return { is: 'ordered', op: orders[op], than: first };
  }
}

/** Reads a value as stored values are read: `"12"` is 12, except where the fact is a text. */
function toOperand(field: Field, value: Scalar): Scalar {
  if ('fact' in field && field.fact.type === 'text') return toOperandText(field, value);
  const key = 'fact' in field ? field.fact.name : (field.path.at(-1) ?? '');
  return readValue(value, key, '', [], 0) as Scalar;
}

function toOperandText(field: Field, value: Scalar): string {
  const text = String(value);
  return 'fact' in field && field.fact.name === 'email' ? text.toLowerCase() : text;
}

function toTexts(field: Field, values: Scalar[], ignoringCase: boolean): { texts: string[]; ignoringCase: boolean } {
  const texts = values.map((value) => toOperandText(field, value));
  return { texts: ignoringCase ? texts.map(lowerCase) : texts, ignoringCase };
}

/** Two values can be compared when they have the same one of these types. */
export type Comparable = 'number' | 'boolean' | 'timestamp' | 'string';

export function comparableType(value: Value): Comparable | undefined {
  const type = typeOfValue(value);
  if (type === 'integer') return 'number';
  return type === 'array' || type === 'object' ? undefined : type;
}

/** Folds only A to Z, as databases do. `in-vi` and `nin-vi` ignore this much. */
export function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Converts letter by letter, in every script, regardless of the letters around it. So a database can do the same for the
 * few letters of one text. A letter whose lower case is several letters (İ) or one of A to Z (the Kelvin sign) stays.
 */
export function lowerCase(text: string): string {
  const folded = foldCase(text);
  return allAscii.test(folded) ? folded : folded.replace(notAscii, lowerLetter);
}

const allAscii = /^[\0-\x7f]*$/;
const notAscii = /[^\0-\x7f]/gu;

function lowerLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length && lower > '\x7f' ? lower : letter;
}

/** Lists the letters beyond A to Z of a lower-case text with their capitals. There can be two, as Å and Å of å. */
export function listCapitals(text: string): [letter: string, capitals: string][] {
  if (allAscii.test(text)) return [];
  capitals ??= mapCapitals();
  const found = new Map<string, string>();
  for (const letter of text) {
    const known = capitals.get(letter);
    if (known !== undefined) found.set(letter, known);
  }
  return [...found];
}

let capitals: Map<string, string> | undefined;
/** No letter after this code point has capitals. */
const LAST_PLANE = 0x1ffff;

function mapCapitals(): Map<string, string> {
  const all = new Map<string, string>();
  for (let point = 0x80; point <= LAST_PLANE; point++) {
    const letter = String.fromCodePoint(point);
    const lower = lowerLetter(letter);
    if (lower !== letter) all.set(lower, (all.get(lower) ?? '') + letter);
  }
  return all;
}

/** The time before which something is older than this age. */
export function ageCutoff({ days }: Age, now: number): number {
  return Math.round(now - days * DAY_MS);
}

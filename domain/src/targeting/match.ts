import { type Millis, toTimestamp } from '../basics/time.ts';
import { isAnonymousUid } from '../ingestion/anonymous.ts';
import type { Custom, Scalar, Value } from '../ingestion/value.ts';
import {
  type Age,
  ageCutoff,
  type Comparable,
  type Condition,
  comparableType,
  type Field,
  foldCase,
  lowerCase,
  type NumberComparison,
  type Order,
  type PropertyTest,
} from './condition.ts';
import type { InteractionState } from './filter.ts';

/** Everything that a condition can test about one user. */
export interface Subject {
  profile: Facts;
  company?: Facts | undefined;
  event(name: string): { count: number; last_at: Millis } | undefined;
  /** The times when the user reached each state of a tour. */
  tour(id: string): ({ updated_at: Millis } & { [Key in `${InteractionState}_at`]: Millis | null }) | undefined;
  /** The index of the button in each answer of the user; null for an answer without a button. */
  survey(id: string): readonly (number | null)[];
  inSegment(id: string): Match;
}

/** Undefined if nobody knows, because of a filter of another service. */
export type Match = boolean | undefined;

/** A user of whom only properties and Segments are known. */
export function propertySubject(known: Pick<Subject, 'profile' | 'company' | 'inSegment'>): Subject {
  return { ...known, event: () => undefined, tour: () => undefined, survey: () => [] };
}

/** The facts of a profile or Company, with times in milliseconds, and its custom properties. */
export interface Facts {
  facts: { readonly [name: string]: string | number | null | undefined };
  custom: Custom;
}

/**
 * Whether a condition holds for one user. The server's SQL gives the same result for all users; there, what is unknown is
 * false. It uses loops instead of
 * closures, because closures for each test were an eighth of the garbage of a page load.
 */
export function matchesCondition(condition: Condition, subject: Subject, now: Millis): Match {
  let result: Match;
  switch (condition.is) {
    case 'all':
      result = true;
      for (const part of condition.of) {
        const match = matchesCondition(part, subject, now);
        if (match === false) return false;
        if (match === undefined) result = undefined;
      }
      return result;
    case 'any':
      result = false;
      for (const part of condition.of) {
        const match = matchesCondition(part, subject, now);
        if (match) return true;
        if (match === undefined) result = undefined;
      }
      return result;
    case 'not':
      result = matchesCondition(condition.of, subject, now);
      return result === undefined ? undefined : !result;
    case 'unknown':
      return undefined;
    case 'in segment':
      return subject.inSegment(condition.id);
    case 'property':
      return passesTest(fieldValue(condition.field, subject), condition.test, now);
    case 'event': {
      const event = subject.event(condition.name);
      if (!compares(event?.count ?? 0, condition.count)) return false;
      return condition.last === undefined || (event !== undefined && hasAge(event.last_at, condition.last, now));
    }
    case 'tour': {
      const tour = subject.tour(condition.id);
      const at = tour && (condition.state ? tour[`${condition.state}_at`] : tour.updated_at);
      if (at === undefined || at === null) return false;
      return condition.age === undefined || hasAge(at, condition.age, now);
    }
    case 'survey': {
      const { answer } = condition;
      const answers = subject.survey(condition.id);
      return answer === undefined
        ? answers.length > 0
        : answers.some((index) => index !== null && compares(index, answer));
    }
  }
}

function fieldValue(field: Field, subject: Subject): Value | undefined {
  const source = subject[field.of];
  if (source === undefined) return undefined;
  if ('fact' in field) {
    if (field.fact.name === 'anonymous') return isAnonymousUid(String(source.facts.uid));
    const fact = source.facts[field.fact.name] ?? undefined;
    if (typeof fact === 'number' && field.fact.type === 'time') return toTimestamp(fact);
    return typeof fact === 'string' && field.fact.name === 'email' ? fact.toLowerCase() : fact;
  }
  let value: Value | undefined = source.custom;
  for (const key of field.path) {
    if (typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function passesTest(value: Value | undefined, test: PropertyTest, now: Millis): boolean {
  switch (test.is) {
    case 'present':
      return value !== undefined;
    case 'missing':
      return value === undefined;
    case 'equal':
      return value !== undefined && equalsOne(value, test);
    case 'unequal':
      return value === undefined || (hasTypeOfOne(value, test.to) && !equalsOne(value, test));
    case 'ordered':
      return value !== undefined && passesOrder(value, test.op, test.than);
    case 'aged': {
      const moment = toTimestamp(ageCutoff(test, now));
      return value !== undefined && passesOrder(value, test.newer ? '>' : '<', moment);
    }
    case 'containing':
      return isText(value) && containsOne(value, test);
    case 'not containing':
      return value === undefined || (isText(value) && !containsOne(value, test));
    case 'holding':
      return Array.isArray(value) && holdsOne(value, test.values);
    case 'not holding':
      return value === undefined || (Array.isArray(value) && !holdsOne(value, test.values));
  }
}

function equalsOne(value: Value, { to, ignoringCase }: { to: Scalar[]; ignoringCase: boolean }): boolean {
  if (!ignoringCase || !isText(value)) return to.some((operand) => operand === value);
  return to.some((operand) => isText(operand) && foldCase(operand) === foldCase(value));
}

function containsOne(value: string, { texts, ignoringCase }: { texts: string[]; ignoringCase: boolean }): boolean {
  const whole = ignoringCase ? lowerCase(value) : value;
  for (const text of texts) if (whole.includes(text)) return true;
  return false;
}

function hasTypeOfOne(value: Value, operands: Scalar[]): boolean {
  const type = comparableType(value);
  return type !== undefined && operands.some((operand) => comparableType(operand) === type);
}

function passesOrder(value: Value, op: Order, than: Scalar): boolean {
  const type = comparableType(value);
  if (type !== comparableType(than) || type === undefined || type === 'boolean') return false;
  return satisfies(compareValues(value as Scalar, than, type), op);
}

function compareValues(one: Scalar, other: Scalar, type: Comparable): number {
  return type === 'string' ? compareTexts(String(one), String(other)) : one < other ? -1 : one > other ? 1 : 0;
}

/** Compares code points, as databases compare UTF-8 bytes. JavaScript compares UTF-16 units. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    if (one.charCodeAt(at) === other.charCodeAt(at)) continue;
    // Within surrogate pairs that differ in the second half, both units are second halves, which compare correctly.
    return toSortKey(one.charCodeAt(at)) - toSortKey(other.charCodeAt(at));
  }
  return one.length - other.length;
}

/** Surrogates stand for code points above all single units. */
function toSortKey(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function isText(value: Value | undefined): value is string {
  return value !== undefined && comparableType(value) === 'string';
}

function holdsOne(list: readonly Scalar[], values: readonly Scalar[]): boolean {
  return values.some((value) => list.includes(value));
}

function hasAge(at: Millis, age: Age, now: Millis): boolean {
  const moment = ageCutoff(age, now);
  return age.newer ? at > moment : at < moment;
}

export function compares(number: number, { op, to }: NumberComparison): boolean {
  if (op === '=') return number === to;
  if (op === '<>') return number !== to;
  return satisfies(number - to, op);
}

function satisfies(difference: number, op: Order): boolean {
  if (op === '>') return difference > 0;
  if (op === '>=') return difference >= 0;
  return op === '<' ? difference < 0 : difference <= 0;
}

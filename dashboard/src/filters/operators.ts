import { ageOps, listOps, type PropertyOp, parseIso, partOps, type Scalar } from '@usher/domain';
import * as text from '../messages/text.ts';
import { keysOf } from '../ui/keys-of.ts';

const { words } = text.filters;
const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 7;

/** The types of the values of a Property. Without any type, nothing is known about the values. */
export type PropertyType = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'object';

const opsByType: Record<PropertyType, readonly PropertyOp[]> = {
  text: ['eq', 'ne', 'in-v', 'nin-v', 'in-i', 'nin-i', 'in', 'nin', 'in-vi', 'nin-vi', 'gt', 'gte', 'lt', 'lte'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in-v', 'nin-v'],
  date: ['gt-d', 'lt-d', 'gte', 'lt', 'gt', 'lte', 'eq', 'ne'],
  boolean: ['eq', 'ne'],
  list: ['in-a', 'nin-a'],
  object: [],
};
const everyType = keysOf(opsByType);

const typesOfRegistry: Record<string, PropertyType> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  timestamp: 'date',
  array: 'list',
  object: 'object',
};

export function toPropertyTypes(seen: readonly string[]): PropertyType[] {
  return [...new Set(seen.flatMap((type) => typesOfRegistry[type] ?? []))];
}

/**
 * Lists the operators for values of these types; for a Property that was never seen, all of them. The current operator
 * is always included.
 */
export function listOperators(types: readonly PropertyType[], current: PropertyOp): PropertyOp[] {
  const fitting = (types.length === 0 ? everyType : types).flatMap((type) => opsByType[type]);
  return [...new Set([...fitting, 'ex', 'nx', current] as const)];
}

/** The words for an operator, by the type of the values if they have only one. */
export function describeOperator(op: PropertyOp, types: readonly PropertyType[]): string {
  const own: Partial<Record<PropertyOp, string>> =
    types.length !== 1 ? {} : types[0] === 'date' ? words.date : types[0] === 'text' ? words.text : {};
  return own[op] ?? words.any[op];
}

/** A new condition about a property is complete immediately where one choice is likely. */
export function startingTest(types: readonly PropertyType[]): { op: PropertyOp; values: Scalar[] } {
  switch (types[0]) {
    case 'date':
      return { op: 'gt-d', values: [DEFAULT_DAYS] };
    case 'boolean':
      return { op: 'eq', values: [true] };
    case 'list':
      return { op: 'in-a', values: [] };
    case 'object':
      return { op: 'ex', values: [] };
    default:
      return { op: 'eq', values: [] };
  }
}

export const isAge = (op: PropertyOp) => (ageOps as readonly string[]).includes(op);
const isPart = (op: PropertyOp) => (partOps as readonly string[]).includes(op);
const isOneOf = (op: PropertyOp) => (listOps as readonly string[]).includes(op);
export const isPresence = (op: PropertyOp) => op === 'ex' || op === 'nx';
/** Whether the operator takes several values. */
export const takesList = (op: PropertyOp) => isPart(op) || isOneOf(op);
/** Whether the value of the operator is a list even if there is only one value. */
export const needsList = isOneOf;

export type Widget = 'none' | 'days' | 'list' | 'yes-no' | 'number' | 'date' | 'time' | 'text';

/** How the value of an operator is chosen. A value that does not fit the type is shown as text. */
export function widgetOf(op: PropertyOp, types: readonly PropertyType[], values: readonly Scalar[]): Widget {
  if (isPresence(op)) return 'none';
  if (isAge(op)) return 'days';
  if (isOneOf(op) || op === 'in-a' || op === 'nin-a') return 'list';
  if (isPart(op)) return values.length > 1 ? 'list' : 'text';
  const [value] = values;
  const [type] = types.length === 1 ? types : [];
  if (type === 'boolean' && (value === undefined || ['true', 'false'].includes(String(value)))) return 'yes-no';
  if (type === 'number' && (value === undefined || readDecimal(String(value)) !== undefined)) return 'number';
  if (type === 'date' && value === undefined) return op === 'gte' || op === 'lt' ? 'date' : 'time';
  if (type !== 'date' || parseIso(String(value)) === undefined) return 'text';
  return isWholeDay(String(value)) && (op === 'gte' || op === 'lt') ? 'date' : 'time';
}

/** Converts values for another operator, and keeps the values that fit. */
export function convertValues(values: readonly Scalar[], from: PropertyOp, to: PropertyOp): Scalar[] {
  if (isPresence(to)) return [];
  if (isAge(from) !== isAge(to)) return isAge(to) ? [DEFAULT_DAYS] : [];
  return takesList(to) ? [...values] : values.slice(0, 1);
}

export function isWholeDay(iso: string): boolean {
  return (parseIso(iso) ?? 1) % DAY_MS === 0;
}

/** Returns undefined if the text is not a number. */
export function readDecimal(typed: string): number | undefined {
  const plain = typed.trim().replace(',', '.');
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(plain) ? Number(plain) : undefined;
}

import { isCertainlyTime, isTimestamp, type Millis, parseIso, parseTime, toTimestamp } from '../basics/time.ts';
import { normalizeKey } from './key.ts';

export type Scalar = string | number | boolean;
/** The value of a custom property. A time is a text in the format of `toTimestamp`. */
export type Value = Scalar | Scalar[] | { [key: string]: Value };
/** The custom properties of a profile, a company or an event. */
export type Custom = Record<string, Value>;
/** Changes of custom properties; null removes a property. */
export type CustomPatch = Record<string, Value | null>;

export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'timestamp' | 'array' | 'object';

const MAX_KEY = 255;
const MAX_BYTES = 768;
const MAX_DEPTH = 3;
/** The limit for the JSON text of the custom properties of a row. */
export const MAX_CUSTOM_BYTES = 128 * 1024;
const numeric = /^-?((?:0|[1-9]\d*)(?:\.\d+)?)(e[+-]?\d{1,3})?$/i;
const MAX_EXPONENT = 5;
const relative = /^(?:\$now|[+ ]\d{1,9}[mhdw])$/;
/** A number can lose digits beyond this many. */
const MAX_DIGITS = 15;
const timeKey = /^created$|_at$|_time$/;

/**
 * Reads custom properties. It normalizes keys, and converts texts that are numbers, booleans or times. It drops what cannot
 * be stored, and adds a problem for what must not be sent.
 */
export function readCustom(
  input: Record<string, unknown>,
  reserved: ReadonlySet<string>,
  problems: string[],
  now: Millis,
  at = '',
): CustomPatch {
  const patch: CustomPatch = {};
  for (const name of Object.keys(input)) {
    const key = cachedKey(name);
    if (key === '' || reserved.has(key)) continue;
    if (key.length > MAX_KEY) problems.push(`\`${at}${key.slice(0, 40)}…\` is longer than ${MAX_KEY} characters`);
    const value = readValue(input[name], key, at + key, problems, 0, now);
    if (value !== undefined) setOwn(patch, key, value);
  }
  return patch;
}

/** Normalizes one value; undefined when there is nothing to store. Without `now`, `$now` and `+30d` are texts. */
export function readValue(
  input: unknown,
  key: string,
  path: string,
  problems: string[],
  depth: number,
  now?: Millis,
): Value | null | undefined {
  switch (typeof input) {
    case 'string':
      return readText(input, key, path, problems, now);
    case 'number':
      return readNumber(input, key, path, problems);
    case 'boolean':
      return input;
    case 'object':
      if (input === null) return null;
      if (Array.isArray(input)) return readList(input, path, problems, now);
      return depth < MAX_DEPTH ? readObject(input as Record<string, unknown>, path, problems, depth, now) : undefined;
    default:
      return undefined;
  }
}

function readText(text: string, key: string, path: string, problems: string[], now: Millis | undefined): Scalar {
  const first = text.charCodeAt(0);
  // Numbers and times begin with a digit or a minus sign.
  if ((first >= 48 && first <= 57) || first === 45) {
    if (isCertainlyTime(text)) return text;
    if (isNumeric(text)) return readNumber(Number(text), key, path, problems);
    const time = text.length <= 40 ? parseIso(text) : undefined;
    return time === undefined ? readPlain(text, path, problems) : toTimestamp(time);
  }
  // `$now` or an interval. A form may have turned the plus sign into a space.
  if (now !== undefined && (first === 36 || first === 43 || first === 32) && relative.test(text)) {
    const time = parseTime(text, now);
    if (time !== undefined) return toTimestamp(time);
  }
  if (text === 'true') return true;
  if (text === 'false') return false;
  return readPlain(text, path, problems);
}

/** Whether a number keeps all of its text. `007`, `+1` and a number with 20 digits are identifiers. */
function isNumeric(text: string): boolean {
  if (text.length > MAX_DIGITS + MAX_EXPONENT + 2) return false;
  const [, digits = '', exponent] = numeric.exec(text) ?? [];
  if (digits === '' || digits.replace('.', '').length > MAX_DIGITS) return false;
  const number = Number(text);
  return exponent === undefined || (Number.isFinite(number) && (number !== 0 || !/[1-9]/.test(digits)));
}

function readPlain(text: string, path: string, problems: string[]): string {
  if (text.includes('\0') || !text.isWellFormed())
    problems.push(`\`${path}\` must be valid Unicode without NUL characters`);
  return truncateBytes(text, MAX_BYTES);
}

/** Keeps as many whole characters as fit. */
export function truncateBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += countCharacterBytes(character);
    if (bytes > max) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function countCharacterBytes(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

function readNumber(number: number, key: string, path: string, problems: string[]): Scalar {
  if (!Number.isFinite(number)) problems.push(`\`${path}\` is a number that is too large to be kept`);
  const time = timeKey.test(key) ? parseTime(number, 0) : undefined;
  // Adding 0 turns -0 into 0, because JSON does not keep the sign.
  return time === undefined ? number + 0 : toTimestamp(time);
}

function readList(list: unknown[], path: string, problems: string[], now: Millis | undefined): Scalar[] {
  const kept: Scalar[] = [];
  for (const item of list) {
    if (typeof item === 'object') continue;
    const value = readValue(item, '', path, problems, MAX_DEPTH, now);
    if (value !== undefined) kept.push(value as Scalar);
  }
  return kept;
}

function readObject(
  input: Record<string, unknown>,
  path: string,
  problems: string[],
  depth: number,
  now: Millis | undefined,
): Value {
  const object: Record<string, Value> = {};
  for (const name of Object.keys(input)) {
    const key = cachedKey(name);
    const value = key === '' ? undefined : readValue(input[name], key, `${path}.${key}`, problems, depth + 1, now);
    if (value !== undefined && value !== null) setOwn(object, key, value);
  }
  return object;
}

/** Defines `__proto__` as a plain key. */
function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

const knownKeys = new Map<string, string>();

/** Products send the same few names again and again, and normalizing a name takes longer than reading its value. */
export function cachedKey(name: string): string {
  let key = knownKeys.get(name);
  if (key === undefined) {
    key = normalizeKey(name);
    if (knownKeys.size >= 10_000) knownKeys.clear();
    if (name.length <= MAX_KEY) knownKeys.set(name, key);
  }
  return key;
}

export interface MergedCustom {
  custom: Custom;
  /** The JSON text that is stored. */
  text: string;
}

/** The custom properties after a patch; undefined when it changes nothing. */
export function mergeCustom(before: Custom, patch: CustomPatch): MergedCustom | undefined {
  let after: Custom | undefined;
  for (const key of Object.keys(patch)) {
    const value = patch[key] as Value | null;
    const had = Object.hasOwn(before, key) ? before[key] : undefined;
    if (value === null ? had === undefined : had !== undefined && isEqualValue(had, value)) continue;
    after ??= { ...before };
    if (value === null) delete after[key];
    else setOwn(after, key, value);
  }
  return after && { custom: after, text: JSON.stringify(after) };
}

export function isCustomTooLarge({ text }: MergedCustom): boolean {
  // A UTF-16 unit takes at most three bytes, so bytes are counted only near the limit.
  return text.length * 3 > MAX_CUSTOM_BYTES && countBytes(text) > MAX_CUSTOM_BYTES;
}

export function countBytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += countCharacterBytes(character);
  return bytes;
}

export const CUSTOM_TOO_LARGE_MESSAGE = `The properties would take more than ${MAX_CUSTOM_BYTES / 1024} KB: send fewer or smaller ones`;

/** Whether two values are equal, regardless of the order of keys. */
export function isEqualValue(one: Value, other: Value): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  if (Array.isArray(one) || Array.isArray(other)) return JSON.stringify(one) === JSON.stringify(other);
  // PostgreSQL changes the order of keys.
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqualValue(one[key] as Value, other[key] as Value))
  );
}

export function typeOfValue(value: Value): ValueType {
  switch (typeof value) {
    case 'string':
      return isTimestamp(value) ? 'timestamp' : 'string';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    default:
      return Array.isArray(value) ? 'array' : 'object';
  }
}

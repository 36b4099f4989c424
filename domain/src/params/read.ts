import { isCursor } from '../basics/cursor.ts';
import { isId } from '../basics/id.ts';
import { addProblem, formatChoices, formatSent, formatType, fromJson, isRecord, toList } from '../basics/input.ts';
import { decodeOrderCursor } from '../basics/order-cursor.ts';
import { type Millis, parseTime } from '../basics/time.ts';
import { decodeTimelinePlace, type TimelinePlace } from '../delivery/timeline.ts';
import { END } from '../fields/rules.ts';
import { normalizeKey } from '../ingestion/key.ts';
import { readCompanyFilters, readEventFilters, readFilters, readItems } from '../targeting/read-filters.ts';

/** The part of JSON Schema that the schemas of parameters use. */
interface Schema {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: unknown;
  default?: unknown;
  description?: string;
}

/**
 * Reads one value, and adds problems with the path of the wrong item. A value is typed when it came as JSON. JSON has null
 * and lists, so an empty text there is only a text; in forms it can also mean null or an empty list.
 */
type Reader = (input: unknown, path: string, problems: string[], now: Millis, typed: boolean, json?: object) => unknown;

export type ReadResult<T> = { value: T } | { problems: string[] };

/**
 * Compiles the schema of parameters into a reader. It converts values of encodings without types (`"12"`, `"true"`,
 * `a,b`), fills in defaults, drops unknown keys, and reports every problem, not only the first. `json` has
 * the parameters that came as JSON.
 */
export function compileReader<T>(schema: object): (input: unknown, now: Millis, json?: object) => ReadResult<T> {
  const read = compile(schema);
  return (input, now, json) => {
    const problems: string[] = [];
    const value = read(input, '', problems, now, false, json);
    return problems.length > 0 ? { problems } : { value: value as T };
  };
}

function compile(schema: Schema): Reader {
  const format = formats[schema.format ?? ''];
  if (format) return format(schema.description);
  if (schema.anyOf) return compileNullable(schema.anyOf);
  switch (schema.type) {
    case 'object':
      return compileObject(schema);
    case 'array':
      return compileList(schema);
    case 'string':
      return compileString(schema);
    case 'integer':
    case 'number':
      return compileNumber(schema);
    case 'boolean':
      return compileBoolean();
    default:
      throw new Error(`parameters cannot be read by this schema: ${JSON.stringify(schema)}`);
  }
}

/** Drops keys that the schema does not have, or keeps them unchanged with `additionalProperties`. */
function compileObject({ properties = {}, required = [], additionalProperties, description }: Schema): Reader {
  const keepsOthers = Boolean(additionalProperties);
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    read: compile(schema),
    required: required.includes(name) && schema.default === undefined,
  }));
  return (input, path, problems, now, typed, json) => {
    const source = typeof input === 'string' ? fromJson(input) : input;
    const isJson = typed || typeof input === 'string';
    if (!isRecord(source))
      return addProblem(problems, path, `must be ${description ?? 'an object'}, not ${formatType(input)}`);
    const value: Record<string, unknown> = keepsOthers ? { ...source } : {};
    for (const field of fields) {
      const at = path === '' ? field.name : `${path}.${field.name}`;
      const item = Object.hasOwn(source, field.name) ? source[field.name] : undefined;
      if (item !== undefined)
        value[field.name] = field.read(
          item,
          at,
          problems,
          now,
          isJson || (json !== undefined && Object.hasOwn(json, field.name)),
        );
      else if (field.required) addProblem(problems, at, `is required${formatExpected(field.schema)}`);
      else if (field.schema.default !== undefined) value[field.name] = field.schema.default;
    }
    return value;
  };
}

function compileList({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, description }: Schema): Reader {
  const read = compile(items);
  const words = items.type === 'string';
  return (input, path, problems, now, typed) => {
    const list = typed && input === '' ? undefined : toList(input, words);
    const isJson = typed || typeof input === 'string';
    if (!list) return addProblem(problems, path, `must be ${description ?? 'a list'}, not ${formatType(input)}`);
    if (list.length < minItems)
      return addProblem(problems, path, `must hold at least ${minItems}: ${description ?? 'a list'}`);
    if (list.length > maxItems) return addProblem(problems, path, `holds ${list.length}: ${maxItems} at most`);
    return list.map((item, index) => read(item, `${path}[${index}]`, problems, now, isJson));
  };
}

/** Formats that convert the text to another type, or accept only one kind of value. */
const formats: Record<string, (description: string | undefined) => Reader> = {
  id: (expected = 'an ID: 24 lowercase hex digits') => compileFormat(expected, readId),
  moment: (expected = 'a time') => compileFormat(expected, parseTime),
  place: (expected = 'an ID or a time') =>
    compileFormat(expected, (input, now) => readId(input) ?? parseTime(input, now)),
  update_place: (expected = 'a cursor, an ID or a time') =>
    compileFormat(expected, (input, now) => readId(input) ?? readCursor(input) ?? parseTime(input, now)),
  order_place: (expected = 'a cursor, an ID or a time') =>
    compileFormat(expected, (input, now) => readId(input) ?? readOrderCursor(input) ?? parseTime(input, now)),
  timeline_place: (expected = 'a cursor or a time') => compileFormat(expected, readTimelinePlace),
  step: (expected = 'the ID of a step') => compileFormat(expected, readStep),
  answer: (expected = 'an answer') => compileFormat(expected, readAnswer),
  position: (expected = '`first`, `last` or an index from 0') => compileFormat(expected, readPosition),
  external: (expected = 'an ID of your own') => compileExternal(expected),
  style: (expected = 'a text') => compileFormat(expected, readStyle),
  filters: () => compileFilters(readFilters),
  items: () => compileFilters(readItems),
  enabled: (expected = 'a boolean') => compileFormat(expected, readEnabled),
  attributes: (expected = 'a text such as `data-test="save"`, or an object of texts') =>
    compileFormat(expected, readAttributes),
  company_filters: () => compileFilters(readCompanyFilters),
  event_filters: () => compileFilters(readEventFilters),
  event_name: (expected = 'the name of an event') => compileFormat(expected, readEventName),
};

function compileFormat(expected: string, read: (input: unknown, now: Millis) => unknown): Reader {
  return (input, path, problems, now) =>
    read(input, now) ?? addProblem(problems, path, `must be ${expected}, not ${formatSent(input)}`);
}

function compileFilters(read: (input: unknown, path: string, problems: string[]) => unknown): Reader {
  return (input, path, problems, _now, typed) =>
    typed && input === '' ? addProblem(problems, path, 'must be a list of filters') : read(input, path, problems);
}

function readId(input: unknown): string | undefined {
  return typeof input === 'string' && isId(input) ? input : undefined;
}

const MAX_EVENT_NAME = 255;

/** The name as events are stored. */
function readEventName(input: unknown): string | undefined {
  return typeof input === 'string' && input.length <= MAX_EVENT_NAME ? normalizeKey(input) || undefined : undefined;
}

function readCursor(input: unknown): string | undefined {
  return typeof input === 'string' && isCursor(input) ? input : undefined;
}

function readOrderCursor(input: unknown): string | undefined {
  return typeof input === 'string' && decodeOrderCursor(input) ? input : undefined;
}

/** A time stands for the place before all entries of that time. */
function readTimelinePlace(input: unknown, now: Millis): TimelinePlace | undefined {
  const place = typeof input === 'string' ? decodeTimelinePlace(input) : undefined;
  if (place) return place;
  const at = parseTime(input, now);
  return at === undefined ? undefined : { at, kind: null, id: '' };
}

/** The value of a field of a theme, which may be a number. */
function readStyle(input: unknown): string | undefined {
  if (typeof input === 'number' && Number.isFinite(input)) return String(input);
  return typeof input === 'string' ? input : undefined;
}

function readEnabled(input: unknown): 'off' | 'on' | 'subdomain' | undefined {
  if (input === 'off' || input === 'on' || input === 'subdomain') return input;
  if (input === true || input === 'true') return 'on';
  return input === false || input === 'false' || input === null ? 'off' : undefined;
}

const MAX_ATTRIBUTES = 50;
const MAX_ATTRIBUTE_LENGTH = 2000;

/** The `data-` attributes of an imported element. */
function readAttributes(input: unknown): string | Record<string, string> | undefined {
  if (isAttributeText(input)) return input;
  if (!isRecord(input) || Object.keys(input).length > MAX_ATTRIBUTES) return undefined;
  const isValid = Object.entries(input).every((pair) => pair.every(isAttributeText));
  return isValid ? (input as Record<string, string>) : undefined;
}

function isAttributeText(input: unknown): input is string {
  return (
    typeof input === 'string' && input.length <= MAX_ATTRIBUTE_LENGTH && !input.includes('\0') && input.isWellFormed()
  );
}

/** The ID of a step, `end`, or the place of a step in the list, which is written as a text too. */
function readStep(input: unknown): string | undefined {
  if (input === END) return input;
  const place = readPosition(input);
  return typeof place === 'number' ? String(place) : readId(input);
}

const MAX_ANSWERS = 50;
const MAX_ANSWER_LENGTH = 500;

/** Answers are compared as texts. */
function readAnswer(input: unknown): string | string[] | undefined {
  if (!Array.isArray(input)) return readOneAnswer(input);
  const answers = input.map(readOneAnswer);
  return answers.length <= MAX_ANSWERS && answers.every((one) => one !== undefined) ? answers : undefined;
}

function readOneAnswer(input: unknown): string | undefined {
  if (typeof input === 'boolean' || (typeof input === 'number' && Number.isFinite(input))) return String(input);
  const isText = typeof input === 'string' && input.length <= MAX_ANSWER_LENGTH;
  return isText && !input.includes('\0') && input.isWellFormed() ? input : undefined;
}

function readPosition(input: unknown): 'first' | 'last' | number | undefined {
  if (input === 'first' || input === 'last') return input;
  const index = typeof input === 'string' && /^\d+$/.test(input) ? Number(input) : input;
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 ? index : undefined;
}

/** IDs of other systems are texts, also when they are sent as numbers. */
function compileExternal(description: string): Reader {
  const read = compileText({ minLength: 1, maxLength: 255, description });
  return (input, path, problems, now, typed) => {
    if (typeof input !== 'number') return read(input, path, problems, now, typed);
    const exact = Number.isSafeInteger(input) || (Number.isFinite(input) && !Number.isInteger(input));
    if (exact) return String(input);
    return addProblem(problems, path, 'is a number with more digits than JSON keeps: give it as a text');
  };
}

function compileString(schema: Schema): Reader {
  return schema.enum ? compileWord(schema.enum, schema.description) : compileText(schema);
}

function compileWord(words: readonly unknown[], expected = formatChoices(words)): Reader {
  return (input, path, problems) =>
    words.includes(input)
      ? input
      : addProblem(problems, path, rejectList(input) ?? `must be ${expected}, not ${formatSent(input)}`);
}

function compileText(schema: Schema): Reader {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, description: expected = 'a text' } = schema;
  // Texts can be passwords and what users have written, so messages do not repeat them.
  const rejectType = (input: unknown) => `must be a text, not ${formatType(input)}${formatExpected(schema)}`;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  return (input, path, problems) => {
    if (typeof input !== 'string') return addProblem(problems, path, rejectList(input) ?? rejectType(input));
    if (input.includes('\0') || !input.isWellFormed())
      return addProblem(problems, path, 'must be valid Unicode without NUL characters');
    if (pattern && !pattern.test(input)) return addProblem(problems, path, `must be ${expected}`);
    if (minLength > 0 && input.trim() === '')
      return addProblem(problems, path, `must not be blank${formatExpected(schema)}`);
    // A character has one or two units, so characters are counted only near a limit.
    if (input.length < 2 * minLength && [...input].length < minLength)
      return addProblem(problems, path, `has ${countCharacters(input)}: ${minLength} at least`);
    if (input.length > maxLength && [...input].length > maxLength)
      return addProblem(problems, path, `has ${countCharacters(input)}: ${maxLength} at most`);
    return input;
  };
}

function compileNumber(schema: Schema): Reader {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const expected = schema.description ?? (type === 'integer' ? 'a whole number' : 'a number');
  return (input, path, problems) => {
    const number = typeof input === 'string' && /^[+-]?\d+(\.\d+)?$/.test(input) ? Number(input) : input;
    const fits =
      typeof number === 'number' &&
      Number.isFinite(number) &&
      (type === 'number' || Number.isInteger(number)) &&
      number >= minimum &&
      number <= maximum;
    return fits
      ? number
      : addProblem(problems, path, rejectList(input) ?? `must be ${expected}, not ${formatSent(input)}`);
  };
}

function compileBoolean(): Reader {
  return (input, path, problems) => {
    if (input === true || input === 'true') return true;
    if (input === false || input === 'false') return false;
    return addProblem(problems, path, `must be \`true\` or \`false\`, not ${formatSent(input)}`);
  };
}

/**
 * Compiles `anyOf: [something, null]`. Forms and URLs write null as an empty value. In JSON, an empty text means null only
 * for a free text, such as a title. For an ID, a key or a time it is a mistake of the sender.
 */
function compileNullable(choices: readonly Schema[]): Reader {
  const [schema, nothing] = choices;
  if (choices.length !== 2 || !schema || nothing?.type !== 'null')
    throw new Error('only `something or null` can be read');
  const read = compile(schema);
  const isFreeText = schema.type === 'string' && !schema.format && !schema.enum && !schema.pattern;
  return (input, path, problems, now, typed) => {
    if (input === null || (input === '' && (isFreeText || !typed))) return null;
    return read(input, path, problems, now, typed);
  };
}

function countCharacters(text: string): string {
  const { length } = [...text];
  return length === 1 ? '1 character' : `${length} characters`;
}

/** A parameter that is sent more than once arrives as a list. */
function rejectList(input: unknown): string | undefined {
  return Array.isArray(input) ? 'must be one value, not a list' : undefined;
}

function formatExpected(schema: Schema): string {
  if (schema.enum) return `: give ${formatChoices(schema.enum)}`;
  return schema.description ? `: give ${schema.description}` : '';
}

import { isCursor } from '../basics/cursor.ts';
import { isId } from '../basics/id.ts';
import { type Millis, parseTime } from '../basics/time.ts';
import { readCompanyFilters, readFilters, readItems } from '../targeting/filter.ts';
import { fail, fromJson, isRecord, oneOf, toList } from './input.ts';

/** The part of JSON Schema that parameters are written in. */
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
 * Reads one value; what is wrong goes to `problems` with the path of the offending item. A value is typed when it came as
 * JSON, which has null and lists of its own: there an empty text is a text, and means neither.
 */
type Reader = (given: unknown, path: string, problems: string[], now: Millis, typed: boolean, json?: object) => unknown;

export type Reading<T> = { value: T } | { problems: string[] };

/**
 * Compiles the schema of a parameter set into its reader. Reading converts what encodings without types cannot say
 * (`"12"`, `"true"`, `a,b`), fills defaults, drops unknown keys, and reports every problem, not only the first. `json` has
 * the parameters that came as JSON.
 */
export function compileReader<T>(schema: object): (given: unknown, now: Millis, json?: object) => Reading<T> {
  const read = compile(schema);
  return (given, now, json) => {
    const problems: string[] = [];
    const value = read(given, '', problems, now, false, json);
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

/** Keys that the schema does not name are dropped, or with `additionalProperties` kept as they were given. */
function compileObject({ properties = {}, required = [], additionalProperties, description }: Schema): Reader {
  const keepsOthers = Boolean(additionalProperties);
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    read: compile(schema),
    required: required.includes(name) && schema.default === undefined,
  }));
  return (given, path, problems, now, typed, json) => {
    const source = typeof given === 'string' ? fromJson(given) : given;
    const isJson = typed || typeof given === 'string';
    if (!isRecord(source)) return fail(problems, path, `must be ${description ?? 'an object'}`);
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
      else if (field.required) fail(problems, at, `is required${give(field.schema)}`);
      else if (field.schema.default !== undefined) value[field.name] = field.schema.default;
    }
    return value;
  };
}

function compileList({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, description }: Schema): Reader {
  const read = compile(items);
  const words = items.type === 'string';
  return (given, path, problems, now, typed) => {
    const list = typed && given === '' ? undefined : toList(given, words);
    const isJson = typed || typeof given === 'string';
    if (!list) return fail(problems, path, `must be ${description ?? 'a list'}`);
    if (list.length < minItems)
      return fail(problems, path, `must hold at least ${minItems}: ${description ?? 'a list'}`);
    if (list.length > maxItems) return fail(problems, path, `holds ${list.length}: ${maxItems} at most`);
    return list.map((item, index) => read(item, `${path}[${index}]`, problems, now, isJson));
  };
}

/** Formats that are read into something else than the text that was given, or stand for one kind of value. */
const formats: Record<string, (description: string | undefined) => Reader> = {
  id: (expected = 'an ID: 24 lowercase hex digits') => compileFormat(expected, readId),
  moment: (expected = 'a time') => compileFormat(expected, parseTime),
  place: (expected = 'an ID or a time') =>
    compileFormat(expected, (given, now) => readId(given) ?? parseTime(given, now)),
  update_place: (expected = 'a cursor, an ID or a time') =>
    compileFormat(expected, (given, now) => readId(given) ?? readCursor(given) ?? parseTime(given, now)),
  position: (expected = '`first`, `last` or an index from 0') => compileFormat(expected, readPosition),
  external: (expected = 'an ID of your own') => compileExternal(expected),
  filters: () => compileFilters(readFilters),
  items: () => compileFilters(readItems),
  enabled: (expected = 'a boolean') => compileFormat(expected, readEnabled),
  company_filters: () => compileFilters(readCompanyFilters),
};

function compileFormat(expected: string, read: (given: unknown, now: Millis) => unknown): Reader {
  return (given, path, problems, now) => read(given, now) ?? fail(problems, path, `must be ${expected}`);
}

function compileFilters(read: (given: unknown, path: string, problems: string[]) => unknown): Reader {
  return (given, path, problems, _now, typed) =>
    typed && given === '' ? fail(problems, path, 'must be a list of filters') : read(given, path, problems);
}

function readId(given: unknown): string | undefined {
  return typeof given === 'string' && isId(given) ? given : undefined;
}

function readCursor(given: unknown): string | undefined {
  return typeof given === 'string' && isCursor(given) ? given : undefined;
}

function readEnabled(given: unknown): 'off' | 'on' | 'subdomain' | undefined {
  if (given === 'off' || given === 'on' || given === 'subdomain') return given;
  if (given === true || given === 'true') return 'on';
  return given === false || given === 'false' || given === null ? 'off' : undefined;
}

function readPosition(given: unknown): 'first' | 'last' | number | undefined {
  if (given === 'first' || given === 'last') return given;
  const index = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 ? index : undefined;
}

/** What other systems call something is a text, also when it is sent as a number. */
function compileExternal(description: string): Reader {
  const read = compileText({ minLength: 1, maxLength: 255, description });
  return (given, path, problems, now, typed) => {
    if (typeof given !== 'number') return read(given, path, problems, now, typed);
    const exact = Number.isSafeInteger(given) || (Number.isFinite(given) && !Number.isInteger(given));
    if (exact) return String(given);
    return fail(problems, path, 'is a number with more digits than JSON keeps: give it as a text');
  };
}

function compileString(schema: Schema): Reader {
  return schema.enum ? compileWord(schema.enum) : compileText(schema);
}

function compileWord(words: readonly unknown[]): Reader {
  return (given, path, problems) =>
    words.includes(given) ? given : fail(problems, path, notOne(given) ?? `must be ${oneOf(words)}`);
}

function compileText(schema: Schema): Reader {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, description: expected = 'a text' } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  return (given, path, problems) => {
    if (typeof given !== 'string') return fail(problems, path, notOne(given) ?? `must be ${expected}`);
    if (given.includes('\0') || !given.isWellFormed())
      return fail(problems, path, 'must be valid Unicode without NUL characters');
    if (pattern && !pattern.test(given)) return fail(problems, path, `must be ${expected}`);
    if (minLength > 0 && given.trim() === '') return fail(problems, path, `must not be blank${give(schema)}`);
    // A character takes one or two units: only near a limit are they counted.
    if (given.length < 2 * minLength && [...given].length < minLength)
      return fail(problems, path, `must be ${expected}, of ${minLength} characters at least`);
    if (given.length > maxLength && [...given].length > maxLength)
      return fail(problems, path, `must be ${expected}, of ${maxLength} characters at most`);
    return given;
  };
}

function compileNumber(schema: Schema): Reader {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const expected = schema.description ?? (type === 'integer' ? 'a whole number' : 'a number');
  return (given, path, problems) => {
    const number = typeof given === 'string' && /^[+-]?\d+(\.\d+)?$/.test(given) ? Number(given) : given;
    const fits =
      typeof number === 'number' &&
      Number.isFinite(number) &&
      (type === 'number' || Number.isInteger(number)) &&
      number >= minimum &&
      number <= maximum;
    return fits ? number : fail(problems, path, notOne(given) ?? `must be ${expected}`);
  };
}

function compileBoolean(): Reader {
  return (given, path, problems) => {
    if (given === true || given === 'true') return true;
    if (given === false || given === 'false') return false;
    return fail(problems, path, 'must be `true` or `false`');
  };
}

/**
 * `anyOf: [something, null]`. Forms and URLs write null as an empty value. In JSON only a free text, such as a title, may be
 * empty, and is then the same as none: of an ID, a key or a time an empty text is a mistake of the sender.
 */
function compileNullable(choices: readonly Schema[]): Reader {
  const [schema, nothing] = choices;
  if (choices.length !== 2 || !schema || nothing?.type !== 'null')
    throw new Error('only `something or null` can be read');
  const read = compile(schema);
  const isFreeText = schema.type === 'string' && !schema.format && !schema.enum && !schema.pattern;
  return (given, path, problems, now, typed) => {
    if (given === null || (given === '' && (isFreeText || !typed))) return null;
    return read(given, path, problems, now, typed);
  };
}

/** A parameter given more than once arrives as a list. */
function notOne(given: unknown): string | undefined {
  return Array.isArray(given) ? 'must be one value, not a list' : undefined;
}

function give(schema: Schema): string {
  if (schema.enum) return `: give ${oneOf(schema.enum)}`;
  return schema.description ? `: give ${schema.description}` : '';
}

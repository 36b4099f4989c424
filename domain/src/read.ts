import { isId } from './id.ts';
import { type Millis, parseTime } from './time.ts';

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
  default?: unknown;
  description?: string;
}

/** Reads one value; what is wrong goes to `problems` with the path of the offending item. */
type Reader = (given: unknown, path: string, problems: string[], now: Millis) => unknown;

export type Reading<T> = { value: T } | { problems: string[] };

/**
 * Compiles the schema of a parameter set into its reader. Reading converts what encodings without types cannot say
 * (`"12"`, `"true"`, `a,b`), fills defaults, drops unknown keys, and reports every problem, not only the first.
 */
export function compileReader<T>(schema: object): (given: unknown, now: Millis) => Reading<T> {
  const read = compile(schema);
  return (given, now) => {
    const problems: string[] = [];
    const value = read(given, '', problems, now);
    return problems.length > 0 ? { problems } : { value: value as T };
  };
}

function compile(schema: Schema): Reader {
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

function compileObject({ properties = {}, required = [] }: Schema): Reader {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    read: compile(schema),
    required: required.includes(name) && schema.default === undefined,
  }));
  return (given, path, problems, now) => {
    const source = typeof given === 'string' ? fromJson(given) : given;
    if (!isRecord(source)) return fail(problems, path, 'must be an object');
    const value: Record<string, unknown> = {};
    for (const field of fields) {
      const at = path === '' ? field.name : `${path}.${field.name}`;
      const item = Object.hasOwn(source, field.name) ? source[field.name] : undefined;
      if (item !== undefined) value[field.name] = field.read(item, at, problems, now);
      else if (field.required) fail(problems, at, `is required${give(field.schema)}`);
      else if (field.schema.default !== undefined) value[field.name] = field.schema.default;
    }
    return value;
  };
}

function compileList({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, description }: Schema): Reader {
  const read = compile(items);
  const words = items.type === 'string';
  return (given, path, problems, now) => {
    const list = toList(given, words);
    if (!list) return fail(problems, path, `must be ${description ?? 'a list'}`);
    if (list.length < minItems)
      return fail(problems, path, `must hold at least ${minItems}: ${description ?? 'a list'}`);
    if (list.length > maxItems) return fail(problems, path, `holds ${list.length}: ${maxItems} at most`);
    return list.map((item, index) => read(item, `${path}[${index}]`, problems, now));
  };
}

/** A list as the encodings give it: JSON, `ids[]=a&ids[]=b`, `ids[0]=a`, or words with commas. */
function toList(given: unknown, words: boolean): unknown[] | undefined {
  if (Array.isArray(given)) return given;
  if (typeof given === 'string') {
    const parsed = fromJson(given);
    if (Array.isArray(parsed)) return parsed;
    if (given === '') return [];
    return words ? given.split(',').map((word) => word.trim()) : undefined;
  }
  if (!isRecord(given)) return undefined;
  const keys = Object.keys(given);
  return keys.length > 0 && keys.every((key, index) => key === String(index)) ? Object.values(given) : undefined;
}

/** Formats that are read into something else than the text that was given, or stand for one kind of text. */
const formats: Record<string, { expected: string; read(given: unknown, now: Millis): unknown }> = {
  id: { expected: 'an ID: 24 lowercase hex digits', read: readId },
  moment: { expected: 'a time', read: parseTime },
  place: { expected: 'an ID or a time', read: (given, now) => readId(given) ?? parseTime(given, now) },
};

function readId(given: unknown): string | undefined {
  return typeof given === 'string' && isId(given) ? given : undefined;
}

function compileString(schema: Schema): Reader {
  const format = formats[schema.format ?? ''];
  if (format) {
    const expected = schema.description ?? format.expected;
    return (given, path, problems, now) => format.read(given, now) ?? fail(problems, path, `must be ${expected}`);
  }
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

/** `anyOf: [something, null]`. Forms and URLs write null as an empty value, where that is not a text of its own. */
function compileNullable(choices: readonly Schema[]): Reader {
  const [schema, nothing] = choices;
  if (choices.length !== 2 || !schema || nothing?.type !== 'null')
    throw new Error('only `something or null` can be read');
  const read = compile(schema);
  return (given, path, problems, now) => {
    if (given === null || given === '') return null;
    return read(given, path, problems, now);
  };
}

function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A parameter given more than once arrives as a list. */
function notOne(given: unknown): string | undefined {
  return Array.isArray(given) ? 'must be one value, not a list' : undefined;
}

function oneOf(words: readonly unknown[]): string {
  return `one of ${words.map((word) => `\`${word}\``).join(', ')}`;
}

function give(schema: Schema): string {
  if (schema.enum) return `: give ${oneOf(schema.enum)}`;
  return schema.description ? `: give ${schema.description}` : '';
}

function fail(problems: string[], path: string, what: string): undefined {
  problems.push(path === '' ? `The parameters ${what}` : `\`${path}\` ${what}`);
  return undefined;
}

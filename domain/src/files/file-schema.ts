import { isRecord } from '../basics/input.ts';
import { ID_OF, IN_FILES } from '../basics/schema.ts';
import { groupOps } from '../targeting/filter.ts';
import { KEY_PATTERN } from './record-key.ts';

/*
 * What a file of a record can have. It follows from the parameters that create the record, so that a new field, and a new kind of
 * record, are in files without anything else.
 */

/** The part of JSON Schema that parameters use, and our own words in it. */
export interface FieldSchema {
  type?: string;
  anyOf?: readonly FieldSchema[];
  enum?: readonly unknown[];
  format?: string;
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  required?: readonly string[];
  default?: unknown;
  description?: string;
  [ID_OF]?: readonly string[];
  [IN_FILES]?: boolean;
}

/** The schema of the fields that files have, in their order. */
export function toFileFields(parameters: object, ignored: readonly string[] = []): FieldSchema {
  const { properties = {}, required = [] } = parameters as FieldSchema;
  const names = Object.keys(properties).filter(
    (name) => properties[name]?.[IN_FILES] !== false && !ignored.includes(name),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name] as FieldSchema])),
    required: required.filter((name) => names.includes(name)),
  };
}

/** The schema of a value that is there. */
export function withoutNull(schema: FieldSchema): FieldSchema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

/** Whether it is a list of steps, buttons or items: these have IDs. */
export function isPartList({ type, format, items }: FieldSchema): boolean {
  const id = items?.properties?.id;
  return type === 'array' && format === undefined && id !== undefined && id[IN_FILES] !== false;
}

export function hasFilters({ format }: FieldSchema): boolean {
  return format === 'filters' || format === 'items' || format === 'company_filters' || format === 'event_filters';
}

/** The value of a field that a file leaves out; undefined if it cannot be left out. */
export function initialValueOf(schema: FieldSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf?.some(({ type }) => type === 'null')) return null;
  if (schema.type === 'boolean') return false;
  return schema.type === 'array' ? [] : undefined;
}

/** Whether records of this kind name others. */
export function namesOthers(schema: FieldSchema): boolean {
  const inner = withoutNull(schema);
  if (inner[ID_OF] || hasFilters(inner)) return true;
  return [inner.items, ...Object.values(inner.properties ?? {})].some((one) => one !== undefined && namesOthers(one));
}

const id = '[0-9a-f]{24}';
const key = { type: 'string', pattern: `^${KEY_PATTERN}$` };

/** The JSON Schema of the files of a folder, for editors. Its texts are translated where `hasTranslations` says so. */
export function toJsonSchema(folder: string, fields: FieldSchema, hasTranslations: boolean): object {
  const schema = toEditorSchema(fields);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: folder,
    ...schema,
    properties: { ...(schema.properties as object), ...(hasTranslations && { translations }) },
    additionalProperties: false,
  };
}

const translations = {
  type: 'object',
  description: 'the texts in other languages, by the code of the language',
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
};

function toEditorSchema(schema: FieldSchema): Record<string, unknown> {
  const { description } = schema;
  const described = description === undefined ? {} : { description };
  if (schema.anyOf) return { ...described, anyOf: schema.anyOf.map(toEditorSchema) };
  const nouns = schema[ID_OF];
  if (nouns) {
    const pattern = `^((${nouns.join('|')})/${KEY_PATTERN}|${id})$`;
    return { type: 'string', pattern, description: `a file, such as ${nouns[0]}/name` };
  }
  if (hasFilters(schema)) return { ...described, type: 'array', items: filterSchema };
  if (schema.type === 'array') {
    const { items = {}, format: _, ...others } = schema;
    return { ...others, items: isPartList(schema) ? toPartSchema(items) : toEditorSchema(items) };
  }
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema;
    const entries = Object.entries(properties).map(([name, one]) => [name, toEditorSchema(one)]);
    // An object without its own properties can have any.
    const isOpen = entries.length === 0;
    return {
      ...{ ...described, type: 'object', properties: Object.fromEntries(entries) },
      required: required.filter((name) => properties[name]?.default === undefined),
      additionalProperties: isOpen,
    };
  }
  return toValueSchema(schema);
}

/** Pictures are files beside the others, styles can be numbers, and times can be words, so these are checked by the server. */
function toValueSchema({ type, enum: words, description, ...limits }: FieldSchema): Record<string, unknown> {
  const described = description === undefined ? {} : { description };
  if (words) return { ...described, enum: words };
  const { minimum, maximum, minLength, maxLength, format } = limits as Record<string, unknown>;
  const numbers = Object.entries({ minimum, maximum, minLength, maxLength }).filter(([, value]) => value !== undefined);
  const isFree = format === 'style' || type === undefined;
  return { ...described, ...(!isFree && { type }), ...Object.fromEntries(numbers) };
}

function toPartSchema(items: FieldSchema): object {
  const { id: _, position: __, ...properties } = items.properties ?? {};
  const inner = toEditorSchema({ type: 'object', properties });
  return { ...inner, properties: { key, ...(inner.properties as object), translations }, required: ['key'] };
}

const filterSchema = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, filters: { type: 'array' }, filters_op: { enum: [...groupOps] } },
};

/** Whether two values are the same, whatever the order of their keys. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSameValue(item, other[at]))
    );
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
  );
}

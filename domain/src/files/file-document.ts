import { addProblem, isRecord } from '../basics/input.ts';
import { ID_OF, IN_FILES } from '../basics/schema.ts';
import type { Texts, Translations } from '../content/content.ts';
import { mapStepReferences } from '../content/step-references.ts';
import { initialValues } from '../fields/derive.ts';
import { type PartList, partFields } from '../fields/part-fields.ts';
import { listKindsWith } from '../kinds/kinds.ts';
import { type FieldSchema, hasFilters, initialValueOf, isPartList, isSameValue, withoutNull } from './file-schema.ts';
import { isFileKey, toFileKey } from './record-key.ts';

/*
 * Between a record and what its file has: fields with their initial value are left out, keys stand for IDs, and the translations of
 * a part stand in the part.
 */

type Values = Record<string, unknown>;

/** A record as files have it: its fields as parameters write them, with IDs. */
export interface RecordContent {
  id: string;
  document: Values;
  /** The texts of each language besides `default`, by the ID of their part. */
  translations: Translations;
}

/** The fields of the record that are not initial, in their order, with IDs. */
export function toDocument(schema: FieldSchema, record: Values, initial: Values): Values {
  const names = Object.keys(schema.properties ?? {});
  const kept = names.filter((name) => record[name] !== undefined && !isSameValue(record[name], initial[name]));
  return Object.fromEntries(kept.map((name) => [name, simplify(schema.properties?.[name] ?? {}, record[name], name)]));
}

/** The initial values of all fields that have one. */
export function initialValuesOf({ properties = {} }: FieldSchema): Values {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const value = initialValueOf(schema);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Leaves out what an object within a field has no value for. The filters of Segments lose their IDs, which follow from the filters. */
function simplify(schema: FieldSchema, value: unknown, list: string): unknown {
  const inner = withoutNull(schema);
  if (isPartList(inner)) return simplifyParts(inner, list, value as Values[]);
  if (hasFilters(inner) && Array.isArray(value))
    return value.map((one) => {
      const { id: _, ...filter } = one as Values;
      return filter;
    });
  if (Array.isArray(value)) return value.map((item) => simplify(inner.items ?? {}, item, list));
  if (!isRecord(value) || !inner.properties || Object.keys(inner.properties).length === 0) return value;
  const { properties } = inner;
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) => {
      const { [name]: one } = value;
      const field = properties[name] ?? {};
      if (one === undefined || field[IN_FILES] === false) return [];
      // Null is a value where something else is what comes without it.
      if (one === null && (field.default ?? null) === null) return [];
      return [[name, simplify(field, one, name)]];
    }),
  );
}

/** The parts of a list without their places and initial values. */
function simplifyParts({ items }: FieldSchema, list: string, parts: readonly Values[]): Values[] {
  const { position: _, ...properties } = items?.properties ?? {};
  const initial: Values = { buttons: [], ...initialValues(partFields[list as PartList]) };
  return parts.map((part) => toDocument({ properties }, part, initial));
}

interface Keys {
  /** The key of the record with this ID. */
  keyOf(id: string): string | undefined;
  /** The known keys of parts by their IDs, such as `hello/next`. */
  partKeys: ReadonlyMap<string, string>;
}

/** What the file of a record has, and the keys of all parts by their IDs. */
export function toFile(
  schema: FieldSchema,
  { id, document, translations }: RecordContent,
  { keyOf, partKeys }: Keys,
): { content: Values; parts: Record<string, string> } {
  const parts: Record<string, string> = {};
  const textsOf = (modelId: string): Values => {
    const languages = Object.keys(translations).filter((code) => translations[code]?.[modelId]);
    if (languages.length === 0) return {};
    return { translations: Object.fromEntries(languages.map((code) => [code, translations[code]?.[modelId]])) };
  };
  const writePart = (field: FieldSchema, part: Values, list: string, parent: string, taken: Set<string>): Values => {
    const partId = String(part.id);
    const known = partKeys.get(partId);
    const own = known?.startsWith(parent) ? known.slice(parent.length) : undefined;
    const called = [part.name, part.title, part.text].find((text) => typeof text === 'string');
    const wanted = isFileKey(own) ? own : toFileKey(String(called ?? ''), list.replace(/s$/, ''));
    let key = wanted;
    for (let next = 2; taken.has(key); next++) key = `${wanted}-${next}`;
    taken.add(key);
    parts[parent + key] = partId;
    const { id: _, ...others } = part;
    return { key, ...writeFields(field, others, `${parent}${key}/`), ...textsOf(partId) };
  };
  const write = (field: FieldSchema, value: unknown, name: string, parent: string): unknown => {
    const inner = withoutNull(field);
    if (inner[ID_OF]) return keyOf(String(value)) ?? value;
    if (hasFilters(inner)) return mapFilterIds(value, (one) => keyOf(one) ?? one);
    if (isPartList(inner)) {
      // Known keys come first, so that a new part never takes the key of another.
      const list = value as Values[];
      const taken = new Set<string>();
      const reserved = new Set(list.flatMap(({ id }) => partKeys.get(String(id))?.slice(parent.length) ?? []));
      return list.map((part) => {
        const isKnown = partKeys.has(String(part.id));
        return writePart(inner.items ?? {}, part, name, parent, isKnown ? taken : withReserved(taken, reserved));
      });
    }
    if (Array.isArray(value)) return value.map((item) => write(inner.items ?? {}, item, name, parent));
    return isRecord(value) && inner.properties ? writeFields(inner, value, parent) : value;
  };
  const writeFields = ({ properties = {} }: FieldSchema, value: Values, parent: string): Values =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, write(properties[name] ?? {}, one, name, parent)]),
    );
  const content = { ...writeFields(schema, document, ''), ...textsOf(id) };
  const steps = content.steps as object[] | undefined;
  if (!steps) return { content, parts };
  // Steps name others by their keys, which are known only now.
  const keys = new Map(Object.entries(parts).map(([key, partId]) => [partId, key]));
  return {
    content: { ...content, steps: steps.map((step) => mapStepReferences(step, (one) => keys.get(one))) },
    parts,
  };
}

function withReserved(taken: Set<string>, reserved: ReadonlySet<string>): Set<string> {
  for (const key of reserved) taken.add(key);
  return taken;
}

/** The texts of a part in its file. */
export interface FileTexts {
  /** The path of the part in the file, such as `steps[0].buttons[1]`; empty for the record itself. */
  path: string;
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Stands for what is not there, so that it is reported once. */
const NO_ID = '0'.repeat(24);

/** Finds what the keys of a file stand for. */
interface Ids {
  idOf(key: string): string | undefined;
  /** The IDs of the known parts by their keys. */
  parts: Readonly<Record<string, string>>;
}

/** The parameters that a file stands for, the key of each part by its path, and the translations. */
export function fromFile(
  schema: FieldSchema,
  content: Values,
  { idOf, parts }: Ids,
  problems: string[],
): { document: Values; keys: Map<string, string>; texts: FileTexts[] } {
  const keys = new Map<string, string>();
  const texts: FileTexts[] = [];
  const readId = (value: unknown, path: string): unknown => {
    if (typeof value !== 'string' || !value.includes('/')) return value;
    const id = idOf(value);
    if (id === undefined)
      addProblem(problems, path, `is ${value}, but there is no such file: add it, or correct the name`);
    return id ?? NO_ID;
  };
  const readTexts = (value: unknown, path: string): void => {
    if (value === undefined) return;
    const at = path === '' ? 'translations' : `${path}.translations`;
    const isTexts =
      isRecord(value) &&
      Object.values(value).every(
        (own) => isRecord(own) && Object.values(own).every((text) => typeof text === 'string'),
      );
    if (isTexts) texts.push({ path, texts: value as FileTexts['texts'] });
    else addProblem(problems, at, 'must be the texts of each language, such as `de: {title: Hallo}`');
  };
  const readPart = (field: FieldSchema, value: unknown, path: string, parent: string, taken: Set<string>): unknown => {
    if (!isRecord(value)) return value;
    const { key, translations, id: _, ...others } = value;
    const { id: _id, position: _place, ...properties } = field.properties ?? {};
    if (Object.hasOwn(value, 'id')) addProblem(problems, `${path}.id`, 'is not for files: they have a `key`');
    if (!isFileKey(key))
      addProblem(
        problems,
        `${path}.key`,
        `${key === undefined ? 'is required: give' : 'must be'} a short name in lower case, such as \`welcome\``,
      );
    else if (taken.has(key))
      addProblem(problems, `${path}.key`, `is there twice: no other part here may be \`${key}\``);
    else taken.add(key);
    const place = `${parent}${key}`;
    keys.set(path, place);
    readTexts(translations, path);
    const id = Object.hasOwn(parts, place) ? parts[place] : undefined;
    return { ...(id !== undefined && { id }), ...readFields({ properties }, others, path, `${place}/`) };
  };
  const read = (field: FieldSchema, value: unknown, path: string, parent: string): unknown => {
    const inner = withoutNull(field);
    if (inner[ID_OF]) return readId(value, path);
    if (hasFilters(inner)) return mapFilterIds(value, (one, at) => readId(one, `${path}${at}`) as string);
    if (!Array.isArray(value))
      return isRecord(value) && inner.properties ? readFields(inner, value, path, parent) : value;
    const taken = new Set<string>();
    return value.map((item, at) =>
      isPartList(inner)
        ? readPart(inner.items ?? {}, item, `${path}[${at}]`, parent, taken)
        : read(inner.items ?? {}, item, `${path}[${at}]`, parent),
    );
  };
  const readFields = ({ properties = {} }: FieldSchema, value: Values, path: string, parent: string): Values => {
    // An object without its own properties can have any.
    const isOpen = Object.keys(properties).length === 0;
    const known = Object.keys(value).filter((name) => isOpen || Object.hasOwn(properties, name));
    for (const name of Object.keys(value))
      if (!known.includes(name))
        addProblem(
          problems,
          path === '' ? name : `${path}.${name}`,
          'is no field of this: correct its name, or remove it',
        );
    return Object.fromEntries(
      known.map((name) => [
        name,
        read(properties[name] ?? {}, value[name], path === '' ? name : `${path}.${name}`, parent),
      ]),
    );
  };
  const { translations, ...fields } = withPlaces(content);
  readTexts(translations, '');
  return { document: readFields(schema, fields, '', ''), keys, texts };
}

/** Steps name others by their keys. A step that is new has no ID, so they are named by their places instead. */
function withPlaces(content: Values): Values {
  const steps = content.steps;
  if (!Array.isArray(steps)) return content;
  const places = new Map(steps.map((step, at) => [isRecord(step) ? step.key : undefined, String(at)]));
  const placeOf = (key: string) => places.get(key);
  return {
    ...content,
    steps: steps.map((step: unknown) => (isRecord(step) ? mapStepReferences(step, placeOf) : step)),
  };
}

/** The stored form of the translations of a file. `idOf` finds the part at a path. */
export function toTranslations(texts: readonly FileTexts[], idOf: (path: string) => string): Translations {
  const all: Record<string, Texts> = {};
  for (const { path, texts: own } of texts)
    for (const [code, fields] of Object.entries(own)) all[code] = { ...all[code], [idOf(path)]: { ...fields } };
  return all;
}

/** The kinds of filters whose value is the ID of a record. */
const namingKinds: readonly string[] = [...listKindsWith('isExclusive'), 'segment'];

/** Replaces the IDs that filters name: of tours, surveys and Segments, also in groups. */
function mapFilterIds(filters: unknown, map: (id: string, path: string) => string, path = ''): unknown {
  if (!Array.isArray(filters)) return filters;
  return filters.map((filter: unknown, at) => {
    if (!isRecord(filter)) return filter;
    const here = `${path}[${at}]`;
    if (filter.kind === 'group') return { ...filter, filters: mapFilterIds(filter.filters, map, `${here}.filters`) };
    const isNamed = namingKinds.includes(String(filter.kind)) && typeof filter.value === 'string';
    return isNamed ? { ...filter, value: map(filter.value as string, `${here}.value`) } : filter;
  });
}

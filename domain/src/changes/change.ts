import Type, { type Static } from 'typebox';
import {
  buildInitialValues,
  buttonFields,
  type Document,
  type ExperienceKind,
  fieldsOfKind,
  itemFields,
  stepFields,
} from '../content/experience.ts';
import { Id, Nullable, OneOf, OutputObject, standardFields } from '../params/schema.ts';

/*
 * What changed between two documents, model by model, told so completely that the one can be made of the other, in both
 * directions. The texts of other languages are told in the same way.
 */

export const modelTypes = ['Campaign', 'List', 'Tooltip', 'Step', 'Button', 'ListItem'] as const;
export type ModelType = (typeof modelTypes)[number];
export const changeKinds = ['create', 'update', 'destroy', 'raw', 'partial', 'related', 'revert', 'apply'] as const;
export type ChangeKind = (typeof changeKinds)[number];
export type ChangeOp = 'create' | 'update' | 'destroy';
/** `[before, after]`. */
export type Diff = [unknown, unknown];

/** One model that changed. */
export interface ModelChange {
  op: ChangeOp;
  model_id: string;
  model_type: ModelType;
  /** Where the model is, or was, in the document; `translations.de` for the texts of a language. */
  path: string;
  /** The fields of what was made or is gone, flat; or `[before, after]` of each field that changed. */
  object: Record<string, unknown>;
}

/** The document with its texts in other languages: by language, by ID of the model, by key. */
export interface Content {
  document: Document;
  translations: Translations;
}
export type Texts = Record<string, Record<string, string>>;
export type Translations = Record<string, Texts>;

/** A Change as the API shows it. */
export const Change = OutputObject({
  ...standardFields,
  experience_id: Id,
  model_id: Id,
  model_type: OneOf(modelTypes),
  kind: OneOf(changeKinds),
  path: Type.String(),
  object: Type.Record(Type.String(), Type.Unknown()),
  options: Type.Record(Type.String(), Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 })),
  user: OutputObject({ id: Id, name: Type.String(), email: Type.String() }),
});
export type Change = Static<typeof Change>;

const ChangeUpdate = OutputObject({ name: Type.String(), description: Nullable(Type.String()), value: Type.Unknown() });
export type ChangeUpdate = Static<typeof ChangeUpdate>;
const pair = <S extends ReturnType<typeof Nullable>>(schema: S) => Type.Array(schema, { minItems: 2, maxItems: 2 });
const summarized = {
  model_id: Id,
  path: Type.String(),
  kind: OneOf(['create', 'update', 'destroy']),
  capture_id: pair(Nullable(Id)),
  object: Nullable(ChangeUpdate),
};
export const ChangeSummary = OutputObject({
  ...summarized,
  change_id: pair(Nullable(Id)),
  changes: Type.Array(OutputObject(summarized)),
});
export type ChangeSummary = Static<typeof ChangeSummary>;

export function modelTypeOf(kind: ExperienceKind): ModelType {
  return kind === 'launcher' ? 'List' : kind === 'tooltip' ? 'Tooltip' : 'Campaign';
}

type Model = Record<string, unknown> & { id: string };

interface Place {
  model: Model;
  type: ModelType;
  path: string;
  /** The ID of the model that it is a part of. */
  parent: string;
}

const lists = {
  Campaign: 'steps',
  Tooltip: 'steps',
  List: 'items',
  Step: 'buttons',
  Button: '',
  ListItem: '',
} as const;
const partTypes: Record<string, ModelType> = { steps: 'Step', items: 'ListItem', buttons: 'Button' };

/** Every model of a document by its ID, parents before their parts. */
function modelsOf(id: string, document: Document | null): Map<string, Place> {
  const places = new Map<string, Place>();
  const visit = (model: Model, type: ModelType, path: string, parent: string) => {
    places.set(model.id, { model, type, path: path === '' ? 'model' : path, parent });
    for (const list of ['steps', 'items', 'buttons']) {
      const parts = (model[list] ?? []) as Model[];
      for (const [index, part] of parts.entries())
        visit(part, partTypes[list] as ModelType, within(path, list, index), model.id);
    }
  };
  if (document) visit({ ...document, id }, modelTypeOf(document.kind), '', '');
  return places;
}

function within(path: string, list: string, index: number): string {
  return `${path === '' ? '' : `${path}.`}${list}.${index}`;
}

/** The fields of a model itself. */
function ownFields({ id: _, kind, steps: _s, items: _i, buttons: _b, ...fields }: Model, type: ModelType) {
  // The kind of an Experience never changes; that of an item does.
  return type === 'ListItem' ? { kind, ...fields } : fields;
}

/** A Button that went to another Step is gone from the one and new in the other. */
export function diffDocuments(id: string, before: Document | null, after: Document | null): ModelChange[] {
  const [olds, news] = [modelsOf(id, before), modelsOf(id, after)];
  const changes: ModelChange[] = [];
  for (const [model_id, { model, type: model_type, path, parent }] of news) {
    const old = olds.get(model_id);
    const fields = ownFields(model, model_type);
    if (old?.parent !== parent) changes.push({ op: 'create', model_id, model_type, path, object: flatten(fields) });
    else {
      const object = diffFields(ownFields(old.model, model_type), fields);
      if (Object.keys(object).length > 0) changes.push({ op: 'update', model_id, model_type, path, object });
    }
  }
  for (const [model_id, { model, type: model_type, path, parent }] of olds)
    if (news.get(model_id)?.parent !== parent)
      changes.push({ op: 'destroy', model_id, model_type, path, object: flatten(ownFields(model, model_type)) });
  return changes;
}

function diffFields(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, Diff> {
  const names = Object.keys({ ...before, ...after });
  const diffs = names.map((name): [string, Diff] => [name, [own(before, name), own(after, name)]]);
  return Object.fromEntries(diffs.filter(([, [one, other]]) => !isEqual(one, other)));
}

function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

/** What changed in the texts of a language. A model that is not in the document any more keeps its texts, unseen. */
export function diffTexts(
  id: string,
  document: Document,
  language: string,
  before: Texts,
  after: Texts,
): ModelChange[] {
  const changes: ModelChange[] = [];
  for (const [model_id, { type, path }] of modelsOf(id, document)) {
    const object = diffFields(before[model_id] ?? {}, after[model_id] ?? {});
    if (Object.keys(object).length === 0) continue;
    changes.push({ op: 'update', model_id, model_type: type, path: `translations.${language}.${path}`, object });
  }
  return changes;
}

/**
 * The same as one change of the Experience, with `<ID of the model>.<key>` for each text. A file can change all texts of
 * a thousand Experiences: told for each model, that was 30,000 Changes, and took twice as long as all the rest.
 */
export function diffLanguage(
  id: string,
  document: Document,
  language: string,
  before: Texts,
  after: Texts,
): ModelChange[] {
  // No prototype: an object that has one learns the shape of each set of IDs anew, and takes twice as long.
  const object: Record<string, Diff> = Object.create(null);
  for (const modelId of idsOf(id, document)) {
    const [was, is] = [before[modelId] ?? {}, after[modelId] ?? {}];
    for (const key of Object.keys(is))
      if (own(was, key) !== is[key]) object[`${modelId}.${key}`] = [own(was, key), is[key]];
    for (const key of Object.keys(was)) if (!Object.hasOwn(is, key)) object[`${modelId}.${key}`] = [was[key], null];
  }
  if (Object.keys(object).length === 0) return [];
  const model_type = modelTypeOf(document.kind);
  return [{ op: 'update', model_id: id, model_type, path: `translations.${language}`, object }];
}

function* idsOf(id: string, { steps, items = [] }: Document): Generator<string> {
  yield id;
  for (const step of steps) {
    yield step.id;
    for (const button of step.buttons) yield button.id;
  }
  for (const item of items) yield item.id;
}

/** What undoes these changes, in the order in which it has to be done. */
export function invertChanges(changes: readonly ModelChange[]): ModelChange[] {
  return changes
    .map((change): ModelChange => {
      if (change.op !== 'update') return { ...change, op: change.op === 'create' ? 'destroy' : 'create' };
      const object = Object.fromEntries(
        Object.entries(change.object).map(([name, diff]) => [name, [...(diff as Diff)].reverse()]),
      );
      return { ...change, object };
    })
    .reverse();
}

/** The content after these changes, all of which were made to it at once. */
export function applyChanges(id: string, content: Content, changes: readonly ModelChange[]): Content {
  const texts = changes.filter(({ path }) => path.startsWith('translations.'));
  const models = changes.filter(({ path }) => !path.startsWith('translations.'));
  return {
    document: applyToDocument(id, content.document, models),
    translations: applyToTexts(content.translations, texts),
  };
}

/** What a document is before anything was written in it. */
export function emptyDocument(kind: ExperienceKind): Document {
  const parts = { steps: [], ...(kind === 'launcher' && { items: [] }) };
  return { kind, ...buildInitialValues(fieldsOfKind(kind)), ...parts } as unknown as Document;
}

function applyToDocument(id: string, document: Document, changes: readonly ModelChange[]): Document {
  const byOp = (op: ChangeOp) =>
    new Map(changes.filter((change) => change.op === op).map((change) => [change.model_id, change]));
  const [created, updated, destroyed] = [byOp('create'), byOp('update'), byOp('destroy')];
  const withFields = (model: Model): Model => {
    const diffs = Object.entries(updated.get(model.id)?.object ?? {});
    return { ...model, ...Object.fromEntries(diffs.map(([name, diff]) => [name, (diff as Diff)[1]])) };
  };
  const rebuild = (model: Model, type: ModelType, path: string): Model => {
    const list = lists[type];
    if (list === '') return model;
    const kept = ((model[list] ?? []) as Model[]).filter((part) => !destroyed.has(part.id)).map(withFields);
    const added = [...created.values()].filter((change) => isPartOf(change.path, path, list)).map(modelOf);
    const parts = [...kept, ...added]
      .sort((one, other) => (one.position as number) - (other.position as number))
      .map((part, index) => rebuild(part, partTypes[list] as ModelType, within(path, list, index)));
    return { ...model, [list]: parts };
  };
  const made = created.get(id);
  const start = made ? { ...emptyDocument(document.kind), ...unflatten(made.object) } : document;
  const { id: _, ...root } = rebuild(withFields({ ...start, id }), modelTypeOf(document.kind), '');
  return root as unknown as Document;
}

function isPartOf(path: string, parent: string, list: string): boolean {
  const keys = path.split('.');
  return keys.at(-2) === list && keys.slice(0, -2).join('.') === parent;
}

function modelOf({ model_id, model_type, object }: ModelChange): Model {
  const start =
    model_type === 'Step'
      ? { ...buildInitialValues(stepFields), buttons: [] }
      : buildInitialValues(model_type === 'Button' ? buttonFields : model_type === 'ListItem' ? itemFields : {});
  return { id: model_id, ...start, ...unflatten(object) };
}

function applyToTexts(translations: Translations, changes: readonly ModelChange[]): Translations {
  const result: Translations = { ...translations };
  for (const { path, object } of changes) {
    const language = path.slice('translations.'.length);
    const texts = new Map(
      Object.entries(result[language] ?? {}).map(([id, mine]) => [id, new Map(Object.entries(mine))]),
    );
    for (const [place, diff] of Object.entries(object)) {
      const [modelId = '', ...key] = place.split('.');
      const mine = texts.get(modelId) ?? new Map<string, string>();
      const after = (diff as Diff)[1];
      if (typeof after === 'string') texts.set(modelId, mine.set(key.join('.'), after));
      else if (mine.delete(key.join('.')) && mine.size === 0) texts.delete(modelId);
    }
    if (texts.size === 0) delete result[language];
    else result[language] = Object.fromEntries([...texts].map(([id, mine]) => [id, Object.fromEntries(mine)]));
  }
  return result;
}

/*
 * Lists and objects as scalars: `elements.0.selector`. An empty list is left out, as it is at the start. A key that could
 * be taken for a place in a list, or that has a dot, is told from one by a backslash.
 */

export function flatten(value: Record<string, unknown>): Record<string, unknown> {
  const flat: [string, unknown][] = [];
  const visit = (part: unknown, path: string) => {
    if (typeof part !== 'object' || part === null) flat.push([path, part]);
    else
      for (const [key, item] of Object.entries(part)) {
        const name = Array.isArray(part) ? key : key.replace(/[\\.]|^(?=\d+$)/g, '\\$&');
        visit(item, path === '' ? name : `${path}.${name}`);
      }
  };
  visit(value, '');
  return Object.fromEntries(flat);
}

export function unflatten(flat: Record<string, unknown>): Record<string, unknown> {
  const leaves = Object.entries(flat).map(([path, value]): Leaf => ({ keys: keysOf(path), value }));
  return leaves.length === 0 ? {} : (grow(leaves) as Record<string, unknown>);
}

interface Leaf {
  keys: string[];
  value: unknown;
}

function keysOf(path: string): string[] {
  return path.match(/(?:\\.|[^\\.])+/gs) ?? [];
}

function grow(leaves: readonly Leaf[]): unknown {
  const branches = new Map<string, Leaf[]>();
  for (const { keys, value } of leaves) {
    const [key, ...rest] = keys;
    if (key === undefined) return value;
    const branch = branches.get(key);
    if (branch) branch.push({ keys: rest, value });
    else branches.set(key, [{ keys: rest, value }]);
  }
  const grown = [...branches].map(([key, branch]): [string, unknown] => [key, grow(branch)]);
  if (!grown.every(([key]) => /^\d+$/.test(key)))
    return Object.fromEntries(grown.map(([key, value]) => [key.replace(/\\(.)/gs, '$1'), value]));
  return grown.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}

/** In whichever order their keys come: PostgreSQL has one of its own. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other || (one ?? null) === (other ?? null)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(at(one, key), at(other, key)))
  );
}

/* PostgreSQL keeps the keys of JSON in an order of its own: on the wire they have that of the fields. */

const orders: Record<ModelType, readonly string[]> = {
  Campaign: Object.keys(fieldsOfKind('tour')),
  List: Object.keys(fieldsOfKind('launcher')),
  Tooltip: Object.keys(fieldsOfKind('tooltip')),
  Step: ['position', ...Object.keys(stepFields)],
  Button: ['position', ...Object.keys(buttonFields)],
  ListItem: ['position', ...Object.keys(itemFields)],
};
const partOrder = ['selector', 'text', 'shadow_selector', 'url', 'match_type'];

export function sortByFieldOrder(type: ModelType, object: Record<string, unknown>): Record<string, unknown> {
  return ordered(object, orders[type]);
}

function ordered(object: Record<string, unknown>, order: readonly string[]): Record<string, unknown> {
  const rank = (key: string, names: readonly string[]) => {
    const at = names.indexOf(key);
    return at < 0 ? names.length : at;
  };
  const compare = (one: string, other: string): number => {
    const [ones, others] = [one.split('.'), other.split('.')];
    const first = rank(ones[0] as string, order) - rank(others[0] as string, order);
    if (first !== 0) return first;
    for (let at = 0; at < Math.max(ones.length, others.length); at++) {
      const [a = '', b = ''] = [ones[at], others[at]];
      if (a === b) continue;
      return Number(a) - Number(b) || rank(a, partOrder) - rank(b, partOrder) || (a < b ? -1 : 1);
    }
    return 0;
  };
  const sorted = Object.entries(object).sort(([one], [other]) => compare(one, other));
  return Object.fromEntries(sorted.map(([key, value]) => [key, orderedWithin(value)]));
}

function orderedWithin(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(orderedWithin) : ordered(value as Record<string, unknown>, partOrder);
}

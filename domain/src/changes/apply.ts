import { completeField } from '../content/complete-field.ts';
import type { Content, Translations } from '../content/content.ts';
import { type Document, emptyDocument } from '../content/experience.ts';
import { initialValues } from '../fields/derive.ts';
import type { Fields } from '../fields/field.ts';
import { type ChangeOp, type Diff, type ModelChange, type ModelType, modelTypeOf } from './change.ts';
import { unflatten } from './flatten.ts';
import { type Model, modelFields, partLists, partPath, partTypes } from './models.ts';

/** The changes that undo these, in the order in which they are applied. */
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

/** The content after these changes, which were made together. */
export function applyChanges(id: string, content: Content, changes: readonly ModelChange[]): Content {
  const texts = changes.filter(({ path }) => path.startsWith('translations.'));
  const models = changes.filter(({ path }) => !path.startsWith('translations.'));
  return {
    document: applyToDocument(id, content.document, models),
    translations: applyToTexts(content.translations, texts),
  };
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
    const list = partLists[type];
    if (!list) return model;
    const kept = ((model[list] ?? []) as Model[]).filter((part) => !destroyed.has(part.id)).map(withFields);
    const added = [...created.values()].filter((change) => isPartOf(change.path, path, list)).map(createModel);
    const parts = [...kept, ...added]
      .sort((one, other) => (one.position as number) - (other.position as number))
      .map((part, index) => rebuild(part, partTypes[list], partPath(path, list, index)));
    return { ...model, [list]: parts };
  };
  const creation = created.get(id);
  const fields = modelFields[modelTypeOf(document.kind)];
  const start = creation
    ? { ...emptyDocument(document.kind), ...completeFields(unflatten(creation.object), fields) }
    : document;
  const { id: _, ...root } = rebuild(withFields({ ...start, id }), modelTypeOf(document.kind), '');
  return root as unknown as Document;
}

function isPartOf(path: string, parent: string, list: string): boolean {
  const keys = path.split('.');
  return keys.at(-2) === list && keys.slice(0, -2).join('.') === parent;
}

function createModel({ model_id, model_type, object }: ModelChange): Model {
  const list = partLists[model_type];
  const initial = { ...initialValues(modelFields[model_type]), ...(list && { [list]: [] }) };
  return { id: model_id, ...initial, ...completeFields(unflatten(object), modelFields[model_type]) };
}

function completeFields(values: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, completeField(fields[name]?.type, value)]),
  );
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

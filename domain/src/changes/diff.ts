import type { Texts } from '../content/content.ts';
import type { Document } from '../content/experience.ts';
import type { ThemeDocument } from '../themes/theme-document.ts';
import { type Diff, type ModelChange, modelTypeOf } from './change.ts';
import { flatten } from './flatten.ts';
import { listModels, ownFields } from './models.ts';

/** The changes between two documents. A Button that moved to another Step counts as destroyed and created. */
export function diffDocuments(id: string, before: Document | null, after: Document | null): ModelChange[] {
  const [olds, news] = [listModels(id, before), listModels(id, after)];
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

/** The changes between two themes. Variations are one value. */
export function diffThemes(id: string, before: ThemeDocument | null, after: ThemeDocument | null): ModelChange[] {
  const model = { model_id: id, model_type: 'Theme' as const, path: 'model' };
  if (!before || !after) {
    const op = before ? ('destroy' as const) : ('create' as const);
    return [{ ...model, op, object: flatten(before ?? after ?? {}) }];
  }
  const object = diffFields(before, after);
  return Object.keys(object).length === 0 ? [] : [{ ...model, op: 'update', object }];
}

export function diffFields(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, Diff> {
  const names = Object.keys({ ...before, ...after });
  const diffs = names.map((name): [string, Diff] => [name, [valueOrNull(before, name), valueOrNull(after, name)]]);
  return Object.fromEntries(diffs.filter(([, [one, other]]) => !isEqual(one, other)));
}

function valueOrNull(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

/** The changes of the texts of a language. Texts of models that the document no longer has are ignored. */
export function diffTexts(
  id: string,
  document: Document,
  language: string,
  before: Texts,
  after: Texts,
): ModelChange[] {
  const changes: ModelChange[] = [];
  for (const [model_id, { type, path }] of listModels(id, document)) {
    const object = diffFields(before[model_id] ?? {}, after[model_id] ?? {});
    if (Object.keys(object).length === 0) continue;
    changes.push({ op: 'update', model_id, model_type: type, path: `translations.${language}.${path}`, object });
  }
  return changes;
}

/**
 * The same as `diffTexts`, but as one change of the Experience, with the key `<ID of the model>.<field>` for each text. A
 * file can change all texts of a thousand Experiences: one change for each model made 30,000 Changes, and took twice as
 * long as everything else.
 */
export function diffLanguage(
  id: string,
  document: Document,
  language: string,
  before: Texts,
  after: Texts,
): ModelChange[] {
  // Without a prototype, the engine does not learn a new object shape for each set of IDs, which takes twice as long.
  const object: Record<string, Diff> = Object.create(null);
  for (const modelId of listModelIds(id, document)) {
    const [was, is] = [before[modelId] ?? {}, after[modelId] ?? {}];
    for (const key of Object.keys(is))
      if (valueOrNull(was, key) !== is[key]) object[`${modelId}.${key}`] = [valueOrNull(was, key), is[key]];
    for (const key of Object.keys(was)) if (!Object.hasOwn(is, key)) object[`${modelId}.${key}`] = [was[key], null];
  }
  if (Object.keys(object).length === 0) return [];
  const model_type = modelTypeOf(document.kind);
  return [{ op: 'update', model_id: id, model_type, path: `translations.${language}`, object }];
}

function* listModelIds(id: string, { steps, items = [] }: Document): Generator<string> {
  yield id;
  for (const step of steps) {
    yield step.id;
    for (const button of step.buttons) yield button.id;
  }
  for (const item of items) yield item.id;
}

/** Compares without regard to the order of keys, because PostgreSQL changes it. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other || (one ?? null) === (other ?? null)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(at(one, key), at(other, key)))
  );
}

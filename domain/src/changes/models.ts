import type { Document } from '../content/experience.ts';
import type { Fields } from '../fields/field.ts';
import { type PartList, partFields } from '../fields/part-fields.ts';
import { experienceKinds, fieldsOfKind, kinds } from '../kinds/kinds.ts';
import { type ModelType, modelTypeOf } from './change.ts';

export type Model = Record<string, unknown> & { id: string };

/** A model and where it is in the document. */
export interface ModelPlace {
  model: Model;
  type: ModelType;
  path: string;
  /** The ID of the model that contains it. */
  parent: string;
}

export const partTypes: Record<PartList, ModelType> = { steps: 'Step', items: 'ListItem', buttons: 'Button' };
/** The field in which a model of this type has its parts. */
export const partLists: Partial<Record<ModelType, PartList>> = {
  ...Object.fromEntries(Object.values(kinds).map(({ modelType, parts }) => [modelType, parts])),
  Step: 'buttons',
};
/** The fields of a model of this type. Kinds with the same type may differ in some. Themes have fields of another form. */
export const modelFields = Object.fromEntries([
  ['Theme', {}],
  ...experienceKinds.map((kind) => [modelTypeOf(kind), fieldsOfKind(kind)]).reverse(),
  ...Object.entries(partTypes).map(([list, type]) => [type, partFields[list as PartList]]),
]) as Record<ModelType, Fields>;

/** Every model of a document by its ID. Parents come before their parts. */
export function listModels(id: string, document: Document | null): Map<string, ModelPlace> {
  const places = new Map<string, ModelPlace>();
  const visit = (model: Model, type: ModelType, path: string, parent: string) => {
    places.set(model.id, { model, type, path: path === '' ? 'model' : path, parent });
    for (const list of ['steps', 'items', 'buttons'] as const) {
      const parts = (model[list] ?? []) as Model[];
      for (const [index, part] of parts.entries()) visit(part, partTypes[list], partPath(path, list, index), model.id);
    }
  };
  if (document) visit({ ...document, id }, modelTypeOf(document.kind), '', '');
  return places;
}

export function partPath(path: string, list: string, index: number): string {
  return `${path === '' ? '' : `${path}.`}${list}.${index}`;
}

/** The fields of a model without its parts. */
export function ownFields({ id: _, kind, steps: _s, items: _i, buttons: _b, ...fields }: Model, type: ModelType) {
  // The kind of an Experience never changes; that of an item does.
  return type === 'ListItem' ? { kind, ...fields } : fields;
}

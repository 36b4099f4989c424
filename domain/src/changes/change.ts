import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, standardFields } from '../basics/schema.ts';
import { type ExperienceKind, kinds } from '../kinds/kinds.ts';

/*
 * A Change is a complete diff: the document before it and the document after it can be computed from each other. The
 * texts in other languages are recorded in the same way.
 */

export const modelTypes = ['Campaign', 'List', 'Tooltip', 'Step', 'Button', 'ListItem', 'Theme'] as const;
export type ModelType = (typeof modelTypes)[number];
export const changeKinds = ['create', 'update', 'destroy', 'raw', 'partial', 'related', 'revert', 'apply'] as const;
export type ChangeKind = (typeof changeKinds)[number];
export type ChangeOp = 'create' | 'update' | 'destroy';
/** A value as `[before, after]`. */
export type Diff = [unknown, unknown];

/** The change of one model. */
export interface ModelChange {
  op: ChangeOp;
  model_id: string;
  model_type: ModelType;
  /** The path of the model in the document; `translations.de` stands for the texts of a language. */
  path: string;
  /** The flattened fields of a created or destroyed model, or `[before, after]` of each updated field. */
  object: Record<string, unknown>;
}

/** A Change as the API shows it. */
export const Change = OutputObject({
  ...standardFields,
  /** The ID of the Experience, or of the theme. */
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
const summaryFields = {
  model_id: Id,
  path: Type.String(),
  kind: OneOf(['create', 'update', 'destroy']),
  capture_id: pair(Nullable(Id)),
  object: Nullable(ChangeUpdate),
};
export const ChangeSummary = OutputObject({
  ...summaryFields,
  change_id: pair(Nullable(Id)),
  changes: Type.Array(OutputObject(summaryFields)),
});
export type ChangeSummary = Static<typeof ChangeSummary>;

export function modelTypeOf(kind: ExperienceKind): ModelType {
  return kinds[kind].modelType;
}

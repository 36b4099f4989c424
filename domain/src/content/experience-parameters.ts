import Type, { type TProperties } from 'typebox';
import { Id, Nullable, notInFiles, OneOf, SeenUpdatedAt, Text } from '../basics/schema.ts';
import { buttonFields } from '../fields/button-fields.ts';
import { commonFields } from '../fields/experience-fields.ts';
import { itemFields } from '../fields/item-fields.ts';
import { MAX_PARTS } from '../fields/part-fields.ts';
import { stepFields } from '../fields/step-fields.ts';
import { type ExperienceKind, experienceKinds, fieldsOfKind, kinds, ownFields } from '../kinds/kinds.ts';
import { toParameterSchemas } from './field-schemas.ts';
import { templateIds } from './template-ids.ts';

/*
 * The parameters that write an Experience. All are optional: a field that is left out keeps its value, or gets its initial
 * value in a new Experience.
 */

const partId = Type.Optional(
  Type.Unsafe<string>({ ...Id, description: 'the ID of a part that is there, or none for a new one' }),
);
const position = Type.Optional(
  Type.Unsafe<number>({ type: 'integer', minimum: 0, description: 'a whole number from 0: the place in the list' }),
);
const parts = (fields: TProperties, maxItems: number, description: string) =>
  Type.Optional(
    Type.Unsafe<PartFields[]>({ ...Type.Array(Type.Object({ id: partId, ...fields })), maxItems, description }),
  );

const buttons = parts(toParameterSchemas(buttonFields), MAX_PARTS.buttons, 'a list of buttons');
export const ButtonParameters = Type.Object({ ...toParameterSchemas(buttonFields), position });
export const StepParameters = Type.Object({ ...toParameterSchemas(stepFields), buttons, position });
export const ItemParameters = Type.Object({ ...toParameterSchemas(itemFields), position });

/** Some fields of a part, as a request has them. */
export type PartFields = { id?: string; position?: number; buttons?: PartFields[] } & Record<string, unknown>;

/** A parameter that adds one ID to a list, or removes it. */
export const addOrRemove = (what: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: '^[+-][0-9a-f]{24}$',
      description: `\`+\` or \`-\` and the ID of ${what}, to add or to remove it`,
    }),
  );

const singular = (list: string) =>
  Type.Optional(
    notInFiles(
      Nullable(
        Type.Unsafe<string>({ ...Id, description: `the ID of a Segment: the same as \`${list}\` with this one` }),
      ),
    ),
  );
/** Parameters that stand for a list with one ID. */
export const singularParameters = { segment_id: 'segment_ids', excluded_segment_id: 'excluded_segment_ids' } as const;

/** The parameters of all kinds. A kind ignores the parameters that it does not have. */
export const ExperienceParameters = Type.Object({
  ...toParameterSchemas(commonFields),
  segment_id: singular(singularParameters.segment_id),
  excluded_segment_id: singular(singularParameters.excluded_segment_id),
  ...toParameterSchemas(ownFields),
  steps: parts({ ...toParameterSchemas(stepFields), buttons }, MAX_PARTS.steps, 'a list of steps'),
  items: parts(toParameterSchemas(itemFields), MAX_PARTS.items, 'a list of items'),
});
const otherParameters = new Map(
  experienceKinds.map((kind) => {
    const own = { ...fieldsOfKind(kind), ...singularParameters, [kinds[kind].parts]: true };
    return [kind, Object.keys(ExperienceParameters.properties).filter((name) => !Object.hasOwn(own, name))];
  }),
);
/** The parameters that this kind ignores. */
export function listOtherKindParameters(kind: ExperienceKind): readonly string[] {
  return otherParameters.get(kind) ?? [];
}

export const CreateExperience = Type.Object({
  ...ExperienceParameters.properties,
  name: Text('the name'),
  template_id: Type.Optional(notInFiles(OneOf(templateIds))),
});
/** Some fields of an Experience, as a request has them. */
export type ExperienceFields = { steps?: PartFields[]; items?: PartFields[] } & Record<string, unknown>;

export const UpdateExperience = Type.Object({
  ...ExperienceParameters.properties,
  url_group_id: addOrRemove('an Environment'),
  tag_id: addOrRemove('a Tag'),
  updated_at: SeenUpdatedAt,
  autosave: Type.Optional(Type.Boolean()),
});

import Type, { type Static } from 'typebox';
import { Tag } from '../account/tag.ts';
import { Id, OneOf, OutputObject, Text } from '../basics/schema.ts';
import { commonFields } from '../fields/experience-fields.ts';
import { experienceKinds, kinds } from '../kinds/kinds.ts';
import { addOrRemove } from './experience-parameters.ts';

const MAX_UPDATES = 500;
/** An Experience has at most so many Tags. */
export const MAX_TAGS = commonFields.tag_ids.max ?? 0;
const modelTypes = [...new Set(experienceKinds.map((kind) => kinds[kind].modelType))];

const TagsUpdate = Type.Object({
  model_id: Type.Unsafe<string>({ ...Id, description: 'the ID of an Experience' }),
  model_type: OneOf(modelTypes),
  tag_id: addOrRemove('a Tag'),
  tag_name: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: '^[+-]',
      maxLength: 256,
      description: '`+` or `-` and the name of a Tag, to add or to remove it',
    }),
  ),
  tag_names: Type.Optional(
    Type.Unsafe<string[]>({
      ...Type.Array(Text('the name of a Tag')),
      maxItems: MAX_TAGS,
      description: 'a list of the names of Tags, in place of the Tags that the Experience has',
    }),
  ),
});
export type TagsUpdate = Static<typeof TagsUpdate>;

export const UpdateTags = Type.Object({
  updates: Type.Unsafe<TagsUpdate[]>({
    ...Type.Array(TagsUpdate),
    minItems: 1,
    maxItems: MAX_UPDATES,
    description: 'a list of updates, each with `model_id`, `model_type`, and `tag_id`, `tag_name` or `tag_names`',
  }),
});
export type UpdateTags = Static<typeof UpdateTags>;

export const UpdatedTags = OutputObject({
  updates: Type.Array(OutputObject({ model_id: Id, model_type: OneOf(modelTypes), tag_ids: Type.Array(Id) })),
  tags: Type.Array(Tag),
});
export type UpdatedTags = Static<typeof UpdatedTags>;

import Type, { type Static } from 'typebox';
import { orderedPageParameters } from '../basics/cursor.ts';
import { Id, OneOf, OutputObject, Text, Time } from '../basics/schema.ts';

/*
 * Which Responses a list or a file has, and the Tags by which people sort them.
 */

export const responseOrders = ['created_at', 'updated_at', 'highest_score', 'lowest_score'] as const;
export type ResponseOrder = (typeof responseOrders)[number];

const MAX_TAG = 50;
export const MAX_RESPONSE_TAGS = 20;
const MAX_RESPONSES_PER_UPDATE = 500;
const MAX_PROPERTIES = 20;

/** The highest number that a question can ask for. */
export const MAX_SCORE = 11;

const score = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SCORE, description }));
const TagName = Text(`a word or a few, up to ${MAX_TAG} characters`, MAX_TAG);

/** The filters of Responses. All of them must match. */
export const responseFilters = {
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  finished: Type.Optional(Type.Boolean()),
  min_score: score('a whole number: the lowest score'),
  max_score: score('a whole number: the highest score'),
  step_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of a step that was answered' })),
  options: Type.Optional(
    Type.Array(Text('an answer to `step_id`: the ID of an option or a button, a number, or `other`'), {
      maxItems: 50,
      description: 'a list of answers to `step_id`',
    }),
  ),
  has_comment: Type.Optional(Type.Boolean()),
  search: Type.Optional(Text('a part of what users wrote', 200)),
  language: Type.Optional(Text('the code of a language, or `default`', 35)),
  segment_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of a Segment' })),
  tag: Type.Optional(TagName),
};
const ResponseFilters = Type.Object(responseFilters);
export type ResponseFilters = Static<typeof ResponseFilters>;

/** What a list shows of each Response besides its usual fields. */
export const responseDetails = {
  details: Type.Optional(Type.Boolean()),
  properties: Type.Optional(
    Type.Array(Text('the key of a custom property'), {
      maxItems: MAX_PROPERTIES,
      description: 'a list of keys of custom properties',
    }),
  ),
};

export const responsePageParameters = {
  ...orderedPageParameters,
  order: OneOf(responseOrders, { default: 'created_at' }),
};

export const UpdateResponses = Type.Object({
  ids: Type.Array(Id, { minItems: 1, maxItems: MAX_RESPONSES_PER_UPDATE, description: 'a list of IDs of Responses' }),
  add_tags: Type.Optional(Type.Array(TagName, { maxItems: MAX_RESPONSE_TAGS })),
  remove_tags: Type.Optional(Type.Array(TagName, { maxItems: MAX_RESPONSE_TAGS })),
});
export type UpdateResponses = Static<typeof UpdateResponses>;

/** The Tags that Responses to a survey have. */
export const ResponseTag = OutputObject({ name: Type.String(), count: Type.Integer() });
export type ResponseTag = Static<typeof ResponseTag>;

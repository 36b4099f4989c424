import Type, { type TProperties, type TSchema } from 'typebox';
import { ID_PATTERN } from './id.ts';
import type { Millis } from './time.ts';

/*
 * The building blocks of every published schema. In parameters, a `description` is a phrase that completes
 * "give …" and "must be …": the messages to clients are made of it.
 */

export const Id = Type.Unsafe<string>({ type: 'string', format: 'id', pattern: ID_PATTERN });

/** Keys of our own in schemas. They are no texts, so that the published schema does not have them. */
export const ID_OF = Symbol('the nouns that it is the ID of');
export const IN_FILES = Symbol('whether files have it');

/** The ID of a record of these nouns, which are named as in the paths. Files have the key of the record instead. */
export function IdOf(...nouns: readonly string[]) {
  return Type.Unsafe<string>({ ...Id, [ID_OF]: nouns });
}

/** A parameter that is no content of the record: a state, another name of a parameter, or what only concerns the request. */
export function notInFiles<S extends TSchema>(schema: S): S {
  return { ...schema, [IN_FILES]: false };
}

/** A time in a response. */
export const Timestamp = Type.Unsafe<string>({ type: 'string', format: 'date-time' });

/** A time in a parameter, which is read to milliseconds. (In JSON Schema, the format `time` is a time of day.) */
export const Time = Type.Unsafe<Millis>({
  type: 'string',
  format: 'moment',
  description: 'a time such as `2029-04-07T12:18:00.000Z`, `2029-04-07`, `$now` or `+30d`',
});

/** A client that sends it gets 409 if somebody else has changed the record since. */
export const SeenUpdatedAt = Type.Optional(
  Type.Unsafe<Millis>({ ...Time, description: 'the `updated_at` that you have seen' }),
);

export function Nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export function OneOf<const Words extends readonly string[]>(words: Words, options: { default?: Words[number] } = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options });
}

/** A secret or a link in the response that creates it. A repeat of the request does not show it again. */
export const ShownOnce = Type.Unsafe<string | null>({
  anyOf: [{ type: 'string' }, { type: 'null' }],
  description: 'null in the response to a repeat with the same `Idempotency-Key`',
});

/** A text that people read: not blank, and not too long. */
export function Text(description: string, maxLength = 255) {
  return Type.Unsafe<string>({ type: 'string', minLength: 1, maxLength, description });
}

/** An ID of the customer's own system, stored as it was sent. */
export function ExternalId(description: string) {
  return Type.Unsafe<string>({ type: 'string', format: 'external', minLength: 1, maxLength: 255, description });
}

/** The fields every resource starts with. */
export const standardFields = { id: Id, created_at: Timestamp, updated_at: Timestamp };

/** An object in a response: it has exactly these keys. */
export function OutputObject<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

export const Cursor = OutputObject({ limit: Type.Integer(), before: Nullable(Type.String()) });
/** The cursor of a list that can be ordered by update. There, `after` of the first page is where the next poll continues. */
export const OrderedCursor = OutputObject({
  limit: Type.Integer(),
  before: Nullable(Type.String()),
  after: Type.Optional(Nullable(Type.String())),
});

export const pageParameters = {
  limit: Type.Unsafe<number>({
    type: 'integer',
    minimum: 1,
    default: 50,
    description: 'a whole number of 1 or more (500 is the most that is used)',
  }),
  before: Type.Optional(
    Type.Unsafe<string | Millis>({
      type: 'string',
      format: 'place',
      description: 'the `cursor.before` of the page before, an ID, or a time',
    }),
  ),
  after: Type.Optional(
    Type.Unsafe<string | Millis>({ type: 'string', format: 'place', description: 'an ID or a time' }),
  ),
};

import Type, { type Static } from 'typebox';
import { Nullable, OutputObject, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';

/** A word that sorts Experiences. */
export const Tag = OutputObject({
  ...standardFields,
  uid: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  /** How many Experiences have it. */
  models_count: Type.Integer(),
  /** Since when the dashboard no longer offers it. */
  disabled_at: Nullable(Timestamp),
  /** When it was last added to an Experience or removed from one. */
  last_seen_at: Nullable(Timestamp),
});
export type Tag = Static<typeof Tag>;

const name = Text('the name of the Tag');
const optional = {
  uid: Type.Optional(Text('a key such as `vip_users`')),
  description: Type.Optional(Nullable(Text('a description', 1000))),
  disabled_at: Type.Optional(Nullable(Time)),
};

export const CreateTag = Type.Object({ name, ...optional });
export type CreateTag = Static<typeof CreateTag>;

export const UpdateTag = Type.Object({ name: Type.Optional(name), ...optional });
export type UpdateTag = Static<typeof UpdateTag>;

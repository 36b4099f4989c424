import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, standardFields, Text, Timestamp } from '../basics/schema.ts';
import { pictureTypes } from './picture-file.ts';

const types = Object.values(pictureTypes);

/** A picture that steps and texts show. */
export const Picture = OutputObject({
  ...standardFields,
  name: Type.String(),
  /** What a step or a text refers to it by; also its address on this server. */
  path: Type.String(),
  type: OneOf(types),
  width: Type.Integer(),
  height: Type.Integer(),
  /** The bytes of all its files. */
  size: Type.Integer(),
  /** Since when nothing refers to it; null if something does. It is deleted 30 days later. */
  unused_at: Nullable(Timestamp),
});
export type Picture = Static<typeof Picture>;

const name = Text('the name of the picture');
export const CreatePicture = Type.Object({ name: Type.Optional(name) });
export const UpdatePicture = Type.Object({ name });

import Type, { type Static } from 'typebox';
import { OutputObject, standardFields, Text } from '../basics/schema.ts';

/** A word that sorts Experiences. */
export const Tag = OutputObject({ ...standardFields, uid: Type.String(), name: Type.String() });
export type Tag = Static<typeof Tag>;

const name = Text('the name of the Tag');
const uid = Type.Optional(Text('a key such as `vip_users`'));

export const CreateTag = Type.Object({ name, uid });
export type CreateTag = Static<typeof CreateTag>;

export const UpdateTag = Type.Object({ name: Type.Optional(name), uid });
export type UpdateTag = Static<typeof UpdateTag>;

import Type, { type Static } from 'typebox';
import { Id, OneOf, OutputObject } from '../basics/schema.ts';
import { experienceKinds } from '../kinds/kinds.ts';

/**
 * An Experience that uses a picture: in the draft or its translations, in a version that users see or will see, or only in older
 * versions and captures.
 */
export const PictureUse = OutputObject({
  id: Id,
  kind: OneOf(experienceKinds),
  name: Type.String(),
  draft: Type.Boolean(),
  published: Type.Boolean(),
  history: Type.Boolean(),
});
export type PictureUse = Static<typeof PictureUse>;

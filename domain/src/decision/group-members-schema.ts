import Type from 'typebox';
import { Id, IdOf, notInFiles, OneOf } from '../basics/schema.ts';
import { joinNames, listKindsWith, pathOfKind } from '../kinds/kinds.ts';
import { memberKinds } from './group-members.ts';

const MAX_EXPERIENCES = 1000;
const MAX_TAGS = 50;

/** The fields of a group that say what it is about. */
export const shownMembers = {
  kind: OneOf(memberKinds),
  tag_ids: Type.Array(Id),
  campaign_ids: Type.Array(Id),
  experience_ids: Type.Array(Id),
};

const listOfIds = (what: string, maxItems: number, nouns: readonly string[]) =>
  Type.Optional(
    Type.Unsafe<string[]>({
      ...Type.Array(IdOf(...nouns)),
      maxItems,
      description: `a list of the IDs of ${what}; an empty one means all tours and surveys`,
    }),
  );
const paths = listKindsWith('isExclusive').map(pathOfKind);
const experienceIds = listOfIds(joinNames(paths, 'and'), MAX_EXPERIENCES, paths);

export const memberParameters = {
  kind: Type.Optional(OneOf(memberKinds)),
  tag_ids: listOfIds('Tags', MAX_TAGS, ['tags']),
  campaign_ids: Type.Optional(notInFiles(experienceIds)),
  experience_ids: experienceIds,
};

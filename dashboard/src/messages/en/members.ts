import type { MemberKind } from '@usher/domain';
import { listKindsWith } from '@usher/domain/kinds';
import { capitalize } from '../field-names.ts';
import { exclusiveLists } from './exclusive-kinds.ts';
import { kindLists } from './kinds.ts';

const memberKinds = listKindsWith('isExclusive');
/** "All tours", by kind. */
const allOf = Object.fromEntries(memberKinds.map((kind) => [kind, `All ${kindLists[kind].toLowerCase()}`]));
const ofKinds = Object.fromEntries(
  memberKinds.map((kind) => [kind, { label: allOf[kind], help: `Nothing but ${kindLists[kind].toLowerCase()}.` }]),
);

/** Texts of the fields that say which Experiences a limit group or an alert group is about. */
export const members = {
  fields: { kind: 'Applies to', experience_ids: 'Experiences', tag_ids: 'Tags' },
  all: { all: `All ${exclusiveLists}`, ...allOf } as Record<string, string>,
  some: (count: string) => (count === '1' ? '1 Experience' : `${count} Experiences`),
  tagged: (count: string) => (count === '1' ? 'What has a Tag' : `What has one of ${count} Tags`),
  options: {
    all: { label: `All ${exclusiveLists}`, help: `Includes ${exclusiveLists} that you create later.` },
    ...ofKinds,
    tags: { label: 'What has certain Tags', help: `${capitalize(exclusiveLists)} with one of the Tags.` },
    campaigns: { label: 'Only these', help: `Choose ${exclusiveLists}.` },
  } as Record<MemberKind, { label: string; help: string }>,
  noTags: 'There are no Tags yet. Add them to Experiences in their list.',
};

import type { MemberKind } from '@usher/domain';
import { listKindsWith } from '@usher/domain/kinds';
import { capitalize } from '../field-names.ts';
import { exclusiveLists, exclusiveWords } from './exclusive-kinds.ts';
import { kindLists, kindNames } from './kinds.ts';
import { titles } from './titles.ts';

const limitedKinds = listKindsWith('isExclusive');
/** "All tours", by kind. */
const allOf = Object.fromEntries(limitedKinds.map((kind) => [kind, `All ${kindLists[kind].toLowerCase()}`]));
const ofKinds = Object.fromEntries(
  limitedKinds.map((kind) => [kind, { label: allOf[kind], help: `Nothing but ${kindLists[kind].toLowerCase()}.` }]),
);

/** Texts of the page "Limit groups". */
export const limits = {
  title: titles.limits,
  intro: `A limit group keeps you from showing too much to one person. Example: “at most 1 ${exclusiveWords} in 24 hours”; the next one waits until the time is over.`,
  new: 'New limit group',
  create: 'Create limit group',
  editGroup: (name: string) => `Edit ${name}`,
  editTitle: 'Edit limit group',
  save: 'Save limit group',
  removeGroup: (name: string) => `Delete ${name}`,
  created: (name: string) => `${name} created`,
  removed: (name: string) => `${name} deleted`,
  restored: (name: string) => `${name} is back`,
  columns: { name: 'Name', limit: 'Limit', experiences: 'Applies to', actions: 'Actions' },
  fields: {
    name: 'Name',
    max_count: 'At most',
    period_hours: 'In',
    kind: 'Applies to',
    experience_ids: 'Experiences',
    tag_ids: 'Tags',
  },
  unit: 'Unit',
  units: { hours: 'hours', days: 'days' },
  applied: { all: `All ${exclusiveLists}`, ...allOf } as Record<string, string>,
  all: `All ${exclusiveLists}`,
  some: (count: string) => (count === '1' ? '1 Experience' : `${count} Experiences`),
  tagged: (count: string) => (count === '1' ? 'What has a Tag' : `What has one of ${count} Tags`),
  rule: (count: string, period: string) => `${count} in ${period}`,
  period: (count: string, unit: 'hours' | 'days') => `${count} ${count === '1' ? unit.slice(0, -1) : unit}`,
  sentence: (count: string, period: string) =>
    `At most ${count} of them ${count === '1' ? 'starts' : 'start'} automatically for one person within ${period}. What your code, a link or a button opens always shows.`,
  appliesTo: {
    all: { label: `All ${exclusiveLists}`, help: `Includes ${exclusiveLists} that you create later.` },
    ...ofKinds,
    tags: { label: 'What has certain Tags', help: `${capitalize(exclusiveLists)} with one of the Tags.` },
    campaigns: { label: 'Only these', help: `Choose ${exclusiveLists}.` },
  } as Record<MemberKind, { label: string; help: string }>,
  noTags: 'There are no Tags yet. Add them to Experiences in their list.',
  empty: {
    title: 'No limits yet',
    text: `${capitalize(exclusiveLists)} start as soon as their targeting matches, however many that are.`,
  },
  gone: 'This limit group was deleted meanwhile.',
};

/** Texts of the list in which Experiences are chosen. */
export const experiencePicker = {
  none: 'There are no Experiences of this kind yet.',
  filter: 'Find an Experience',
  kinds: kindNames as Record<string, string>,
  deleted: (id: string) => `Deleted (${id})`,
  untitled: 'Without a name',
};

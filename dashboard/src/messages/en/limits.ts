import { capitalize } from '../field-names.ts';
import { exclusiveLists, exclusiveWords } from './exclusive-kinds.ts';
import { kindNames } from './kinds.ts';
import { members } from './members.ts';
import { titles } from './titles.ts';

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
  columns: { name: 'Name', limit: 'Limit', experiences: members.fields.kind, actions: 'Actions' },
  fields: {
    name: 'Name',
    max_count: 'At most',
    period_hours: 'In',
    max_steps: 'Steps, at most',
    max_seconds: 'Seconds, at most',
    ...members.fields,
  },
  useHelp:
    'Optional. What a person had of them counts by whole days, today included, so that the period must be whole days.',
  anyNumber: 'Any number',
  steps: (count: string) => `${count} ${count === '1' ? 'step' : 'steps'}`,
  seconds: (count: string) => `${count} s`,
  unit: 'Unit',
  units: { hours: 'hours', days: 'days' },
  rule: (count: string, period: string) => `${count} in ${period}`,
  period: (count: string, unit: 'hours' | 'days') => `${count} ${count === '1' ? unit.slice(0, -1) : unit}`,
  sentence: (count: string, period: string) =>
    `At most ${count} of them ${count === '1' ? 'starts' : 'start'} automatically for one person within ${period}. What your code, a link or a button opens always shows.`,
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

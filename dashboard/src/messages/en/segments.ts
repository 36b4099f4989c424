import { kindNames } from './kinds.ts';
import { titles } from './titles.ts';

const people = (count: string, isOne: boolean) => (isOne ? '1 person' : `${count} people`);

/** Texts of the pages of Segments, and of the dialog that creates one while an Experience is targeted. */
export const segments = {
  title: titles.segments,
  one: titles.segment,
  intro:
    'A Segment is a group of people, such as admins on the plan pro. Who is in it changes automatically, as their properties and what they do change.',
  create: 'New Segment',
  columns: { name: 'Segment', people: 'People', uses: 'Used by', updated: 'Changed', actions: 'Actions' },
  counted: {
    before: 'People counted',
    after: 'without test users',
    counting: (percent: string) => `Counting people… ${percent}`,
    again: 'Count again',
  },
  search: 'Search Segments',
  nothingFound: 'No Segment has these words in its name.',
  more: 'Show more Segments',
  notUsed: 'Nothing',
  uses: (count: string, isOne: boolean) => (isOne ? '1 place' : `${count} places`),
  actions: (name: string) => `Actions for ${name}`,
  open: 'Edit Segment',
  duplicate: 'Duplicate Segment',
  duplicated: (name: string) => `${name} created`,
  remove: 'Delete Segment',
  removed: (name: string) => `${name} deleted`,
  restored: (name: string) => `${name} is back`,
  keptReason: 'To delete it, first take it out of what uses it.',
  usedReason: 'Something uses it. Take it out there first.',
  empty: {
    title: 'No Segments yet',
    text: 'Create one, then choose it in the targeting of a tour, survey or any other Experience.',
  },
  templatesTitle: 'Start with',
  templates: {
    blank: { name: 'An empty Segment', description: 'You choose the conditions' },
    active: { name: 'Seen in the last 7 days', description: 'People who use your product now' },
    fresh: { name: 'New in the last 30 days', description: 'People who came this month' },
    away: { name: 'Not seen for 30 days', description: 'People who may be leaving' },
    regular: { name: 'At least 10 sessions', description: 'People who know your product' },
  },
  form: {
    newTitle: 'New Segment',
    name: 'Name',
    nameHelp: 'It follows the conditions until you type a name of your own.',
    ownName: 'Use the description as the name',
    conditions: 'Who is in it',
    save: 'Save Segment',
    saved: (name: string) => `${name} saved`,
    create: 'Create Segment',
    created: (name: string) => `${name} created`,
    fields: { name: 'Name', items: 'Conditions', items_op: 'How conditions are joined' },
  },
  people: { title: 'People in it now' },
  usedTitle: 'Used by',
  unused: 'Nothing uses this Segment. Choose it in the targeting of an Experience.',
  unusedAction: 'Go to Experiences',
  liveNote: 'If you save a change, it takes effect immediately for what is live, without publishing.',
  onlyPublished: 'only in its published version',
  kinds: { ...kindNames, segment: 'Segment' },
  conflict: {
    title: 'Somebody changed this Segment meanwhile',
    text: (name: string, sentence: string) => `It is now “${name}”: ${sentence}. Yours is still here.`,
    theirs: 'Load theirs',
    mine: 'Keep mine',
    kept: 'Your conditions stay. Save the Segment to replace what is there now.',
  },
  gone: {
    title: 'This Segment does not exist',
    text: 'It was deleted, or the address is wrong.',
    action: 'Go to Segments',
  },
  readOnly: 'You may look at this Segment, but not change it.',
  count: people,
  inTargeting: {
    title: 'New Segment',
    description: 'It is used here immediately, and other Experiences can use it too.',
    action: 'Create and use Segment',
  },
};

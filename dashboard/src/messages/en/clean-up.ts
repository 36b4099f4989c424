import type { UnusedKind, UnusedReason } from '@usher/domain';
import { formatNumber } from '../format.ts';
import { kindNames } from './kinds.ts';
import { titles } from './titles.ts';

/** Texts of the page that lists what nothing uses. */

const number = (value: number) => formatNumber(value);

type Nouns = readonly [one: string, many: string];
const nouns: Record<UnusedKind, Nouns> = {
  experiences: ['Experience', 'Experiences'],
  segments: ['Segment', 'Segments'],
  tags: ['Tag', 'Tags'],
  properties: ['Property', 'Properties'],
  goals: ['goal', 'goals'],
  themes: ['theme', 'themes'],
  pictures: ['picture', 'pictures'],
};
const count = (kind: UnusedKind, many: number) => `${number(many)} ${nouns[kind][many === 1 ? 0 : 1]}`;

const reasons: Record<UnusedReason, string> = {
  not_used: 'Nothing uses it',
  not_sent: 'Nothing uses it, and no value has arrived for 30 days',
  ended: 'It has ended',
  never_shown: 'No one has ever seen it',
  not_shown: 'No one has seen it for 30 days',
};

export const cleanUp = {
  title: titles.cleanUp,
  intro:
    'What nothing uses any more, and Experiences that no one sees. What is in use, or was made in the last 7 days, is never listed.',
  kinds: 'Kinds',
  tabs: {
    experiences: 'Experiences',
    segments: 'Segments',
    tags: 'Tags',
    properties: 'Properties',
    goals: 'Goals',
    themes: 'Themes',
    pictures: 'Pictures',
  } satisfies Record<UnusedKind, string>,
  columns: { name: 'Name', size: 'Size', used: 'Last used', changed: 'Last changed' },
  /** An Experience says its kind; a Property, what it is a property of. */
  kindOf: { ...kindNames, profile: 'Of people', company: 'Of Companies', event: 'Of events' },
  reasons,
  never: 'Never',
  unknown: '–',
  empty: (kind: UnusedKind) => `No ${nouns[kind][1]} to clean up`,
  emptyHelp: {
    experiences: 'All of them are seen, or were changed in the last 30 days.',
    segments: 'Something uses each of them, or they are new.',
    tags: 'Something uses each of them, or they are new.',
    properties: 'Something uses each of them, or their values still arrive.',
    goals: 'Something uses each of them, or they are new.',
    themes: 'Something uses each of them, or they are new. The default theme is never listed.',
    pictures: 'Something uses each of them, or they are new. They are looked through once a day.',
  } satisfies Record<UnusedKind, string>,
  found: (kind: UnusedKind, many: number, hasMore: boolean) =>
    hasMore ? `The first ${count(kind, many)}` : count(kind, many),
  more: 'Load more',
  selected: (many: number) => (many === 1 ? '1 selected' : `${number(many)} selected`),
  clear: 'Clear the selection',
  archive: 'Archive',
  hide: 'Hide',
  delete: 'Delete…',
  archived: (many: number) => `${count('experiences', many)} archived`,
  hidden: (many: number) => `${count('properties', many)} hidden`,
  restored: (kind: UnusedKind, many: number) => `${count(kind, many)} ${many === 1 ? 'is' : 'are'} back`,
  deleted: (kind: UnusedKind, many: number) => `${count(kind, many)} deleted`,
  notDeleted: (kind: UnusedKind, many: number) => `${count(kind, many)} could not be deleted`,
  confirm: {
    title: (kind: UnusedKind, many: number) => `Delete ${count(kind, many)}?`,
    text: 'This cannot be undone:',
    more: (many: number) => `and ${number(many)} more`,
    what: {
      segments: 'Their filters are deleted. The people in them stay.',
      tags: 'No Experience has them.',
      goals: 'Their definitions and counts are deleted. The events stay.',
      themes: 'Their versions are deleted. No Experience changes how it looks.',
      pictures: 'Their files are deleted. Where an older version showed one, it shows nothing.',
    },
    cancel: 'Keep them',
    delete: (kind: UnusedKind, many: number) => `Delete ${count(kind, many)}`,
  },
};

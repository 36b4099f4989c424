import { titles } from './titles.ts';

/** Texts of the page of one person. */
export const person = {
  one: titles.person,
  list: 'People',
  tabs: { label: 'Parts of this page', overview: 'Overview', timeline: 'Timeline', queue: 'Queue' },
  gone: {
    title: 'There is no such person',
    text: 'They were forgotten, or the address is wrong.',
    action: 'All people',
  },
};

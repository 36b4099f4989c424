import { formatList } from '../format.ts';
import { kindLists, kindNames } from './kinds.ts';

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many.replace('#', String(count)));

export const editor = {
  kinds: kindNames,
  kindLists,
  one: 'Experience',
  tryOnSite: 'Try on site',
  /** In lists, in place of merge tags: "Hi [first_name or there]". */
  mergeTags: { oneOf: (parts: readonly string[]) => `[${parts.join(' or ')}]` },
  tabs: { label: 'Parts of the Experience', content: 'Content' },
  rename: (name: string) => `Rename ${name}`,
  name: 'Name',
  nameEmpty: 'Give it a name.',
  unpublished: (count: number) => plural(count, '1 unpublished change', '# unpublished changes'),
  undo: 'Undo',
  redo: 'Redo',
  saveNow: 'Save now',
  openInOtherTab: 'You have this open in another tab too',
  alsoOpen: (names: readonly string[]) => `${formatList(names)} ${names.length === 1 ? 'has' : 'have'} this open too`,
  readOnly: 'You may look at this, but not change it.',
  saved: {
    saved: 'Saved',
    savedAt: 'Saved',
    unsaved: 'Saving soon…',
    saving: 'Saving…',
    unreachable: 'Not saved yet: no connection. Your text is kept in this browser.',
    rejected: 'Not saved',
    gone: 'Not saved: it was deleted',
    clash: 'Not saved: choose between two changes',
  },
  rejected: {
    title: 'The last changes are not saved',
    description: (message: string) => `${message} Your text is kept in this browser. Change it, and it is saved again.`,
    retry: 'Save again',
  },
  gone: {
    title: 'This Experience does not exist',
    text: 'It was deleted, or it belongs to another account.',
    action: 'Show all Experiences',
  },
  deleted: {
    title: 'Somebody has deleted this while you had it open',
    text: 'What you see here is kept in this browser, with everything you typed.',
    action: 'Create it again',
    created: (name: string) => `${name} is back as a draft`,
  },
  merged: {
    changed: (who: string) => `${who} changed this too. Both changes are in it now.`,
    someone: 'Somebody else',
    you: 'You, in another window,',
    published: (who: string) => `${who} published this. What you change now stays a draft until it is published again.`,
    unpublished: (who: string) => `${who} paused this. No one sees it at the moment.`,
    archived: (who: string) => `${who} archived this. It can be edited, but no user sees it.`,
    restored: (who: string) => `${who} took this out of the archive.`,
    dismiss: 'Got it',
  },
  clash: {
    title: (who: string) => `${who} changed the same setting`,
    textTitle: (who: string) => `${who} changed the same text`,
    description: (left: number) =>
      plural(left, 'Choose what stays.', 'Choose what stays. # changes are left, one after the other.'),
    mine: 'Your change',
    theirs: (name: string) => `The change of ${name}`,
    theirsUnknown: 'The other change',
    myOwn: 'Your change in the other window',
    result: 'What it will say',
    useMine: 'Use yours',
    useTheirs: 'Use the other',
    useBoth: 'Use both',
    save: 'Use this text',
    later: 'Decide later',
    open: 'Choose a change',
    empty: 'Nothing',
    place: (place: string) => `Place ${place}`,
  },
};

import { englishChanges } from '@usher/domain/sentences';
import { kindWords } from './kinds.ts';

/*
 * Texts of the tab "History". Each sentence begins with a verb, so that it can follow the name of who did it: "Ann changed the title of
 * step 2". Alone it begins with a capital letter.
 */

export const history = {
  intro:
    'Everything that was changed, by whom and when. Going back changes the draft only; users see it after you publish.',
  ...englishChanges,
  kinds: { ...englishChanges.kinds, ...kindWords } as Record<string, string>,
  you: 'You',
  somebody: 'Somebody',
  nothing: 'nothing',
  sittings: {
    many: (count: string) => `made ${count} changes`,
    nothing: 'changed something and took it back',
    revert: 'went back to an earlier state',
    raw: 'replaced it by an imported document',
    apply: 'uploaded translations',
    proposed: (by: string) => `approved what “${by}” proposed`,
  },
  pictures: {
    before: (place: string) => (place ? `${place} before` : 'Before'),
    after: (place: string) => (place ? `${place} after` : 'After'),
    added: (place: string) => (place ? `${place}, new` : 'New'),
    gone: (place: string) => (place ? `${place}, deleted` : 'Deleted'),
    more: (count: string) => `Show ${count} more`,
  },
  was: 'Before:',
  is: 'After:',
  more: 'Load earlier changes',
  moreSentences: (count: string) => `Show ${count} more changes`,
  begin: 'No earlier changes.',
  loading: 'history',
  empty: { title: 'Nothing was changed yet', description: 'Every change will be listed here, with who made it.' },
  revert: {
    action: 'Go back to this',
    label: (when: string) => `Go back to how it was after this, ${when}`,
    current: 'This is how it is now',
  },
  versions: {
    open: 'Compare versions',
    title: 'Compare versions',
    intro: 'A version is what one publish made.',
    from: 'From',
    until: 'To',
    draft: 'The draft as it is now',
    version: (when: string, who: string) => `${when}, by ${who}`,
    live: 'live now',
    none: 'It was never published, so there is nothing to compare yet.',
    same: 'Nothing differs between these two.',
    revert: 'Go back to this version',
    swap: 'Swap',
  },
  noChanges: 'Nothing changes.',
};

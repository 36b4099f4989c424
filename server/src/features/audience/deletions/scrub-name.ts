import { isDistinctiveUid } from '@usher/domain';
import { FORGOTTEN, type User } from './forgotten.ts';

/** Takes the names of users out of the name of a Segment. `isNamed`: a filter of the Segment names one of them. */
export type NameScrubber = (name: string, isNamed: boolean) => string;

/**
 * The name of a Segment is made from its filters, so it can contain the email, the `uid` or the ID of a user. A short `uid`
 * is taken out only if a filter has it: as a word it may mean anything.
 */
export function buildNameScrubber(users: readonly User[]): NameScrubber {
  const distinctive = users.flatMap(({ id, email }) => [id, email ?? '']);
  const uids = users.flatMap(({ uid }) => formsOf(uid));
  const always = wordsPattern([...distinctive, ...uids.filter(isDistinctiveUid)]);
  const ifNamed = wordsPattern([...distinctive, ...uids]);
  return (name, isNamed) => name.replace(isNamed ? ifNamed : always, FORGOTTEN);
}

/** The dashboard writes a number with separators. */
function formsOf(uid: string): string[] {
  return /^[1-9]\d{3,14}$/.test(uid) ? [uid, Number(uid).toLocaleString('en')] : [uid];
}

/** Finds whole words, the longest first, in any case. */
function wordsPattern(words: readonly string[]): RegExp {
  const all = words
    .filter((word) => word !== '')
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

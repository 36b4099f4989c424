import { joinNames, listKindsWith } from '@usher/domain/kinds';
import { kindLists, kindWords } from './kinds.ts';

/*
 * The words for the kinds that Deliveries start and limits count. They are not in kinds.ts, because every page loads
 * that file, and in the built files it runs before the kinds are known.
 */

const kinds = listKindsWith('isExclusive');

/** "tour or survey". */
export const exclusiveWords = joinNames(
  kinds.map((kind) => kindWords[kind]),
  'or',
);

/** "tours and surveys". */
export const exclusiveLists = joinNames(
  kinds.map((kind) => kindLists[kind].toLowerCase()),
  'and',
);

import { normalizeKey } from '@usher/domain';
import { type ApiError, conflict, invalid } from '../../../errors.ts';

/** Derives the `uid` of a Tag; `from` is the parameter that the text comes from. */
export function toTagUid(text: string, from: string): string {
  const uid = normalizeKey(text);
  if (!/[\p{L}\p{N}]/u.test(uid)) throw invalid(`\`${from}\` must have at least one letter or digit`);
  return uid;
}

export function uidTaken(uid: string): ApiError {
  return conflict(`There is a Tag \`${uid}\` already: use that one, or give another \`uid\``);
}

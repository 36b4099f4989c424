import type { Millis } from '../basics/time.ts';

/**
 * How the uid of a user who has not signed in begins. Only the server makes such uids, and only when a page sends none: no product
 * has IDs that begin like this by accident, and nothing else may create one.
 */
export const ANONYMOUS_PREFIX = 'anon_usher_';

/** The first text after those with the prefix. */
export const AFTER_ANONYMOUS = 'anon_usher`';

export function isAnonymousUid(uid: string): boolean {
  return uid.startsWith(ANONYMOUS_PREFIX);
}

export const ANONYMOUS_UID_MESSAGE = `\`uid\` must not begin with \`${ANONYMOUS_PREFIX}\`: only the server makes these IDs, for users who have not signed in`;

const DAY_MS: Millis = 24 * 60 * 60_000;

/** Anonymous profiles that were last seen before this time are deleted. */
export function anonymousCutoff(days: number, now: Millis): Millis {
  return now - days * DAY_MS;
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId, type Millis } from '@usher/domain';

/** One page load. */
export interface Visit {
  accountId: string;
  profileId: string;
  at: Millis;
}

/** As long as a page may stay open and report. */
const VALID_FOR: Millis = 12 * 60 * 60_000;

/** It says whose visit it is and when, and proves that we said so. */
export function signVisit(key: string, { accountId, profileId, at }: Visit): string {
  const said = `${accountId}.${profileId}.${at.toString(36)}`;
  return `${said}.${signatureOf(key, said)}`;
}

/** What a token says, before it is known to be true: by the account the key is found. */
export function readVisit(token: string): { visit: Visit; isSignedBy(key: string): boolean } | undefined {
  const [accountId = '', profileId = '', time = '', signature = '', ...rest] = token.split('.');
  const at = Number.parseInt(time, 36);
  if (!isId(accountId) || !isId(profileId) || !Number.isSafeInteger(at) || rest.length > 0) return undefined;
  const said = `${accountId}.${profileId}.${time}`;
  return {
    visit: { accountId, profileId, at },
    isSignedBy: (key) => {
      const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, said))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

export function isOver({ at }: Visit, now: Millis): boolean {
  return now - at > VALID_FOR;
}

function signatureOf(key: string, said: string): string {
  return createHmac('sha256', key).update(said).digest('base64url');
}

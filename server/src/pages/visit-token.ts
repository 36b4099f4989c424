import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isId, type Millis } from '@usher/domain';
import { type ApiError, forbidden } from '../errors.ts';

/** One page load. */
export interface Visit {
  accountId: string;
  profileId: string;
  at: Millis;
  /** Of its own: two tabs of one user can load in the same millisecond. */
  nonce: string;
  /** Whether the page has proven whose visit it is. */
  isProven: boolean;
}

/** As long as a page may stay open and report. */
const VALID_FOR: Millis = 12 * 60 * 60_000;

/** It says whose visit it is and when, and proves that we said so. */
export function signVisit(key: string, { accountId, profileId, at, isProven }: Omit<Visit, 'nonce'>): string {
  const nonce = `${ofProcess}${(count++).toString(36)}`;
  const said = `${accountId}.${profileId}.${at.toString(36)}.${nonce}${isProven ? PROVEN : ''}`;
  return `${said}.${signatureOf(key, said)}`;
}

/** The part that only the token of a proven visit has. */
const PROVEN = '.proven';

/** What no other process has, and how many this one has signed: the two together are of one visit alone. */
const ofProcess = randomBytes(9).toString('base64url');
let count = 0;

/** What a token says, before it is known to be true: by the account the key is found. */
export function readVisit(token: string): { visit: Visit; isSignedBy(key: string): boolean } | undefined {
  const end = token.lastIndexOf('.');
  const said = token.slice(0, Math.max(end, 0));
  const signature = token.slice(end + 1);
  const isProven = said.endsWith(PROVEN);
  const [accountId = '', profileId = '', time = '', nonce = '', ...rest] = (
    isProven ? said.slice(0, -PROVEN.length) : said
  ).split('.');
  const at = Number.parseInt(time, 36);
  if (!isId(accountId) || !isId(profileId) || !Number.isSafeInteger(at) || rest.length > 0) return undefined;
  return {
    visit: { accountId, profileId, at, nonce, isProven },
    isSignedBy: (key) => {
      const [params, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, said))];
      return params.length === right.length && timingSafeEqual(params, right);
    },
  };
}

export function isVisitOver({ at }: Visit, now: Millis): boolean {
  return now - at > VALID_FOR;
}

/** Refuses a visit whose profile is gone, or was cleared since: what the page would report belongs to nobody. */
export function checkVisitor(
  { at }: Visit,
  profile: { last_cleared_at: Millis | null } | undefined,
): asserts profile is { last_cleared_at: Millis | null } {
  if (!profile || (profile.last_cleared_at ?? 0) > at) throw visitIsOver();
}

export function visitIsOver(): ApiError {
  return forbidden('This visit is over: load the page anew');
}

function signatureOf(key: string, said: string): string {
  return createHmac('sha256', key).update(said).digest('base64url');
}

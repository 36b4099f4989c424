import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isId, type Millis } from '@usher/domain';
import { type ApiError, forbidden } from '../errors.ts';

/** One page load. */
export interface Visit {
  accountId: string;
  profileId: string;
  at: Millis;
  /** Unique, because two tabs of one user can load in the same millisecond. */
  nonce: string;
  /** Whether the page has proven whose visit it is. */
  isProven: boolean;
}

/** How long a page may stay open and report. */
export const MAX_VISIT_MS: Millis = 12 * 60 * 60_000;

/** Creates a signed token that names the profile and the time of a visit. */
export function signVisit(key: string, { accountId, profileId, at, isProven }: Omit<Visit, 'nonce'>): string {
  const nonce = `${processId}${(count++).toString(36)}`;
  const payload = `${accountId}.${profileId}.${at.toString(36)}.${nonce}${isProven ? PROVEN : ''}`;
  return `${payload}.${signatureOf(key, payload)}`;
}

/** Only the token of a proven visit has this part. */
const PROVEN = '.proven';

/** A random ID of this process and a counter make each nonce unique. */
const processId = randomBytes(9).toString('base64url');
let count = 0;

/** Parses a token. Its signature is checked afterwards, because the key is that of the account in it. */
export function readVisit(token: string): { visit: Visit; isSignedBy(key: string): boolean } | undefined {
  const end = token.lastIndexOf('.');
  const payload = token.slice(0, Math.max(end, 0));
  const signature = token.slice(end + 1);
  const isProven = payload.endsWith(PROVEN);
  const [accountId = '', profileId = '', time = '', nonce = '', ...rest] = (
    isProven ? payload.slice(0, -PROVEN.length) : payload
  ).split('.');
  const at = Number.parseInt(time, 36);
  if (!isId(accountId) || !isId(profileId) || !Number.isSafeInteger(at) || rest.length > 0) return undefined;
  return {
    visit: { accountId, profileId, at, nonce, isProven },
    isSignedBy: (key) => isSameSignature(signature, signatureOf(key, payload)),
  };
}

export function isVisitOver({ at }: Pick<Visit, 'at'>, now: Millis): boolean {
  return now - at > MAX_VISIT_MS;
}

/** Rejects a visit whose profile was deleted or cleared since: its reports would belong to nobody. */
export function checkPageProfile(
  { at }: Visit,
  profile: { last_cleared_at: Millis | null } | undefined,
): asserts profile is { last_cleared_at: Millis | null } {
  if (!profile || (profile.last_cleared_at ?? 0) > at) throw visitIsOver();
}

export function visitIsOver(): ApiError {
  return forbidden('This visit is over: load the page again');
}

export function signatureOf(key: string, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url');
}

export function isSameSignature(signature: string, expectedSignature: string): boolean {
  const [actual, expected] = [Buffer.from(signature), Buffer.from(expectedSignature)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

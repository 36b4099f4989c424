import { randomBytes } from 'node:crypto';
import { isId, type Millis } from '@usher/domain';
import { isSameSignature, signatureOf, type Visit } from './visit-token.ts';

/** The right to open one stream of a visit. */
export interface StreamTicket {
  visit: Visit;
  /** How often the pages of the user had been woken when the page knew everything. */
  wakeCount: number;
  expiresAt: Millis;
  /** Unique, so that it can be used once. */
  nonce: string;
}

/** A tab that was hidden for longer sends a visit, which brings another ticket. */
export const TICKET_MS: Millis = 10 * 60_000;

const processId = randomBytes(9).toString('base64url');
let count = 0;

/** Nothing is stored: the ticket says what it is for, and the key of the account signs it. */
export function signTicket(key: string, visit: Omit<Visit, 'nonce'>, wakeCount: number, now: Millis): string {
  const { accountId, profileId, at, isProven } = visit;
  const numbers = [at, wakeCount, now + TICKET_MS, count++].map((number) => number.toString(36));
  const payload = ['stream', accountId, profileId, ...numbers, processId, isProven ? 'proven' : ''].join('.');
  return `${payload}.${signatureOf(key, payload)}`;
}

/** Parses a ticket. Its signature is checked afterwards, because the key is that of the account in it. */
export function readTicket(text: string): { ticket: StreamTicket; isSignedBy(key: string): boolean } | undefined {
  const end = text.lastIndexOf('.');
  const payload = text.slice(0, Math.max(end, 0));
  const [
    what,
    accountId = '',
    profileId = '',
    time = '',
    wakes = '',
    expires = '',
    serial = '',
    by = '',
    proof,
    ...rest
  ] = payload.split('.');
  const [at, wakeCount, expiresAt] = [time, wakes, expires].map((number) => Number.parseInt(number, 36));
  if (what !== 'stream' || !isId(accountId) || !isId(profileId) || proof === undefined || rest.length > 0)
    return undefined;
  if (at === undefined || wakeCount === undefined || expiresAt === undefined) return undefined;
  const nonce = `${by}${serial}`;
  return {
    ticket: { visit: { accountId, profileId, at, nonce, isProven: proof === 'proven' }, wakeCount, expiresAt, nonce },
    isSignedBy: (key) => isSameSignature(text.slice(end + 1), signatureOf(key, payload)),
  };
}

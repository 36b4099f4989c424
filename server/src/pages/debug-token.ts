import { isId, type Millis } from '@usher/domain';
import { isSameSignature, signatureOf } from './visit-token.ts';

/*
 * A debug token lets the debug panel of a page ask why something does not show. It names the account and the time when it expires.
 * The key of the account signs visit tokens too. What is signed here begins with a word, and a visit token begins with an
 * ID, so neither can be used as the other.
 */
const PURPOSE = 'debug';

export function signDebugToken(key: string, accountId: string, expiresAt: Millis): string {
  const payload = `${PURPOSE}.${accountId}.${expiresAt.toString(36)}`;
  return `${payload}.${signatureOf(key, payload)}`;
}

/** Returns when the token expires. Returns undefined if it is not a debug token of this account. */
export function readDebugToken(token: string, key: string, accountId: string): Millis | undefined {
  const [purpose, account = '', time = '', signature = '', ...rest] = token.split('.');
  const expiresAt = Number.parseInt(time, 36);
  const isRead = purpose === PURPOSE && isId(account) && Number.isSafeInteger(expiresAt) && rest.length === 0;
  if (!isRead || account !== accountId) return undefined;
  return isSameSignature(signature, signatureOf(key, `${PURPOSE}.${account}.${time}`)) ? expiresAt : undefined;
}

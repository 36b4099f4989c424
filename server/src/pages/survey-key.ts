import { randomBytes } from 'node:crypto';

const RANDOM_BYTES = 12;
const ID_BYTES = 12;

/** The key in the address of a public page: the account, so that it is found without a list of all keys, and 96 random bits. */
export function newSurveyKey(accountId: string): string {
  return Buffer.concat([Buffer.from(accountId, 'hex'), randomBytes(RANDOM_BYTES)]).toString('base64url');
}

/** The account that a key names. Undefined if it is no key. */
export function accountIdOfKey(key: string): string | undefined {
  return /^[\w-]{32}$/.test(key) ? Buffer.from(key, 'base64url').subarray(0, ID_BYTES).toString('hex') : undefined;
}

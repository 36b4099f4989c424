import { createHash, randomBytes } from 'node:crypto';

/** A token of a session or a link: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Only the hash is stored, so whoever reads the database cannot sign in with what they find there. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

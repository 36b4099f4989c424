import { createHash, randomBytes } from 'node:crypto';

/** A token of a session or a link: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Only the hash is stored, so nobody can sign in with what the database has. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

import { createHash, randomBytes } from 'node:crypto';

/** A new secret: 256 bits, recognizable in a leak by its prefix. */
export function newSecret(): string {
  return `usher_secret_${randomBytes(32).toString('base64url')}`;
}

/** A new public account token. */
export function newToken(): string {
  return randomBytes(18).toString('base64url');
}

/** What is kept of a secret. It is random and long, so a plain fast hash tells nothing of it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

import { createHash, randomBytes } from 'node:crypto';

/** A secret has 256 random bits, and a prefix by which scanners recognize a leaked secret. */
export function newSecret(): string {
  return `usher_secret_${randomBytes(32).toString('base64url')}`;
}

export function newToken(): string {
  return randomBytes(18).toString('base64url');
}

/** Only the hash is stored. A secret is random and long, so a fast hash reveals nothing of it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

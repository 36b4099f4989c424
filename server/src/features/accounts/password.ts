import { randomBytes, scrypt } from 'node:crypto';

const COST = 2 ** 15;

/** Passwords can be guessed, so the hash is salted and slow: `scrypt$cost$salt$hash`. */
export function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N: COST, maxmem: 256 * COST * 8 }, (error, hash) => {
      if (error) reject(error);
      else resolve(['scrypt', COST, salt.toString('base64url'), hash.toString('base64url')].join('$'));
    });
  });
}

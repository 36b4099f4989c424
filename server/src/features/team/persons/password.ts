import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** One hash takes 128 MB and a third of a second. Hashes of earlier versions had a lower cost. */
export const COST = 2 ** 17;
const BLOCK_SIZE = 8;
const HASH_BYTES = 32;
/** A salt and a hash that no password has. Comparing with them takes as long as comparing with the hash of a person. */
const NO_PASSWORD = [randomBytes(16).toString('base64url'), randomBytes(HASH_BYTES).toString('base64url')];

/** Passwords can be guessed, so the hash is salted and slow: `scrypt$cost$salt$hash`. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether the password is right. Without a stored hash it never is, and finding that out takes equally long. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  currentCost = COST,
): Promise<boolean> {
  const [, cost, salt = '', hash = ''] = stored ? stored.split('$') : ['scrypt', String(currentCost), ...NO_PASSWORD];
  const derived = await derive(password, Buffer.from(salt, 'base64url'), Number(cost));
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(expected, derived) && Boolean(stored);
}

/** Whether a hash was made with another cost than the current one. */
export function isOutdated(stored: string, currentCost = COST): boolean {
  return Number(stored.split('$')[1]) !== currentCost;
}

/** Keyboards and systems write one character in different ways, so the text is normalized first. */
function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 256 * cost * BLOCK_SIZE };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) => {
      if (error) reject(error);
      else resolve(hash);
    });
  });
}

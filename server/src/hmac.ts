import { hash } from 'node:crypto';
import { memoize } from '@usher/domain';

const BLOCK = 64;
const HASH = 32;

/**
 * HMAC with SHA-256, as `createHmac` gives it: two hashes, each of a block with the key before it. Here without the object
 * that `createHmac` makes for it, since every page load asks for one, and making it takes longer than the hashes.
 */
export function hmacOf(key: string, text: string): string {
  const { inner, outer } = blocksOf(key);
  outer.write(hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'binary'), BLOCK, 'binary');
  return hash('sha256', outer, 'base64url');
}

const blocksOf = memoize((key) => {
  const bytes = Buffer.from(key);
  const short = bytes.length > BLOCK ? hash('sha256', bytes, 'buffer') : bytes;
  const masked = (mask: number, block: Buffer) => {
    for (let at = 0; at < BLOCK; at++) block[at] = (short[at] ?? 0) ^ mask;
    return block;
  };
  return { inner: masked(0x36, Buffer.alloc(BLOCK)), outer: masked(0x5c, Buffer.alloc(BLOCK + HASH)) };
});

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Millis, readUidHash, type SentVisit } from '@usher/domain';
import { forbidden, type Refusal } from '../../errors.ts';
import type { LiveAccount } from '../../live/live.ts';

/** Whether the customer's backend says that this user is who the page says. */
export function isProven(
  { uidSecret }: Pick<LiveAccount, 'uidSecret'>,
  { uid, uid_hash }: Pick<SentVisit, 'uid' | 'uid_hash'>,
  now: Millis,
): boolean {
  const hash = uidSecret === null ? undefined : readUidHash(uid_hash, uid, now);
  if (!hash || uidSecret === null) return false;
  const right = createHmac('sha256', uidSecret).update(hash.signed).digest();
  return timingSafeEqual(right, Buffer.from(hash.digest, 'hex'));
}

export function unproven(): Refusal {
  return forbidden(
    '`uid_hash` must prove the `uid`, and be of the last 24 hours: have your backend make it with the secret of the account, as `hex(HMAC_SHA256(secret, uid + "-" + unix_seconds)) + "-" + unix_seconds`',
  );
}

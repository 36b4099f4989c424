import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Millis,
  type PageTrust,
  type ProfileItem,
  type Proof,
  readIdentityHash,
  readUidHash,
  type SignedText,
  type VisitInput,
} from '@usher/domain';
import { type ApiError, forbidden } from '../errors.ts';
import type { PublishedAccount } from '../published/published-account.ts';

/** How far a page is trusted. */
export function trustIn(
  account: Pick<PublishedAccount, 'uidSecret' | 'trustPages'>,
  params: Pick<VisitInput, 'uid_hash' | 'identity_hash'>,
  input: ProfileItem & { uid: string },
  now: Millis,
): PageTrust {
  const { uidSecret, trustPages } = account;
  return { proof: proofOf(account, params, input, now), trustPages, canSign: uidSecret !== null };
}

/** How much of what a page reports about its user is signed by the customer's backend. */
function proofOf(
  { uidSecret }: Pick<PublishedAccount, 'uidSecret'>,
  { uid_hash, identity_hash }: Pick<VisitInput, 'uid_hash' | 'identity_hash'>,
  input: ProfileItem & { uid: string },
  now: Millis,
): Proof {
  if (uidSecret === null) return 'none';
  if (identity_hash && isSigned(uidSecret, readIdentityHash(identity_hash, input, now))) return 'identity';
  return isSigned(uidSecret, readUidHash(uid_hash, input.uid, now)) ? 'uid' : 'none';
}

function isSigned(secret: string, hash: SignedText | undefined): boolean {
  if (!hash) return false;
  const expected = createHmac('sha256', secret).update(hash.signed).digest();
  return timingSafeEqual(expected, Buffer.from(hash.digest, 'hex'));
}

/** Once the backend can sign, a page without proof cannot read what others have reported about the user. */
export function isWithheld(
  { uidSecret, trustPages }: Pick<PublishedAccount, 'uidSecret' | 'trustPages'>,
  isProven: boolean,
): boolean {
  return uidSecret !== null && !trustPages && !isProven;
}

export function unproven(): ApiError {
  return forbidden(
    '`uid_hash` must prove the `uid`, and be of the last 24 hours: have your backend make it with the secret of the account, as `hex(HMAC_SHA256(secret, uid + "-" + unix_seconds)) + "-" + unix_seconds`; or send `identity_hash`',
  );
}

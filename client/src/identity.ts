import { hmacHex } from './hmac.ts';

const inSeconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** Proves to pages whose `uid` it is, for 24 hours. The secret is the `uid_secret` of the account. */
export async function uidHash(secret: string, uid: string, at = new Date()): Promise<string> {
  const seconds = inSeconds(at);
  return `${await hmacHex(secret, `${uid}-${seconds}`)}-${seconds}`;
}

/** Proves the email and the Company of a user, too. Leave out what your pages do not send. */
export async function identityHash(
  secret: string,
  { uid, email = '', companyUid = '' }: { uid: string; email?: string; companyUid?: string },
  at = new Date(),
): Promise<string> {
  const seconds = inSeconds(at);
  if (/[\r\n]/.test(uid + email + companyUid)) throw new TypeError('A signed value must not have a line break');
  return `${await hmacHex(secret, [uid, email, companyUid, seconds].join('\n'))}-${seconds}`;
}

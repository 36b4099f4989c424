import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  type CheckIdentity,
  findHashProblem,
  type IdentityCheck,
  type IdentityProblem,
  MAX_HASH_AGE_MS,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { openKey } from '../../../keys/account-keys.ts';

const messages: Record<IdentityProblem, string> = {
  no_secret: 'The account has no secret to sign with yet. Make one first.',
  empty: 'There is no hash. Your backend has to make it and pass it to the page.',
  base64: 'The hash is in Base64. Make it in hexadecimal digits (0 to 9 and a to f).',
  no_time:
    'The time is missing. After the digits there must be a hyphen and the time in seconds, the same that was signed.',
  milliseconds: 'The time is in milliseconds. Use seconds since 1970: divide by 1000, and round down.',
  malformed: 'The hash must have 64 hexadecimal digits, a hyphen, and the time in seconds.',
  expired: 'The hash is older than 24 hours. Make a new one with each page that your server sends.',
  future: 'The time of the hash is in the future. Check the clock of your server.',
  other_kind: 'The hash is right, but of the other kind: send it under its own name.',
  without_time: 'The hash was made without the time. Sign the ID, a hyphen and the seconds together.',
  other_uid: 'The hash was made with another form of the ID. Sign exactly what the page sends.',
  not_keyed: 'The hash was made without HMAC. Use HMAC with SHA-256, and the secret as its key.',
  wrong:
    'The hash does not fit. Check that your server has the current secret, and signs exactly the values that the page sends.',
};

/** Says whether a hash proves a user, and if not, what is wrong. Nothing is recorded. */
export async function checkIdentity(ctx: Context, params: CheckIdentity): Promise<IdentityCheck> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'uid_secret'])
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  const secret = openKey(ctx.app.secretBox, account, 'uid_secret');
  const hash = (params.identity_hash || params.uid_hash || '').trim();
  if (secret === null) return wrong('no_secret');
  const malformed = findHashProblem(hash, ctx.now());
  if (malformed && malformed !== 'no_time') return wrong(malformed);
  const [digest = '', seconds = ''] = hash.split('-');
  const isSigned = (text: string) => isEqualDigest(digest, createHmac('sha256', secret).update(text).digest());
  const { uid } = params;
  if (malformed) return wrong(isSigned(uid) ? 'without_time' : malformed);

  const texts = (id: string) => ({
    uid: `${id}-${seconds}`,
    identity: [id, params.email ?? '', params.company_uid ?? '', seconds].join('\n'),
  });
  const [kind, other] = params.identity_hash ? (['identity', 'uid'] as const) : (['uid', 'identity'] as const);
  if (isSigned(texts(uid)[kind])) {
    const validUntil = toTimestamp(Number(seconds) * 1000 + MAX_HASH_AGE_MS);
    return { valid: true, problem: null, message: 'The hash proves this user.', valid_until: validUntil };
  }
  if (isSigned(texts(uid)[other])) return wrong('other_kind');
  if (isSigned(uid)) return wrong('without_time');
  const form = otherForms(uid).find(({ id }) => isSigned(texts(id)[kind]));
  if (form) return { ...wrong('other_uid'), message: `${messages.other_uid} It was made with ${form.words}.` };
  const unkeyed = [`${secret}${texts(uid)[kind]}`, `${texts(uid)[kind]}${secret}`, texts(uid)[kind]];
  if (unkeyed.some((text) => isEqualDigest(digest, createHash('sha256').update(text).digest())))
    return wrong('not_keyed');
  return wrong('wrong');
}

/** Other forms of a `uid` that are often signed by mistake. */
function otherForms(uid: string): { id: string; words: string }[] {
  const forms = [
    { id: uid.trim(), words: 'the ID without the spaces around it' },
    { id: ` ${uid}`, words: 'a space before the ID' },
    { id: `${uid} `, words: 'a space after the ID' },
    { id: `${uid}\n`, words: 'a line break after the ID' },
    { id: uid.toLowerCase(), words: 'the ID in small letters' },
    { id: uid.toUpperCase(), words: 'the ID in capital letters' },
    { id: `"${uid}"`, words: 'the ID in quotation marks' },
    { id: uid.replace(/^0+(?=\d)/, ''), words: 'the ID without the zeros at its beginning' },
    { id: `${uid}.0`, words: 'the ID as a number with decimals' },
    { id: 'undefined', words: 'the word “undefined” instead of the ID' },
    { id: 'null', words: 'the word “null” instead of the ID' },
    { id: '', words: 'an empty ID' },
  ];
  return forms.filter(({ id }) => id !== uid);
}

function isEqualDigest(hex: string, expected: Buffer): boolean {
  const actual = Buffer.from(hex, 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function wrong(problem: IdentityProblem): IdentityCheck {
  return { valid: false, problem, message: messages[problem], valid_until: null };
}

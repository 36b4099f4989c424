import { hasPermission, isId, type Millis } from '@usher/domain';
import type { Context } from '../context.ts';
import { forbidden } from '../errors.ts';
import { isSameSignature, signatureOf } from './visit-token.ts';

/*
 * A debug token lets the debug panel of a page ask why something does not show. It names the account, the time when it
 * expires, and who created it: the administrator and, if it was created with one, the secret. It is rejected when the
 * administrator or the secret loses access. The key of the account signs visit tokens too. A debug token begins with a
 * word and a visit token with an ID, so neither can be used as the other.
 */
const PURPOSE = 'debug';

export interface DebugTokenContent {
  accountId: string;
  expiresAt: Millis;
  adminId: string;
  /** Empty if a person who had signed in created it. */
  secretId: string;
}

export function signDebugToken(key: string, { accountId, expiresAt, adminId, secretId }: DebugTokenContent): string {
  const payload = [PURPOSE, accountId, expiresAt.toString(36), adminId, secretId].join('.');
  return `${payload}.${signatureOf(key, payload)}`;
}

/** Returns what the token says. Returns undefined if it is not a debug token of this account. */
export function readDebugToken(token: string, key: string, accountId: string): DebugTokenContent | undefined {
  const parts = token.split('.');
  const [purpose, account = '', time = '', adminId = '', secretId = '', signature = '', ...rest] = parts;
  const expiresAt = Number.parseInt(time, 36);
  const isRead = purpose === PURPOSE && isId(account) && Number.isSafeInteger(expiresAt) && rest.length === 0;
  if (!isRead || account !== accountId) return undefined;
  if (!isSameSignature(signature, signatureOf(key, parts.slice(0, -1).join('.')))) return undefined;
  return { accountId, expiresAt, adminId, secretId };
}

/** Rejects a debug token whose administrator may not create one any more, or whose secret was revoked or has expired. */
export async function checkMaker(ctx: Context, { adminId, secretId }: DebugTokenContent): Promise<void> {
  const admin = await ctx.db
    .selectFrom('admins')
    .select('role')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', adminId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!admin || !hasPermission({ role: admin.role }, 'edit'))
    throw forbidden('The administrator who made this `debug_token` may not edit in this account any more');
  if (secretId === '') return;
  const secret = await ctx.db
    .selectFrom('secrets')
    .select('expires_at')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', secretId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!secret || (secret.expires_at !== null && secret.expires_at <= ctx.now()))
    throw forbidden('The secret that made this `debug_token` was revoked, or has expired');
}

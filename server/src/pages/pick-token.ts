import { createHash, randomBytes } from 'node:crypto';
import { type Host, hasPermission, isId, pickStateOf } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import type { Schema } from '../db/schema.ts';
import { forbidden } from '../errors.ts';
import { isSameSignature } from './visit-token.ts';

export type PickRow = Selectable<Schema['picks']>;

const START_AGAIN = 'go back to Usher and start again there';

/** Creates the token of an open pick. It names the account and the pick, which are no secrets, and has 256 random bits. */
export function newPickToken({ account_id, id }: Pick<PickRow, 'account_id' | 'id'>): string {
  return `${account_id}.${id}.${randomBytes(32).toString('base64url')}`;
}

/** Keys, codes and tokens are stored as hashes only, so nobody can open a pick with what the database has. */
export function hashPickSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function readPickToken(token: string): { accountId: string; pickId: string } | undefined {
  const [accountId = '', pickId = '', secret = '', ...rest] = token.split('.');
  const isRead = isId(accountId) && isId(pickId) && secret !== '' && rest.length === 0;
  return isRead ? { accountId, pickId } : undefined;
}

export async function findPickByToken(ctx: Context, id: string, token: string): Promise<PickRow | undefined> {
  const row = await ctx.db
    .selectFrom('picks')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && isSameSignature(hashPickSecret(token), row.token_hash ?? '') ? row : undefined;
}

/** Rejects a pick that is over, or whose administrator may not edit any more. */
export async function checkPick(ctx: Context, row: PickRow): Promise<void> {
  const state = pickStateOf(row, ctx.now());
  if (state === 'ended') throw forbidden(`This pick has ended: ${START_AGAIN}`);
  if (state === 'expired') throw forbidden(`This pick has expired: ${START_AGAIN}`);
  const admin = await ctx.db
    .selectFrom('admins')
    .select('role')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', row.admin_id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!admin || !hasPermission({ role: admin.role }, 'edit'))
    throw forbidden('The administrator who made this pick may not edit in this account any more');
}

/** A pick is for one host: no page of another host may use its key or its token. */
export function checkPickHost({ host }: Pick<PickRow, 'host'>, page: Host | undefined): void {
  if (page?.host !== host)
    throw forbidden(`This pick is for pages on ${host}: ${START_AGAIN}, with the address of this page`);
}

/** A key or a code works once. */
export function pickIsOpen() {
  return forbidden(`This pick is open already, in another tab or on another device: ${START_AGAIN}`);
}

import { hasPermission } from '@usher/domain';
import type { Actor, Context } from '../../../context.ts';
import { expiresAt } from '../../team/sessions/session-times.ts';

/** Whether the administrator of a request may still edit, and its session or secret still works. */
export async function mayStillEdit(ctx: Context): Promise<boolean> {
  const { id, secret, session } = ctx.actor;
  const admin = await ctx.db
    .selectFrom('admins')
    .select('role')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!admin || !hasPermission({ role: admin.role, scope: secret?.scope }, 'edit')) return false;
  return session ? isSessionOpen(ctx, session) : secret !== undefined && isSecretValid(ctx, secret);
}

/** A session is for one account at a time. */
async function isSessionOpen(ctx: Context, { id }: NonNullable<Actor['session']>): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('sessions')
    .select(['id', 'last_used_at'])
    .where('id', '=', id)
    .where('account_id', '=', ctx.account.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined && expiresAt(row) > ctx.now();
}

async function isSecretValid(ctx: Context, { id }: NonNullable<Actor['secret']>): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('secrets')
    .select('expires_at')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined && (row.expires_at === null || row.expires_at > ctx.now());
}

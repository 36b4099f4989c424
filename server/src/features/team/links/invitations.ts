import { type CreateInvitation, type Invitation, type Role, timeOfId, toTimestamp, type User } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { loadUsers } from '../persons/load-users.ts';
import { lockUnlimitedSecret } from '../secrets/queries.ts';
import { insertLink, type LinkRow, linkUrl } from './queries.ts';

/** The invitations of the account that nobody has accepted yet. */
export function invitationsOf(ctx: Context) {
  return ctx.db
    .selectFrom('links')
    .selectAll()
    .where('kind', '=', 'invite')
    .where('account_id', '=', ctx.account.id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.now());
}

export async function presentInvitations(ctx: Context, rows: readonly LinkRow[]): Promise<Invitation[]> {
  const users = await loadUsers(
    ctx,
    rows.map(({ created_by }) => created_by),
  );
  return rows.map((row) => present(row, users));
}

export async function showInvitation(ctx: Context, id: string): Promise<Invitation> {
  const rows = await invitationsOf(ctx).where('id', '=', id).execute();
  const [invitation] = await presentInvitations(ctx, rows);
  if (!invitation) throw notFound('invitation');
  return invitation;
}

/**
 * Creates a link by which one person can join the account. The link is returned here and never again. It ends with the
 * secret that creates it.
 */
export async function createInvitation(
  ctx: Context,
  { role, note }: CreateInvitation,
): Promise<Invitation & { url: string }> {
  const created_by = ctx.actor.id || null;
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    const secret = await lockUnlimitedSecret(ctx);
    const { row, token } = await insertLink(ctx.app, ctx.db, {
      kind: 'invite',
      account_id: ctx.account.id,
      role,
      created_by,
      note: note?.trim() ?? null,
      secret_id: secret?.id ?? null,
    });
    await recordAudit(ctx, 'invitation.create', { type: 'invitation', id: row.id }, { role });
    const users = await loadUsers(ctx, [created_by]);
    return { ...present(row, users), url: linkUrl(baseOf(ctx), 'invite', token) };
  });
}

/** Withdraws an invitation that nobody has accepted yet. */
export async function deleteInvitation(ctx: Context, id: string): Promise<Invitation> {
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    const row = await ctx.dialect.lockRows(invitationsOf(ctx).where('id', '=', id)).executeTakeFirst();
    if (!row) throw notFound('invitation');
    await ctx.db.updateTable('links').set({ used_at: ctx.now() }).where('id', '=', id).execute();
    await recordAudit(ctx, 'invitation.delete', { type: 'invitation', id }, { role: row.role });
    const [invitation] = await presentInvitations(ctx, [row]);
    return invitation as Invitation;
  });
}

/** Without a public URL in the settings, the link begins with the address at which the owner uses the dashboard. */
function baseOf({ app, actor, request }: Context): string {
  const isLocal = /^https?:\/\/(localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(app.publicUrl);
  return isLocal && actor.session && request ? request.cookie.origin : app.publicUrl;
}

function present({ id, role, note, expires_at, created_by }: LinkRow, users: ReadonlyMap<string, User>): Invitation {
  const created_at = toTimestamp(timeOfId(id));
  return {
    id,
    created_at,
    updated_at: created_at,
    role: role as Role,
    note,
    expires_at: toTimestamp(expires_at),
    user: users.get(created_by ?? '') ?? null,
  };
}

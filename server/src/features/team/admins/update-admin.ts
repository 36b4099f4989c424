import type { Admin, Role } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ResponseWithStatus } from '../../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockUnlimitedSecret } from '../secrets/queries.ts';
import { rotateSession } from '../sessions/rotate-session.ts';
import { keepAnOwner } from './keep-an-owner.ts';
import { presentAdmin } from './present-admin.ts';
import { endSessionsIn, getAdmin, withdrawInvitations } from './queries.ts';

/**
 * Changes the role of an administrator. Their sessions in the account end, so that nobody who has an old cookie gets the
 * new role. Owners who change their own role keep their session, with a new token.
 */
export async function updateAdmin(ctx: Context, id: string, role: Role): Promise<ResponseWithStatus<{ admin: Admin }>> {
  return ctx.transaction(async (ctx) => {
    // If two owners demote each other at the same time, the second waits here for the first.
    await ctx.clock();
    await lockUnlimitedSecret(ctx);
    const before = await getAdmin(ctx, id);
    if (before.role === role) return new ResponseWithStatus(200, { admin: presentAdmin(ctx, before) });
    await keepAnOwner(ctx, before);
    await ctx.db.updateTable('admins').set({ role, updated_at: ctx.now() }).where('id', '=', id).execute();
    if (role !== 'owner') await withdrawInvitations(ctx, id);
    const isSelf = id === ctx.actor.id;
    await endSessionsIn(ctx, before, isSelf ? ctx.actor.session?.id : '');
    const headers = isSelf ? await rotateSession(ctx) : {};
    await recordAudit(ctx, 'admin.update', { type: 'admin', id }, { role: [before.role, role] });
    return new ResponseWithStatus(200, { admin: presentAdmin(ctx, await getAdmin(ctx, id)) }, headers);
  });
}

import type { Admin, Secret } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ResponseWithStatus } from '../../../http/route.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { loadUsers } from '../persons/load-users.ts';
import { endLinksOf } from '../persons/queries.ts';
import { isWorking, lockCaller, presentSecret, revokeSecrets, secretsOf } from '../secrets/queries.ts';
import { keepAnOwner } from './keep-an-owner.ts';
import { presentAdmin } from './present-admin.ts';
import { endSessionsIn, getAdmin, withdrawInvitations } from './queries.ts';

/**
 * Removes an administrator from the account: their sessions there and their links to choose a password end, and their
 * secrets are revoked. The row stays, because Changes name it. The person stays too, for their other accounts.
 */
export async function removeAdmin(
  ctx: Context,
  id: string,
): Promise<ResponseWithStatus<{ admin: Admin; secrets: Secret[] }>> {
  return ctx.transaction(async (ctx) => {
    await ctx.clock();
    await lockCaller(ctx);
    const now = ctx.now();
    const admin = await getAdmin(ctx, id);
    await keepAnOwner(ctx, admin);
    const working = secretsOf(ctx).where((eb) => isWorking(ctx, eb));
    const secrets = await working.where('admin_id', '=', id).orderBy('id', 'desc').execute();
    await revokeSecrets(ctx, secrets);
    await withdrawInvitations(ctx, id);
    await endSessionsIn(ctx, admin);
    // If the person joins again, an old link must not work again.
    await endLinksOf(ctx, admin.person_id);
    const removed = { removed_at: now, updated_at: now, preferences: null };
    await ctx.db.updateTable('admins').set(removed).where('id', '=', id).execute();
    const details = { role: admin.role, secret_ids: secrets.map(({ id }) => id) };
    await recordAudit(ctx, 'admin.delete', { type: 'admin', id }, details);
    const users = await loadUsers(ctx, [id]);
    const body = {
      admin: presentAdmin(ctx, admin),
      secrets: secrets.map((secret) => presentSecret(secret, users)),
    };
    const isSelf = id === ctx.actor.id && ctx.actor.session !== undefined;
    return new ResponseWithStatus(200, body, isSelf ? ctx.request?.cookie.set(null) : {});
  });
}

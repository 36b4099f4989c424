import type { OpenEditor } from '@usher/domain';
import type { Context } from '../../context.ts';
import { adminsOf } from '../team/admins/queries.ts';
import { checkExperience } from './queries.ts';

/** An editor reports every 20 seconds. Two reports may get lost. */
const OPEN_MS = 60_000;

/** Records that the caller has the editor of an Experience open, or has closed it, and lists who else has it open. */
export async function reportOpenEditor(ctx: Context, id: string, isOpen: boolean): Promise<OpenEditor[]> {
  await checkExperience(ctx, id);
  const now = ctx.now();
  await ctx.transaction(async ({ db }) => {
    const rows = db.deleteFrom('open_editors').where('account_id', '=', ctx.account.id).where('experience_id', '=', id);
    await rows
      .where((eb) => eb.or([eb('seen_at', '<', now - OPEN_MS), ...(isOpen ? [] : [eb('admin_id', '=', ctx.actor.id)])]))
      .execute();
    if (!isOpen) return;
    await db
      .insertInto('open_editors')
      .values({ account_id: ctx.account.id, experience_id: id, admin_id: ctx.actor.id, seen_at: now })
      .onConflict((known) => known.columns(['account_id', 'experience_id', 'admin_id']).doUpdateSet({ seen_at: now }))
      .execute();
  });
  const open = await ctx.db
    .selectFrom('open_editors')
    .select('admin_id')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('admin_id', '<>', ctx.actor.id)
    .where('seen_at', '>=', now - OPEN_MS)
    .execute();
  if (open.length === 0) return [];
  const ids = open.map(({ admin_id }) => admin_id);
  const admins = await adminsOf(ctx).where('admins.id', 'in', ids).orderBy('people.name').execute();
  return admins.map(({ id, name }) => ({ id, name }));
}

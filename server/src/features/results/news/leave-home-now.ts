import { type HomeVisits, leaveHome, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';

/** Remembers when the administrator left Home. */
export async function leaveHomeNow(ctx: Context): Promise<{ left_at: string }> {
  const visits = await ctx.transaction(async (ctx) => {
    await ctx.clock();
    const left = leaveHome(await loadHomeVisits(ctx), ctx.now());
    await ctx.db.updateTable('admins').set(left).where('id', '=', ctx.actor.id).execute();
    return left;
  });
  return { left_at: toTimestamp(visits.home_left_at ?? ctx.now()) };
}

export async function loadHomeVisits(ctx: Context): Promise<HomeVisits> {
  const mine = ctx.db.selectFrom('admins').select(['home_left_at', 'home_left_before']);
  const row = await mine.where('id', '=', ctx.actor.id).executeTakeFirst();
  return row ?? { home_left_at: null, home_left_before: null };
}

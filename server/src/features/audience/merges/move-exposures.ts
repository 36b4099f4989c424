import type { Context } from '../../../context.ts';

/**
 * Moves the exposures of one locked profile to another one. Somebody who was in two arms stays in the first one, and has seen what is
 * for another arm.
 */
export async function moveExposures(ctx: Context, from: string, to: string): Promise<void> {
  const others = await exposuresOf(ctx, from);
  if (others.length === 0) return;
  const known = new Map((await exposuresOf(ctx, to)).map((row) => [row.experiment_id, row]));
  for (const { profile_id: _, ...other } of others) {
    const own = known.get(other.experiment_id);
    const [first, second] = !own || other.exposed_at < own.exposed_at ? [other, own] : [own, other];
    const isMixed = second !== undefined && second.variant_id !== first.variant_id;
    const times = [first.contaminated_at, second?.contaminated_at, isMixed ? second.exposed_at : null];
    const contaminated_at = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
    const merged = {
      variant_id: first.variant_id,
      exposed_at: first.exposed_at,
      contaminated_at: Number.isFinite(contaminated_at) ? contaminated_at : null,
    };
    await ctx.db
      .insertInto('exposures')
      .values({ ...other, ...merged, profile_id: to })
      .onConflict((conflict) => conflict.columns(['account_id', 'profile_id', 'experiment_id']).doUpdateSet(merged))
      .execute();
  }
  await ctx.db
    .deleteFrom('exposures')
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', from)
    .execute();
}

function exposuresOf(ctx: Context, profileId: string) {
  return ctx.db
    .selectFrom('exposures')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .execute();
}

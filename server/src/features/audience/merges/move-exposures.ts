import type { Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';

/**
 * Moves the exposures of one locked profile to another one. Somebody who was in two arms stays in the first one, and has seen what is
 * for another arm.
 */
export async function moveExposures(ctx: Context, from: string, to: string): Promise<void> {
  const all = await exposuresOf(ctx, from, to);
  // A merge is part of a page load, and few accounts have experiments.
  if (all.length === 0) return;
  const others = all.filter(({ profile_id }) => profile_id === from);
  const known = new Map(all.flatMap((row) => (row.profile_id === to ? [[row.experiment_id, row] as const] : [])));
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
  await contaminateWhoSawOther(ctx, to);
}

/** One of both was not exposed, and may have seen another arm: by a link, as somebody of a holdout. */
async function contaminateWhoSawOther(ctx: Context, profileId: string): Promise<void> {
  const exposures = (await exposuresOf(ctx, profileId)).filter(({ contaminated_at }) => contaminated_at === null);
  if (exposures.length === 0) return;
  const seen = await findSeen(ctx, profileId);
  for (const exposure of exposures)
    if (await hasSeenOther(ctx, exposure, seen))
      await ctx.db
        .updateTable('exposures')
        .set({ contaminated_at: ctx.now() })
        .where('account_id', '=', ctx.account.id)
        .where('profile_id', '=', profileId)
        .where('experiment_id', '=', exposure.experiment_id)
        .execute();
}

/** When the profile, to which the Interactions were moved, last saw each Experience. */
async function findSeen(ctx: Context, profileId: string): Promise<ReadonlyMap<string, Millis>> {
  const rows = await ctx.db
    .selectFrom('interactions')
    .select(['experience_id', 'displayed_at', 'started_at'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .execute();
  return new Map(
    rows.map(({ experience_id, displayed_at, started_at }) => [
      experience_id,
      Math.max(displayed_at ?? 0, started_at ?? 0),
    ]),
  );
}

async function hasSeenOther(
  ctx: Context,
  { experiment_id, variant_id }: { experiment_id: string; variant_id: string },
  seen: ReadonlyMap<string, Millis>,
): Promise<boolean> {
  const experiment = await ctx.db
    .selectFrom('experiments')
    .select(['variants', 'started_at'])
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', experiment_id)
    .executeTakeFirst();
  const since = experiment?.started_at ?? Number.POSITIVE_INFINITY;
  const others = experiment?.variants.filter(({ id }) => id !== variant_id) ?? [];
  return others.some(({ experience_id }) => experience_id !== null && (seen.get(experience_id) ?? 0) >= since);
}

function exposuresOf(ctx: Context, ...profileIds: string[]) {
  return ctx.db
    .selectFrom('exposures')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', 'in', profileIds)
    .execute();
}

import type { Context } from '../../../context.ts';
import { recordActivity } from './queries.ts';

/** Records that an event met the goal of Experiences that the user has started, once for each showing. */
export async function meetGoals(ctx: Context, profileId: string, experienceIds: readonly string[]): Promise<void> {
  if (experienceIds.length === 0) return;
  // Most events meet no goal and then need no clock. The profile is locked, so the rows stay as they are.
  const met = await ctx.db
    .selectFrom('interactions')
    .select(['id', 'experience_id'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .where('experience_id', 'in', [...experienceIds])
    .where('started_at', 'is not', null)
    .where((eb) => eb.or([eb('goal_at', 'is', null), eb('goal_at', '<', eb.ref('started_at'))]))
    .execute();
  if (met.length === 0) return;
  const now = ctx.now();
  for (const { experience_id } of met)
    await recordActivity(ctx, { profile_id: profileId, experience_id }, now, { what: 'goal', part_id: '' });
  const { at: updated_at, tick: updated_tick } = await ctx.clock();
  await ctx.db
    .updateTable('interactions')
    .set({ goal_at: now, updated_at, updated_tick })
    .where('account_id', '=', ctx.account.id)
    .where(
      'id',
      'in',
      met.map(({ id }) => id),
    )
    .execute();
}

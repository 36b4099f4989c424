import type { Context } from '../../context.ts';
import { noteActivity } from './queries.ts';

/** An event was tracked that meets the goal of these Experiences: for those that the user has started, once a showing. */
export async function meetGoals(ctx: Context, profileId: string, experienceIds: readonly string[]): Promise<void> {
  if (experienceIds.length === 0) return;
  const now = ctx.now();
  const met = await ctx.db
    .updateTable('interactions')
    .set({ goal_at: now, updated_at: now })
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .where('experience_id', 'in', [...experienceIds])
    .where('started_at', 'is not', null)
    .where((eb) => eb.or([eb('goal_at', 'is', null), eb('goal_at', '<', eb.ref('started_at'))]))
    .returning('experience_id')
    .execute();
  for (const { experience_id } of met)
    await noteActivity(ctx, { profile_id: profileId, experience_id }, now, { what: 'goal', part_id: '' });
}

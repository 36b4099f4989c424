import { dayOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { countActivities, type NewActivity, noDimensions, recordActivities } from './record-activities.ts';

/** Records that an event met the goal of Experiences that the user has started, once for each showing. */
export async function meetGoals(
  ctx: Context,
  profile_id: string,
  experienceIds: readonly string[],
  timeZone: string,
): Promise<void> {
  if (experienceIds.length === 0) return;
  // Most events meet no goal and then need no clock. The profile is locked, so the rows stay as they are.
  const met = await ctx.db
    .selectFrom('interactions')
    .select(['id', 'experience_id'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profile_id)
    .where('experience_id', 'in', [...experienceIds])
    .where('started_at', 'is not', null)
    .where((eb) => eb.or([eb('goal_at', 'is', null), eb('goal_at', '<', eb.ref('started_at'))]))
    .execute();
  if (met.length === 0) return;
  const now = ctx.now();
  const goal = [{ what: 'goal', part_id: '' }] as const;
  const found = new Map<string, NewActivity[]>();
  for (const { experience_id } of met)
    found.set(
      experience_id,
      await recordActivities(ctx, { profile_id, experience_id }, dayOf(now, timeZone), goal, noDimensions),
    );
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
  if (await isTestUser(ctx, profile_id)) return;
  for (const [experience_id, activities] of found)
    await countActivities(ctx, { profile_id, experience_id }, activities, noDimensions);
}

async function isTestUser(ctx: Context, profileId: string): Promise<boolean> {
  const query = ctx.db.selectFrom('profiles').select('is_test').where('account_id', '=', ctx.account.id);
  return (await query.where('id', '=', profileId).executeTakeFirstOrThrow()).is_test;
}

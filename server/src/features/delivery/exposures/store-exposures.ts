import type { Millis, NewExposure } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { Arms } from './find-arms.ts';

const lockProfile = new PreparedStatement<{ last_cleared_at: Millis | null }, 'id'>(
  ({ onPostgres }) => `
    select last_cleared_at from profiles where account_id = :account and id = :id ${onPostgres('for no key update')}`,
);

const insertExposure = new PreparedStatement<
  never,
  'profile_id' | 'experiment_id' | 'variant_id' | 'exposed_at' | 'contaminated_at'
>(`
  insert into exposures (account_id, profile_id, experiment_id, variant_id, exposed_at, contaminated_at)
  values (:account, :profile_id, :experiment_id, :variant_id, :exposed_at, :contaminated_at)
  on conflict do nothing`);

const storedExposure = new PreparedStatement<
  { variant_id: string; exposed_at: Millis },
  'profile_id' | 'experiment_id'
>(`
  select variant_id, exposed_at from exposures
  where account_id = :account and profile_id = :profile_id and experiment_id = :experiment_id`);

/**
 * Stores that a user is a part of these experiments, and in which arm, before the page learns of it. If another page load of the user was
 * first, its arm counts. A user for whom nothing can be stored sees nothing of the experiment.
 */
export async function storeExposures(
  ctx: Context,
  profile: { id: string; last_cleared_at: Millis | null },
  exposures: readonly NewExposure[],
  arms: Arms,
): Promise<void> {
  const { disk } = ctx.app;
  const keepOut = () => {
    for (const { experiment } of exposures) arms.keepOut(experiment);
  };
  if (disk.isFull) return keepOut();
  try {
    const stored = await ctx.transaction((ctx) => store(ctx, profile, exposures));
    if (!stored) return keepOut();
    for (const { experiment, ...exposure } of stored) arms.fix(experiment, exposure);
  } catch (error) {
    if (!disk.noteFailure(error)) throw error;
    keepOut();
  }
}

async function store(
  ctx: Context,
  { id: profile_id, last_cleared_at }: { id: string; last_cleared_at: Millis | null },
  exposures: readonly NewExposure[],
) {
  const profile = await ctx.find(lockProfile, { id: profile_id });
  // It was cleared, forgotten or merged meanwhile. Its next page load decides again.
  if (!profile || profile.last_cleared_at !== last_cleared_at) return undefined;
  const now = ctx.now();
  const stored = [];
  for (const { experiment, variant, isContaminated } of exposures) {
    const key = { profile_id, experiment_id: experiment.id };
    const contaminated_at = isContaminated ? now : null;
    await ctx.run(insertExposure, { ...key, variant_id: variant.id, exposed_at: now, contaminated_at });
    const found = await ctx.find(storedExposure, key);
    if (found) stored.push({ experiment, ...found });
  }
  return stored;
}

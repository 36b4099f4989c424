import { findExperimentOf, type StoredActivity } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';

interface Key {
  profile_id: string;
  experience_id: string;
}

const exposedTo = new PreparedStatement<{ variant_id: string }, 'profile_id' | 'experiment_id'>(`
  select variant_id from exposures
  where account_id = :account and profile_id = :profile_id and experiment_id = :experiment_id`);

/** The arm of a user in the experiment that an Experience is in; empty if there is none. Without an experiment, nothing is read. */
export async function findVariantId(
  ctx: Context,
  account: Pick<PublishedAccount, 'experiments'>,
  { profile_id, experience_id }: Key,
): Promise<string> {
  const experiment = findExperimentOf(account, experience_id);
  if (!experiment) return '';
  return (await ctx.find(exposedTo, { profile_id, experiment_id: experiment.id }))?.variant_id ?? '';
}

const contaminate = new PreparedStatement<never, 'profile_id' | 'experiment_id' | 'variant_id' | 'now'>(`
  update exposures set contaminated_at = :now
  where account_id = :account and profile_id = :profile_id and experiment_id = :experiment_id
    and variant_id <> :variant_id and contaminated_at is null`);

const seen: ReadonlySet<StoredActivity> = new Set(['displayed', 'started', 'shown']);

/** A user of one arm has seen the Experience of another arm, such as by a Delivery. The user stays in the arm. */
export async function recordContamination(
  ctx: Context,
  account: Pick<PublishedAccount, 'experiments'>,
  { profile_id, experience_id }: Key,
  activities: readonly { what: StoredActivity }[],
): Promise<void> {
  const experiment = findExperimentOf(account, experience_id);
  if (!experiment || !activities.some(({ what }) => seen.has(what))) return;
  const variant_id = experiment.variants.find((one) => one.experience_id === experience_id)?.id ?? '';
  await ctx.run(contaminate, { profile_id, experiment_id: experiment.id, variant_id, now: ctx.now() });
}

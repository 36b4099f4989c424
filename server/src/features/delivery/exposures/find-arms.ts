import type { Arm, Millis, RunningExperiment } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { type Assigned, chooseArm } from './choose-arm.ts';

/** The arms of a user in the experiments that run. */
export class Arms {
  readonly #account: PublishedAccount;
  readonly #profile: Assigned;
  readonly #arms = new Map<string, Arm>();

  constructor(account: PublishedAccount, profile: Assigned) {
    this.#account = account;
    this.#profile = profile;
  }

  of(experiment: RunningExperiment): Arm {
    const arm = this.#arms.get(experiment.id) ?? chooseArm(this.#account, experiment, this.#profile);
    this.#arms.set(experiment.id, arm);
    return arm;
  }

  /** The user is exposed. */
  fix(experiment: RunningExperiment, { variant_id, exposed_at }: Omit<Exposure, 'experiment_id'>): void {
    const variant = experiment.variants.find(({ id }) => id === variant_id);
    if (variant) this.#arms.set(experiment.id, { variant, exposedAt: exposed_at });
  }

  /** The exposure cannot be stored, so nothing of the experiment shows. */
  keepOut(experiment: RunningExperiment): void {
    this.#arms.set(experiment.id, { variant: nothing, exposedAt: null });
  }
}

const nothing = { id: '', name: '', experience_id: null, share: 0 };

interface Exposure {
  experiment_id: string;
  variant_id: string;
  exposed_at: Millis;
}

const exposuresOf = new PreparedStatement<Exposure, 'profile_id'>(`
  select experiment_id, variant_id, exposed_at from exposures
  where account_id = :account and profile_id = :profile_id`);

/** Reads nothing if no experiment runs. */
export async function findArms(ctx: Context, account: PublishedAccount, profile: Assigned): Promise<Arms> {
  const arms = new Arms(account, profile);
  if (account.experiments.length === 0) return arms;
  const byId = new Map(account.experiments.map((experiment) => [experiment.id, experiment]));
  for (const { experiment_id, ...exposure } of await ctx.run(exposuresOf, { profile_id: profile.id })) {
    const experiment = byId.get(experiment_id);
    if (experiment) arms.fix(experiment, exposure);
  }
  return arms;
}

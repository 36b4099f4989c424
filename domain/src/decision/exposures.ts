import type { RunningExperiment, Variant } from '../experiments/variants.ts';
import type { CompiledExperience } from './compiled-experience.ts';
import { decide } from './decide.ts';
import type { DecisionInput, PublishedData } from './rules.ts';

/** Somebody who is in an arm of an experiment from now on. */
export interface NewExposure {
  experiment: RunningExperiment;
  variant: Variant;
  /** Whether the user has seen the Experience of another arm since the experiment began. */
  isContaminated: boolean;
}

/**
 * Finds the experiments that the user becomes a part of on this page, because a variant could show here. The rule does not depend on the
 * arm that the user is in: each variant is decided as if the user was in its arm. Otherwise the arms would have different users.
 */
export function listNewExposures<Of extends CompiledExperience>(
  published: PublishedData<Of>,
  input: DecisionInput,
): NewExposure[] {
  const { armOf } = input;
  if (!armOf) return [];
  return published.experiments.flatMap((experiment) => {
    const { variant, exposedAt } = armOf(experiment);
    if (exposedAt !== null) return [];
    const inArm = (other: Variant) => (one: RunningExperiment) =>
      one === experiment ? { variant: other, exposedAt: null } : armOf(one);
    const couldShow = experiment.variants.some((one) => shows(published, { ...input, armOf: inArm(one) }, one));
    if (!couldShow) return [];
    const isContaminated = experiment.variants.some(
      (one) => one.id !== variant.id && hasSeen(input, experiment, one.experience_id),
    );
    return { experiment, variant, isContaminated };
  });
}

function shows<Of extends CompiledExperience>(
  published: PublishedData<Of>,
  input: DecisionInput,
  { experience_id: id, share }: Variant,
): boolean {
  if (id === null || share === 0 || !published.experience(id, input.now)) return false;
  return decide(published, input).automatic.some((one) => one.id === id);
}

function hasSeen({ interactions }: DecisionInput, { startedAt }: RunningExperiment, id: string | null): boolean {
  const seen = id === null ? undefined : interactions.get(id);
  return Math.max(seen?.started_at ?? 0, seen?.displayed_at ?? 0) >= startedAt;
}

import { type Millis, toTimestamp } from '../basics/time.ts';
import { type ArmNumbers, compareGoal, type GoalNumbers } from './compare-goal.ts';
import type { ExperimentState } from './experiment-schema.ts';
import type { ExperimentResults } from './results-schema.ts';
import { hasWrongRatio } from './sample-ratio.ts';
import { findBaseline, type ShareChange, type Variant } from './variants.ts';

export interface ExperimentNumbers {
  id: string;
  state: ExperimentState;
  variants: readonly Variant[];
  shareChanges: readonly ShareChange[];
  windowDays: number;
  smallestChange: number;
  /** By the ID of the variant. */
  arms: ReadonlyMap<string, ArmNumbers>;
  /** How many people became a part while each of `shareChanges` was in effect, in the order of the variants. */
  countsByShares: readonly (readonly number[])[];
  /** People a day lately, or who could be; null if unknown. */
  peoplePerDay: number | null;
  goals: readonly GoalNumbers[];
  now: Millis;
}

/** What an experiment says, in numbers and in words. */
export function summarizeExperiment(numbers: ExperimentNumbers): ExperimentResults {
  const { variants, arms, shareChanges, countsByShares } = numbers;
  const total = (name: keyof ArmNumbers) => [...arms.values()].reduce((sum, arm) => sum + arm[name], 0);
  const periods = shareChanges.map(({ shares }, at) => ({ shares, counts: countsByShares[at] ?? [] }));
  const isWrong = hasWrongRatio(periods);
  const goals = numbers.goals.map((goal) => compareGoal(goal, numbers));
  return {
    experiment_id: numbers.id,
    state: numbers.state,
    at: toTimestamp(numbers.now),
    exposed_count: total('exposed'),
    complete_count: total('complete'),
    contaminated_count: total('contaminated'),
    variants: variants.map(({ id }, at) => ({
      variant_id: id,
      exposed_count: arms.get(id)?.exposed ?? 0,
      complete_count: arms.get(id)?.complete ?? 0,
      contaminated_count: arms.get(id)?.contaminated ?? 0,
      expected_count: periods.reduce((sum, { shares, counts }) => sum + (expectedCounts(shares, counts)[at] ?? 0), 0),
    })),
    sample_ratio: { is_right: !isWrong, message: isWrong ? WRONG_RATIO : null },
    goals,
    verdict: isWrong ? doubtful : decideWinner(goals[0], variants),
    warnings: listWarnings(numbers, total('exposed'), total('contaminated')),
  };
}

const WRONG_RATIO =
  'The arms have too different numbers of people for their shares, so something keeps people out of one of them: do not trust the differences. Look for a redirect, an error or a filter that hits one variant only';

const doubtful = {
  decision: 'undecided' as const,
  variant_id: null,
  message: 'No decision: the arms do not have the numbers of people that their shares say',
};

function expectedCounts(shares: readonly number[], counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return shares.map((share) => (total * share) / 100);
}

/** Only the first goal decides. */
function decideWinner(
  goal: ExperimentResults['goals'][number] | undefined,
  variants: readonly Variant[],
): ExperimentResults['verdict'] {
  const undecided = (message: string) => ({ decision: 'undecided' as const, variant_id: null, message });
  if (!goal) return undecided('No decision: the experiment has no goal. Choose one: it also counts for the past');
  if (goal.role === 'guardrail') return undecided('No decision: the experiment has guardrails only. Choose a goal');
  const nameOf = (id: string) => variants.find((variant) => variant.id === id)?.name ?? id;
  const better = goal.comparisons.filter(({ finding }) => finding === 'more');
  const best = better.toSorted((one, other) => (other.difference ?? 0) - (one.difference ?? 0))[0];
  if (best)
    return {
      decision: 'variant',
      variant_id: best.variant_id,
      message: `“${nameOf(best.variant_id)}” is better than “${nameOf(best.baseline_variant_id)}” for “${goal.name}”. ${best.message}`,
    };
  const isWorse = goal.comparisons.length > 0 && goal.comparisons.every(({ finding }) => finding === 'less');
  const baseline = findBaseline(variants);
  if (isWorse && baseline)
    return {
      decision: 'baseline',
      variant_id: baseline.id,
      message: `“${baseline.name}” is better than ${goal.comparisons.length === 1 ? 'the other variant' : 'all other variants'} for “${goal.name}”. ${goal.comparisons[0]?.message}`,
    };
  return undecided(`No decision yet: the differences in “${goal.name}” can be chance. ${goal.plan.message}`);
}

/** A share of people above which what they saw of other arms matters. */
const MANY_CONTAMINATED = 0.05;

function listWarnings({ shareChanges, variants }: ExperimentNumbers, exposed: number, contaminated: number): string[] {
  const warnings: string[] = [];
  if (shareChanges.length > 1)
    warnings.push(
      'The shares were changed while the experiment ran. The arms then have different parts of their people from before and after, and days differ: be careful with small differences',
    );
  if (contaminated > exposed * MANY_CONTAMINATED)
    warnings.push(
      'Many people have seen the Experience of another arm, by a Delivery, a link or a button. They count in their own arm, so the real difference is larger than the measured one',
    );
  if (variants.filter(({ experience_id }) => experience_id !== null).length === 0)
    warnings.push('No variant has an Experience');
  return warnings;
}

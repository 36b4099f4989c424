import type { ExperimentState } from './experiment-schema.ts';
import type { findings, GoalResult, goalRoles } from './results-schema.ts';
import { type ArmSample, compareSamples, neededPeople, SIGNIFICANCE } from './sequential-interval.ts';
import { findBaseline, type Variant } from './variants.ts';

export interface ArmNumbers {
  exposed: number;
  /** People whose days are over. */
  complete: number;
  contaminated: number;
}

/** What people of one arm did. `sum` and `squares` are of people whose days are over. */
export interface ReachedNumbers {
  reached: number;
  reachedSoFar: number;
  sum: number;
  squares: number;
}

export interface GoalNumbers {
  id: string;
  name: string;
  role: (typeof goalRoles)[number];
  /** Whether the goal sums a number of its event. */
  sums: boolean;
  arms: ReadonlyMap<string, ReachedNumbers>;
  /** What people of the account did in as many days before, if the experiment does not know enough yet. */
  past?: ArmSample | undefined;
}

interface Known {
  state: ExperimentState;
  variants: readonly Variant[];
  arms: ReadonlyMap<string, ArmNumbers>;
  windowDays: number;
  smallestChange: number;
  peoplePerDay: number | null;
}

const nothing: ReachedNumbers = { reached: 0, reachedSoFar: 0, sum: 0, squares: 0 };

/** Compares each arm with the baseline for one goal. */
export function compareGoal(goal: GoalNumbers, known: Known): GoalResult {
  const { variants, arms } = known;
  const baseline = findBaseline(variants);
  const others = variants.filter((variant) => variant !== baseline);
  // Each comparison may be wrong a little less often, so that all together keep the promise.
  const significance = SIGNIFICANCE / Math.max(1, others.length);
  const sampleOf = ({ id }: Variant): ArmSample => {
    const { reached, sum, squares } = goal.arms.get(id) ?? nothing;
    const count = arms.get(id)?.complete ?? 0;
    return goal.sums ? { count, sum, squares } : { count, sum: reached, squares: reached };
  };
  return {
    goal_id: goal.id,
    name: goal.name,
    role: goal.role,
    sums: goal.sums,
    variants: variants.map((variant) => {
      const { reached, reachedSoFar, sum } = goal.arms.get(variant.id) ?? nothing;
      const { count } = sampleOf(variant);
      return {
        variant_id: variant.id,
        complete_count: count,
        reached_count: reached,
        rate: count === 0 ? null : reached / count,
        reached_so_far_count: reachedSoFar,
        sum: goal.sums ? sum : null,
        mean: goal.sums && count > 0 ? sum / count : null,
      };
    }),
    comparisons: baseline
      ? others.map((other) => compare(goal, baseline, other, sampleOf(baseline), sampleOf(other), significance))
      : [],
    plan: baseline ? plan(goal, known, baseline, sampleOf(baseline), significance) : noPlan(null, null, ''),
  };
}

function compare(
  { sums }: GoalNumbers,
  baseline: Variant,
  variant: Variant,
  before: ArmSample,
  after: ArmSample,
  significance: number,
): GoalResult['comparisons'][number] {
  const found = compareSamples(before, after, significance);
  const ids = { variant_id: variant.id, baseline_variant_id: baseline.id };
  if (!found) {
    const none = { difference: null, low: null, high: null, relative_difference: null };
    return { ...ids, ...none, finding: 'unknown', message: 'Too few people have reached it to say anything' };
  }
  const { estimate, low, high } = found;
  const mean = before.sum / before.count;
  const finding: (typeof findings)[number] = low > 0 ? 'more' : high < 0 ? 'less' : 'unknown';
  const [from, to] = [low, high].map((value) => formatDifference(value, sums));
  const range = `between ${from} and ${to}${sums ? ' for each person' : ' percentage points'}`;
  const words = {
    more: `The difference is ${range}, whenever you look`,
    less: `The difference is ${range}, whenever you look`,
    unknown: `The difference is ${range}, so it can be chance`,
  };
  return {
    ...ids,
    ...{ difference: estimate, low, high },
    relative_difference: mean === 0 ? null : estimate / mean,
    finding,
    message: words[finding],
  };
}

/** With a sign; proportions as percentage points. */
function formatDifference(value: number, sums: boolean): string {
  const shown = sums ? Number(value.toPrecision(3)) : Number((value * 100).toFixed(2));
  return `${shown > 0 ? '+' : shown < 0 ? '−' : ''}${Math.abs(shown)}`;
}

type Plan = GoalResult['plan'];

function noPlan(rate: number | null, from: Plan['rate_from'], message: string): Plan {
  const none = { needed_count: null, people_per_day: null, days_left: null };
  return { rate_from: rate === null ? null : from, rate, ...none, message };
}

/** So many people of the baseline know the rate better than the past of the account. */
const ENOUGH_TO_PLAN = 100;

/** How many people it takes to find a change of the smallest size that matters, from the account's own rates. */
function plan(
  { past }: GoalNumbers,
  { state, variants, arms, windowDays, smallestChange, peoplePerDay }: Known,
  baseline: Variant,
  own: ArmSample,
  significance: number,
): Plan {
  const isOwn = own.count >= ENOUGH_TO_PLAN && own.sum > 0;
  const sample = isOwn ? own : past;
  const from = isOwn ? ('experiment' as const) : ('account' as const);
  if (!sample || sample.count === 0)
    return noPlan(null, null, 'How many people it takes is known when some have reached the goal');
  const mean = sample.sum / sample.count;
  if (!(mean > 0))
    return noPlan(mean, from, 'Nobody has reached the goal yet, so nobody can say how many people it takes');
  const deviation = Math.sqrt(Math.max(0, sample.squares / sample.count - mean * mean));
  const perArm = neededPeople(deviation, (mean * smallestChange) / 100, significance);
  const smallest = variants.filter((one) => one !== baseline).map(({ share }) => share);
  const needed = Math.ceil((perArm / 2) * (100 / baseline.share + 100 / Math.min(...smallest)));
  if (!Number.isFinite(needed))
    return noPlan(mean, from, 'A change of this size cannot be found with these shares and rates');
  const exposed = [...arms.values()].reduce((sum, arm) => sum + arm.exposed, 0);
  const complete = [...arms.values()].reduce((sum, arm) => sum + arm.complete, 0);
  const people = Math.max(0, needed - exposed);
  const isRunning = state !== 'ended';
  const days =
    complete >= needed
      ? 0
      : people === 0
        ? windowDays
        : peoplePerDay !== null && peoplePerDay > 0
          ? Math.ceil(people / peoplePerDay) + windowDays
          : null;
  const size = `to find a change of ${smallestChange} percent`;
  const total = `${formatCount(needed)} people are needed ${size}`;
  const left =
    complete >= needed
      ? ', and there are as many'
      : !isRunning
        ? `, and ${formatCount(exposed)} became a part`
        : days === null
          ? '; how long that takes is known when people become a part'
          : `: about ${formatCount(days)} more ${days === 1 ? 'day' : 'days'}, the ${windowDays} to reach the goal among them`;
  return {
    rate_from: from,
    rate: mean,
    needed_count: needed,
    people_per_day: peoplePerDay,
    days_left: isRunning ? days : null,
    message: `About ${total}${left}`,
  };
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/*
 * Intervals that are right whenever somebody looks. The method and the formulas are in docs/guides/experiments.md.
 */

/** What is known of one arm: `sum` and `squares` are over all people, and a person who did not reach the goal adds 0. */
export interface ArmSample {
  count: number;
  sum: number;
  squares: number;
}

export interface Interval {
  low: number;
  high: number;
}

export interface Difference extends Interval {
  estimate: number;
}

export const SIGNIFICANCE = 0.05;
/** Fewer people in an arm, or fewer who did what is counted, say too little for an interval. */
const MIN_PEOPLE = 100;
const MIN_SPREAD = 30;
/** The interval is narrowest, compared with looking once, when about twice as many people are in each of two arms. */
const TUNED_FOR = 2500;

/** A sample of people of whom some reached a goal. */
export function proportionSample(count: number, reached: number): ArmSample {
  return { count, sum: reached, squares: reached };
}

/**
 * The difference of the means of two arms, `other` minus `baseline`, with an always-valid interval: an administrator who looks at it every day
 * and stops at any time is wrong in at most a share of `significance` of the experiments. Undefined while too little is known.
 */
export function compareSamples(
  baseline: ArmSample,
  other: ArmSample,
  significance: number = SIGNIFICANCE,
): Difference | undefined {
  if (!isEnough(baseline, other)) return undefined;
  const estimate = other.sum / other.count - baseline.sum / baseline.count;
  const variance = varianceOfMean(baseline) + varianceOfMean(other);
  const halfWidth = Math.sqrt(variance) * boundary(pairs(baseline.count, other.count), significance);
  return { estimate, low: estimate - halfWidth, high: estimate + halfWidth };
}

/** Whether the normal approximation is good enough. The test treats both arms alike, so that it favors none. */
function isEnough(baseline: ArmSample, other: ArmSample): boolean {
  if (Math.min(baseline.count, other.count) < MIN_PEOPLE) return false;
  const sum = baseline.sum + other.sum;
  const squares = baseline.squares + other.squares;
  if (squares === 0) return false;
  // How many people who differ from the rest would spread the values as much: for a goal that is reached or not, how many reached it.
  const count = baseline.count + other.count;
  const spreadBy = Math.min((sum * sum) / squares, count - (sum * sum) / squares);
  return (spreadBy * Math.min(baseline.count, other.count)) / count >= MIN_SPREAD;
}

function varianceOfMean({ count, sum, squares }: ArmSample): number {
  const mean = sum / count;
  return Math.max(0, squares / count - mean * mean) / (count - 1);
}

/** Half of the harmonic mean: two arms of n people know as much as one arm of n / 2. */
function pairs(one: number, other: number): number {
  return 1 / (1 / one + 1 / other);
}

/**
 * By how many standard errors the estimate may be off at any time: the boundary of Robbins' normal mixture. With `n` growing, it
 * is wider than the 1.96 of looking once, and it holds for all `n` together.
 */
export function boundary(n: number, significance: number): number {
  const log = -2 * Math.log(significance);
  const mixture = (log + Math.log(log + 1)) / TUNED_FOR;
  const grown = n * mixture + 1;
  return Math.sqrt((grown / (n * mixture)) * (log + Math.log(grown)));
}

/** How many people each of two arms needs, so that a difference of this size is found with a probability of 80 %. */
export function neededPeople(
  standardDeviation: number,
  difference: number,
  significance: number = SIGNIFICANCE,
): number {
  if (!(standardDeviation > 0) || !(difference > 0)) return Number.POSITIVE_INFINITY;
  const finds = (count: number) =>
    difference >= standardDeviation * Math.sqrt(2 / count) * (boundary(count / 2, significance) + POWER_QUANTILE);
  let high = MIN_PEOPLE;
  while (!finds(high)) {
    if (high > MAX_PEOPLE) return Number.POSITIVE_INFINITY;
    high *= 2;
  }
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (finds(middle)) high = middle;
    else low = middle;
  }
  return Math.ceil(high);
}

/** The normal quantile of 80 %. */
const POWER_QUANTILE = 0.8416;
const MAX_PEOPLE = 1e9;

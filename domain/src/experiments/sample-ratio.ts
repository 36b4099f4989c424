/** How many people each arm got while the shares stayed the same. */
export interface ShareCounts {
  counts: readonly number[];
  /** In percent, in the same order. */
  shares: readonly number[];
}

/** The probability that a right assignment is ever called wrong. */
export const RATIO_SIGNIFICANCE = 0.001;
/** How many people the prior distribution is worth: the larger, the closer to the shares are the alternatives that it weighs. */
const PRIOR_PEOPLE = 1000;
/**
 * In percent. A page that loads while the shares change is decided by the shares from before, and can be stored after. So somebody can be in an
 * arm without a share, which would be impossible otherwise.
 */
const MIN_SHARE = 0.1;

/**
 * Whether the arms have so different numbers of people from what the shares say that something must be wrong. It may be looked at
 * every day: a Bayes factor of the shares against a Dirichlet distribution around them, which exceeds 1 / `significance` at any time
 * with at most that probability. Periods with different shares multiply.
 */
export function hasWrongRatio(periods: readonly ShareCounts[], significance: number = RATIO_SIGNIFICANCE): boolean {
  const logFactor = periods.reduce((sum, period) => sum + logBayesFactor(period), 0);
  return logFactor > -Math.log(significance);
}

function logBayesFactor({ counts, shares }: ShareCounts): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const floored = shares.map((share) => Math.max(share, MIN_SHARE));
  const wanted = floored.reduce((sum, share) => sum + share, 0);
  let factor = logGamma(PRIOR_PEOPLE) - logGamma(PRIOR_PEOPLE + total);
  for (const [at, count] of counts.entries()) {
    const share = (floored[at] ?? MIN_SHARE) / wanted;
    const prior = PRIOR_PEOPLE * share;
    factor += logGamma(prior + count) - logGamma(prior) - count * Math.log(share);
  }
  return factor;
}

/** The logarithm of the gamma function, by Stirling's series. */
export function logGamma(x: number): number {
  // The series is exact to 1e-12 from 10 on.
  let shift = 0;
  let at = x;
  for (; at < 10; at += 1) shift += Math.log(at);
  const inverse = 1 / (at * at);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

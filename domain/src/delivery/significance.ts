/*
 * Whether a number changed by more than chance. The rule, its limits and how often it is wrong are in docs/decisions/0065-news.md.
 */

/** What is known of a number in one period: `sum` and `squares` are over all people. */
export interface Sample {
  people: number;
  sum: number;
  squares: number;
}

/** People of whom some did something. */
export function shareOf(people: number, reached: number): Sample {
  const count = Math.min(reached, people);
  return { people, sum: count, squares: count };
}

export function meanOf({ people, sum }: Sample): number {
  return people === 0 ? 0 : sum / people;
}

/**
 * How likely a difference of the means of two samples at least this large is by chance, from 0 to 1. For shares this is the test of two
 * proportions with the pooled variance.
 */
export function chanceOfDifference(before: Sample, after: Sample): number {
  const people = before.people + after.people;
  if (before.people === 0 || after.people === 0) return 1;
  const mean = (before.sum + after.sum) / people;
  const variance = (before.squares + after.squares) / people - mean * mean;
  if (!(variance > 0)) return 1;
  const error = Math.sqrt(variance * (1 / before.people + 1 / after.people));
  return twoSided((meanOf(after) - meanOf(before)) / error);
}

/**
 * How likely a number of people is at least this far from those of earlier periods by chance. Such numbers vary more than random arrivals
 * would, so the variation is that of the earlier periods: Student's t of one more period.
 */
export function chanceOfCount(past: readonly number[], count: number): number {
  if (past.length < 2) return 1;
  const mean = past.reduce((sum, one) => sum + one, 0) / past.length;
  const seen = past.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (past.length - 1);
  // It cannot vary less than random arrivals.
  const variance = Math.max(seen, mean, 1);
  const t = (count - mean) / Math.sqrt(variance * (1 + 1 / past.length));
  return twoSided(toNormal(t, past.length - 1));
}

/** The normal deviate that is as unlikely as a value of Student's t, by the approximation of Wallace. */
function toNormal(t: number, freedom: number): number {
  return ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(freedom * Math.log1p((t * t) / freedom));
}

function twoSided(z: number): number {
  return erfc(Math.abs(z) / Math.SQRT2);
}

const coefficients = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
  0.17087277,
];

/** The complementary error function for values from 0, with a relative error below 0.0000002, by a Chebyshev fit. */
function erfc(x: number): number {
  const t = 1 / (1 + x / 2);
  const sum = coefficients.reduceRight((total, coefficient) => total * t + coefficient, 0);
  return t * Math.exp(-x * x + sum);
}

/**
 * The positions of the comparisons that are more than chance, by Benjamini and Hochberg: of all comparisons that are called so, at most a
 * share of `rate` is expected to be chance; if nothing has changed at all, anything is called so with this probability.
 */
export function moreThanChance(chances: readonly number[], rate: number): Set<number> {
  const order = chances.map((chance, at) => ({ chance, at })).sort((one, other) => one.chance - other.chance);
  const last = order.findLastIndex(({ chance }, rank) => chance <= ((rank + 1) / chances.length) * rate);
  return new Set(order.slice(0, last + 1).map(({ at }) => at));
}

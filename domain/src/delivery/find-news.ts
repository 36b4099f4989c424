import type { Millis } from '../basics/time.ts';
import type { NewsMeasure } from './news.ts';
import { chanceOfCount, chanceOfDifference, meanOf, moreThanChance, type Sample } from './significance.ts';
import type { DayRange } from './stats.ts';

const DAY_MS: Millis = 24 * 60 * 60_000;
const MIN_SINCE_MS = DAY_MS;
const MAX_SINCE_MS = 30 * DAY_MS;
/** For who is on Home for the first time. */
const FIRST_SINCE_MS = 7 * DAY_MS;
/** Who comes back sooner is still on the same visit, so a reload shows the same news. */
const SAME_VISIT_MS = 60 * 60_000;

/** What is stored of the visits of an administrator to Home. */
export interface HomeVisits {
  /** When Home was left the last time, and when it was left before the visit that this time ended. */
  home_left_at: Millis | null;
  home_left_before: Millis | null;
}

/** Home is left now. */
export function leaveHome({ home_left_at, home_left_before }: HomeVisits, now: Millis): HomeVisits {
  if (home_left_at !== null && now <= home_left_at) return { home_left_at, home_left_before };
  const isSameVisit = home_left_at !== null && now - home_left_at < SAME_VISIT_MS;
  return { home_left_at: now, home_left_before: isSameVisit ? home_left_before : home_left_at };
}

/** Since when news are shown: at least a day and at most 30 days ago. */
export function newsSince(
  { home_left_at, home_left_before }: HomeVisits,
  now: Millis,
  requested: Millis | undefined,
): Millis {
  const isSameVisit = home_left_at !== null && now - home_left_at < SAME_VISIT_MS;
  const last = isSameVisit ? home_left_before : home_left_at;
  const since = requested ?? last ?? now - FIRST_SINCE_MS;
  return Math.min(Math.max(since, now - MAX_SINCE_MS), now - MIN_SINCE_MS);
}

/** The days before a moment and after it, which rates are compared in, and the same days of the weeks before, for numbers of people. */
export interface NewsRanges {
  before: DayRange;
  after: DayRange;
  /** Whole days; undefined if there is none yet. */
  people: { after: DayRange; past: DayRange[] } | undefined;
}

const MIN_DAYS_BEFORE = 7;
const DAYS_OF_WEEK = 7;
const PAST_WEEKS = 8;

/**
 * The days that are compared. With a moment, its own day is in neither range, because it has both; without one, the days since `since` are
 * compared with as many before.
 */
export function newsRanges({ since, moment, today }: { since: number; moment?: number; today: number }): NewsRanges {
  const after = { first: moment === undefined ? since : moment + 1, last: today };
  const end = (moment ?? since) - 1;
  const days = today - after.first + 1;
  const before = { first: end - (moment === undefined ? days : Math.max(days, MIN_DAYS_BEFORE)) + 1, last: end };
  return { before, after, people: peopleRanges(after, end, today) };
}

function peopleRanges({ first }: DayRange, end: number, today: number): NewsRanges['people'] {
  const after = { first: Math.max(first, today - DAYS_OF_WEEK), last: today - 1 };
  if (after.first > after.last) return undefined;
  const skipped = Math.max(1, Math.ceil((after.last - end) / DAYS_OF_WEEK));
  const past = Array.from({ length: PAST_WEEKS }, (_, at) => {
    const shift = (skipped + at) * DAYS_OF_WEEK;
    return { first: after.first - shift, last: after.last - shift };
  });
  return { after, past };
}

/** One number of one Experience before and after. */
export type NewsComparison = { id: string } & (
  | { measure: Exclude<NewsMeasure, 'people'>; before: Sample; after: Sample }
  | { measure: 'people'; past: readonly number[]; after: number }
);

/** How often a Home on which nothing has changed may say that something has. */
const CHANCE_RATE = 0.01;
const MIN_PEOPLE = 50;
/** So many people of the smaller sample must be expected to do it, and so many not to: otherwise the test is not exact. */
const MIN_EACH = 10;
const MIN_PAST_WEEKS = 4;
/** Smaller differences are no news, however certain they are. */
const MIN_POINTS = 0.03;
const MIN_RELATIVE = 0.2;
const MIN_NPS_POINTS = 0.1;

/**
 * Finds the comparisons that changed by more than chance, the most certain first, and at most one for each Experience. All comparisons with
 * enough data count for the correction, also those whose difference is too small to be news.
 */
export function findNews(comparisons: readonly NewsComparison[]): NewsComparison[] {
  const tested = comparisons.filter(hasEnough).map((comparison) => ({ comparison, chance: chanceOf(comparison) }));
  const found = moreThanChance(
    tested.map(({ chance }) => chance),
    CHANCE_RATE,
  );
  const news = tested
    .filter(({ comparison }, at) => found.has(at) && isLarge(comparison))
    .sort((one, other) => one.chance - other.chance || sizeOf(other.comparison) - sizeOf(one.comparison))
    .map(({ comparison }) => comparison);
  return news.filter(({ id }, at) => news.findIndex((other) => other.id === id) === at);
}

function chanceOf(comparison: NewsComparison): number {
  return comparison.measure === 'people'
    ? chanceOfCount(comparison.past, comparison.after)
    : chanceOfDifference(comparison.before, comparison.after);
}

function hasEnough(comparison: NewsComparison): boolean {
  if (comparison.measure === 'people')
    return comparison.past.length >= MIN_PAST_WEEKS && averageOf(comparison.past) >= MIN_PEOPLE;
  const { measure, before, after } = comparison;
  const people = Math.min(before.people, after.people);
  if (people < MIN_PEOPLE || measure === 'nps') return people >= MIN_PEOPLE;
  const share = (before.sum + after.sum) / (before.people + after.people);
  return people * Math.min(share, 1 - share) >= MIN_EACH;
}

function isLarge(comparison: NewsComparison): boolean {
  const [before, after] = valuesOf(comparison);
  const difference = Math.abs(after - before);
  if (comparison.measure === 'nps') return difference >= MIN_NPS_POINTS;
  const isMuch = difference >= before * MIN_RELATIVE;
  return comparison.measure === 'people' ? isMuch : isMuch || difference >= MIN_POINTS;
}

/** The two values that are compared: shares, the NPS as a share, or numbers of people. */
export function valuesOf(comparison: NewsComparison): [before: number, after: number] {
  return comparison.measure === 'people'
    ? [averageOf(comparison.past), comparison.after]
    : [meanOf(comparison.before), meanOf(comparison.after)];
}

function sizeOf(comparison: NewsComparison): number {
  const [before, after] = valuesOf(comparison);
  return comparison.measure === 'people' ? Math.abs(after - before) / before : Math.abs(after - before);
}

function averageOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

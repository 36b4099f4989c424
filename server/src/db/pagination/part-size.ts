import type { Millis } from '@usher/domain';

/** Parts get larger until one takes this long, so that a slow condition does not exceed the time by much. */
const PART_MS: Millis = 250;
/** A condition of a thousand values can take milliseconds for each row. */
export const FIRST_PART = 100;
const MIN_PART = 10;
const MAX_PART = 64_000;
const MAX_GROWTH = 4;

/** How many rows are looked at next, after a part of this size took so long. */
export function nextPartSize(size: number, took: Millis): number {
  const fitting = took > 0 ? (size * PART_MS) / took : Number.POSITIVE_INFINITY;
  return Math.round(Math.min(Math.max(fitting, MIN_PART), size * MAX_GROWTH, MAX_PART));
}

import type { Millis } from '@usher/domain';
import type { Expression, SqlBool } from 'kysely';

/** Tests whether an ID is in the chunk that a query reads. */
export type Within = (id: Expression<string>) => Expression<SqlBool>;

/** Chunks get larger until one takes this long, so that a slow condition does not exceed the time by much. */
const CHUNK_MS: Millis = 250;
/** A condition of a thousand values can take milliseconds for each row. */
export const FIRST_CHUNK = 100;
const MIN_CHUNK = 10;
const MAX_CHUNK = 64_000;
const MAX_GROWTH = 4;

/** How many rows are looked at next, after a chunk of this size took so long. */
export function nextChunkSize(size: number, took: Millis): number {
  const fitting = took > 0 ? (size * CHUNK_MS) / took : Number.POSITIVE_INFINITY;
  return Math.round(Math.min(Math.max(fitting, MIN_CHUNK), size * MAX_GROWTH, MAX_CHUNK));
}

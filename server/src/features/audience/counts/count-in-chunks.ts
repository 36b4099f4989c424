import type { Millis } from '@usher/domain';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { FIRST_CHUNK, nextChunkSize, type Within } from '../../../db/pagination/chunk-size.ts';
import type { Schema } from '../../../db/schema.ts';
import { limited } from '../../../errors.ts';
import { countAllProfiles } from './count-all-profiles.ts';
import { findNthAfter } from './find-nth-after.ts';

export interface PartialCount {
  count: number;
  /** False if the time was over before all profiles were looked at: there are at least so many. */
  is_complete: boolean;
  /** About how many there are, if the others match as often as the profiles that were looked at. */
  estimate: number;
}

/**
 * Counts profiles chunk by chunk, in the order of their IDs: on SQLite one thread runs the heavy reads of all accounts, so
 * others run between two chunks. It returns what it has when the time is over, and ends when the client has disconnected.
 * 1,000,000 profiles with a fast filter take about twenty queries.
 * @param select profiles of the account, without a selection; queries within it can read the same chunk
 */
export async function countInChunks(
  ctx: Context,
  select: (within: Within) => SelectQueryBuilder<Schema, 'profiles', object>,
  maxMs: Millis,
): Promise<PartialCount> {
  const started = performance.now();
  let size = FIRST_CHUNK;
  let after = '';
  let count = 0;
  let seen = 0;
  for (;;) {
    if (ctx.request?.signal.aborted)
      throw limited('heavy_reads', 'The client has disconnected, so the count was not finished', 1);
    const chunkStarted = performance.now();
    const last = await findNthAfter(ctx, after, size);
    count += await countRows(select, chunkAfter(after, last));
    if (last === undefined) return { count, is_complete: true, estimate: count };
    after = last;
    seen += size;
    const now = performance.now();
    if (now - started >= maxMs) return { count, is_complete: false, estimate: await extrapolate(ctx, count, seen) };
    size = nextChunkSize(size, now - chunkStarted);
  }
}

/** Without `last`, the chunk is the last one. */
export function chunkAfter(after: string, last: string | undefined): Within {
  return (id) => (last === undefined ? sql`${id} > ${after}` : sql`(${id} > ${after} and ${id} <= ${last})`);
}

async function countRows(
  select: (within: Within) => SelectQueryBuilder<Schema, 'profiles', object>,
  within: Within,
): Promise<number> {
  const { count } = await select(within)
    .where(within(sql.ref('profiles.id')))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function extrapolate(ctx: Context, count: number, seen: number): Promise<number> {
  const all = Math.max(seen, await countAllProfiles(ctx));
  return Math.round((count / seen) * all);
}

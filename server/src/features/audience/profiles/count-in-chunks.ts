import type { Millis } from '@usher/domain';
import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../../../context.ts';
import { FIRST_CHUNK, nextChunkSize } from '../../../db/pagination/chunk-size.ts';
import type { Schema } from '../../../db/schema.ts';
import { limited } from '../../../errors.ts';

export interface PartialCount {
  count: number;
  /** False if the time was over before all profiles were looked at: there are at least so many. */
  is_complete: boolean;
}

/**
 * Counts profiles chunk by chunk, in the order of their IDs: on SQLite one thread runs the heavy reads of all accounts, so
 * others run between two chunks. It returns what it has when the time is over, and ends when the client has disconnected.
 * 1,000,000 profiles with a fast filter take about twenty queries.
 * @param query profiles of the account, without a selection
 */
export async function countInChunks(
  ctx: Context,
  query: SelectQueryBuilder<Schema, 'profiles', object>,
  maxMs: Millis,
): Promise<PartialCount> {
  const started = performance.now();
  let size = FIRST_CHUNK;
  let after = '';
  let count = 0;
  for (;;) {
    if (ctx.request?.signal.aborted)
      throw limited('heavy_reads', 'The client has disconnected, so the count was not finished', 1);
    const chunkStarted = performance.now();
    const last = await findLastOfChunk(ctx, after, size);
    const chunk = query.where('profiles.id', '>', after);
    count += await countRows(last === undefined ? chunk : chunk.where('profiles.id', '<=', last));
    if (last === undefined) return { count, is_complete: true };
    after = last;
    const now = performance.now();
    if (now - started >= maxMs) return { count, is_complete: false };
    size = nextChunkSize(size, now - chunkStarted);
  }
}

async function findLastOfChunk(ctx: Context, after: string, size: number): Promise<string | undefined> {
  const query = ctx.heavyDb
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', '>', after)
    .orderBy('id')
    .offset(size - 1)
    .limit(1);
  return (await query.executeTakeFirst())?.id;
}

async function countRows(query: SelectQueryBuilder<Schema, 'profiles', object>): Promise<number> {
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

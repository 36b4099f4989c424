import { isRecent, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { SegmentRow } from '../filters/segments.ts';
import { readRun } from './segment-count-run.ts';
import { readSegmentCounts, type StoredSegmentCount } from './stored-counts.ts';

/** Counts are old when this many times the time that they took has passed, so that counting is a small part of the work. */
const TIMES_THE_WORK = 20;
const MIN_AGE_MS: Millis = 5000;
const MAX_AGE_MS: Millis = 10 * 60_000;

interface CurrentCounts {
  counts: ReadonlyMap<string, StoredSegmentCount>;
  counting: { share: number } | null;
}

/** The stored counts. Old and missing ones are counted in the background, with `again` all are. */
export async function updateCounts(
  ctx: Context,
  segments: readonly SegmentRow[],
  again = false,
): Promise<CurrentCounts> {
  const counts = await readSegmentCounts(ctx, segments);
  const isOld = ({ id }: SegmentRow) => {
    const stored = counts.get(id);
    if (!stored) return true;
    const maxAge = Math.min(Math.max(stored.took_ms * TIMES_THE_WORK, MIN_AGE_MS), MAX_AGE_MS);
    return !isRecent(stored.counted_at, ctx.now(), maxAge);
  };
  const running = await readRun(ctx);
  if (running !== undefined) return { counts, counting: { share: running } };
  if (!again && !segments.some(isOld)) return { counts, counting: null };
  await ctx.app.segmentCounter.start(ctx.app, ctx.account.id);
  const share = await readRun(ctx);
  return { counts: await readSegmentCounts(ctx, segments), counting: share === undefined ? null : { share } };
}

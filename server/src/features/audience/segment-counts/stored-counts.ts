import type { Millis } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { SegmentRow } from '../filters/segments.ts';
import { segmentFingerprints } from './segment-fingerprints.ts';

export interface StoredSegmentCount {
  count: number;
  estimate: number;
  is_complete: boolean;
  counted_at: Millis;
}

/** The count of everyone who was in a Segment with the filters that it has now. */
export async function readSegmentCounts(
  ctx: Context,
  segments: readonly SegmentRow[],
): Promise<Map<string, StoredSegmentCount & { took_ms: number }>> {
  const fingerprints = segmentFingerprints(segments);
  const rows = await ctx.db.selectFrom('segment_counts').selectAll().where('account_id', '=', ctx.account.id).execute();
  const current = rows.filter(({ segment_id, fingerprint }) => fingerprints.get(segment_id) === fingerprint);
  return new Map(
    current.map(({ segment_id, count, estimate, is_complete, counted_at, took_ms }) => [
      segment_id,
      { count: Number(count), estimate: Number(estimate), is_complete, counted_at: Number(counted_at), took_ms },
    ]),
  );
}

/** Replaces all counts of the account. */
export async function storeSegmentCounts(
  ctx: Context,
  segments: readonly SegmentRow[],
  { counts, share }: { counts: ReadonlyMap<string, number>; share: number },
  took_ms: Millis,
): Promise<void> {
  const fingerprints = segmentFingerprints(segments);
  const counted_at = ctx.now();
  const rows = [...counts].map(([segment_id, count]) => ({
    account_id: ctx.account.id,
    segment_id,
    fingerprint: fingerprints.get(segment_id) ?? '',
    count,
    estimate: Math.round(count / share),
    is_complete: share === 1,
    counted_at,
    took_ms: Math.round(took_ms),
  }));
  await ctx.transaction(async (ctx) => {
    await ctx.db.deleteFrom('segment_counts').where('account_id', '=', ctx.account.id).execute();
    for (let start = 0; start < rows.length; start += 500)
      await ctx.db
        .insertInto('segment_counts')
        .values(rows.slice(start, start + 500))
        .onConflict((existing) =>
          existing.columns(['account_id', 'segment_id']).doUpdateSet({
            fingerprint: sql<string>`excluded.fingerprint`,
            count: sql<number>`excluded.count`,
            estimate: sql<number>`excluded.estimate`,
            is_complete: sql<boolean>`excluded.is_complete`,
            counted_at: sql<number>`excluded.counted_at`,
            took_ms: sql<number>`excluded.took_ms`,
          }),
        )
        .execute();
  });
}

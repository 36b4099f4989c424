import type { Millis } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { FIRST_CHUNK, nextChunkSize, type Within } from '../../../db/pagination/chunk-size.ts';
import { countAllProfiles } from '../counts/count-all-profiles.ts';
import { chunkAfter } from '../counts/count-in-chunks.ts';
import { findNthAfter } from '../counts/find-nth-after.ts';
import { conditionSql, usesCompany } from '../filters/condition-sql.ts';
import { segmentScope } from '../filters/segment-scope.ts';
import type { SegmentRow } from '../filters/segments.ts';
import { selectProfiles } from '../filters/select-profiles.ts';
import { inChunks } from '../profile-segments/in-chunks.ts';
import { withoutTestUsers } from '../profiles/without-test-users.ts';

const MAX_SEGMENTS_PER_QUERY = 50;

interface SegmentCounts {
  counts: Map<string, number>;
  /** How many of the profiles were looked at, from 0 to 1. */
  share: number;
}

/**
 * Counts who is in each Segment, without test users. It reads each profile once for up to fifty Segments, chunk by chunk, so that
 * other heavy reads run in between.
 * @param onProgress returns whether to go on
 */
export async function countSegments(
  ctx: Context,
  segments: readonly SegmentRow[],
  maxMs: Millis,
  onProgress: (share: number) => Promise<boolean>,
): Promise<SegmentCounts | undefined> {
  const started = performance.now();
  const total = await countAllProfiles(ctx);
  const groups = groupsOf(ctx, segments);
  const counts = new Map(segments.map(({ id }) => [id, 0]));
  let size = FIRST_CHUNK;
  let after = '';
  for (let seen = 0; ; ) {
    const last = await findNthAfter(ctx, after, size);
    const within = chunkAfter(after, last);
    let slowest = 0;
    for (const group of groups) {
      const groupStarted = performance.now();
      const found = await countGroup(ctx, segments, group, within);
      for (const [at, { id }] of group.entries())
        counts.set(id, (counts.get(id) ?? 0) + Number(found?.[`count_${at}`] ?? 0));
      slowest = Math.max(slowest, performance.now() - groupStarted);
    }
    if (last === undefined) return { counts, share: 1 };
    seen += size;
    after = last;
    // Only the last chunk completes it: profiles may have been created meanwhile.
    const share = Math.min(seen / total, 0.99);
    if (!(await onProgress(share))) return undefined;
    if (performance.now() - started >= maxMs) return { counts, share };
    size = nextChunkSize(size, slowest);
  }
}

/** The Segments of a query. Segments that test the Company are apart, because the join is slow. */
function groupsOf(ctx: Context, segments: readonly SegmentRow[]): SegmentRow[][] {
  const { segment } = segmentScope(ctx, segments);
  const withCompany = new Set(segments.filter(({ id }) => usesCompany(segment(id), segment)));
  const sorted = [...segments.filter((row) => !withCompany.has(row)), ...withCompany];
  return inChunks(sorted, MAX_SEGMENTS_PER_QUERY, (one, other) => withCompany.has(one) === withCompany.has(other));
}

function countGroup(ctx: Context, all: readonly SegmentRow[], group: readonly SegmentRow[], within: Within) {
  const scope = { ...segmentScope(ctx, all), within };
  const isAny = { is: 'any' as const, of: group.map(({ id }) => ({ is: 'in segment' as const, id })) };
  return selectProfiles(ctx, { is: 'all', of: [] }, scope, usesCompany(isAny, scope.segment))
    .where(within(sql.ref('profiles.id')))
    .where(withoutTestUsers(ctx.account.id, 'profiles.id'))
    .select(
      group.map(({ id }, at) =>
        sql<number | null>`sum(case when ${conditionSql(scope.segment(id), scope)} then 1 else 0 end)`.as(
          `count_${at}`,
        ),
      ),
    )
    .executeTakeFirst();
}

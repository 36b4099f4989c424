import { type CountedSegment, type KindPath, kindPaths, pathOfKind, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { segmentsOf } from '../filters/segments.ts';
import type { StoredSegmentCount } from '../segment-counts/stored-counts.ts';
import { updateCounts } from '../segment-counts/update-counts.ts';
import { presentSegment } from './present-segment.ts';
import { countSegmentsUsing } from './queries.ts';

interface CountedSegments {
  segments: CountedSegment[];
  counting: { share: number } | null;
  cursor: ListPage<unknown>['cursor'];
}

const none = Object.fromEntries(kindPaths.map((path) => [path, 0])) as Record<KindPath, number>;

/** Lists Segments with how many users are in them, and how many Segments and Experiences of each kind use them in their draft. */
export async function listCountedSegments(ctx: Context, page: PageParameters): Promise<CountedSegments> {
  const { rows, cursor } = await listPage(segmentsOf(ctx), page);
  const all = await segmentsOf(ctx).execute();
  const { counts: people, counting } = await updateCounts(ctx, all);
  const counts = await ctx.db
    .selectFrom('experience_uses')
    .innerJoin('experiences', (join) =>
      join
        .onRef('experiences.account_id', '=', 'experience_uses.account_id')
        .onRef('experiences.id', '=', 'experience_uses.experience_id'),
    )
    .where('experience_uses.account_id', '=', ctx.account.id)
    .where('experience_uses.used_id', 'in', ['', ...rows.map(({ id }) => id)])
    .groupBy(['experience_uses.used_id', 'experiences.kind'])
    .select(['experience_uses.used_id', 'experiences.kind', (eb) => eb.fn.countAll<number>().as('count')])
    .execute();
  const users = countSegmentsUsing(all);
  const segments = rows.map((row) => {
    const own = counts.filter(({ used_id }) => used_id === row.id);
    const uses = { segments: users.get(row.id) ?? 0, ...none };
    for (const { kind, count } of own) uses[pathOfKind(kind)] = Number(count);
    return { ...presentSegment(row), ...presentCount(people.get(row.id)), uses };
  });
  return { segments, counting, cursor };
}

function presentCount(stored: StoredSegmentCount | undefined) {
  if (!stored) return { count: null, estimate: null, is_complete: false, counted_at: null };
  const { count, estimate, is_complete, counted_at } = stored;
  return { count, estimate, is_complete, counted_at: toTimestamp(counted_at) };
}

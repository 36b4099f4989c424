import { type Filter, type Segment, type UpdateSegment, withItemIds } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { recordRelated } from '../changes/record-related.ts';
import { checkItems } from './check-items.ts';
import { lockSegments, presentSegment, type SegmentRow } from './queries.ts';

export async function updateSegment(ctx: Context, id: string, params: UpdateSegment): Promise<Segment> {
  return ctx.transaction(async (ctx) => {
    const segments = await lockSegments(ctx);
    const before = segments.find((segment) => segment.id === id);
    if (!before) throw notFound('Segment');
    if (params.items) checkItems(params.items, segments, id);
    const items = params.items && withItemIds(params.items, presentSegment(before).items, ctx.newId);
    const after = { ...before, ...params, ...(items && { items }) };
    if (JSON.stringify(presentSegment(after)) === JSON.stringify(presentSegment(before))) return presentSegment(before);
    const row = await ctx.db
      .updateTable('segments')
      .set({ name: after.name, items: JSON.stringify(after.items), items_op: after.items_op, updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordRelated(ctx, 'segments', asTold(before), asTold(row));
    await bumpPublishedVersion(ctx);
    return presentSegment(row);
  });
}

/** Changes tell what the filters are, without the IDs of the items. */
function asTold(row: SegmentRow): Segment {
  const segment = presentSegment(row);
  return { ...segment, items: segment.items.map(({ id: _, ...filter }) => filter as Filter) };
}

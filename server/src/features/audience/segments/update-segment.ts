import { type Filter, nextUpdatedAt, type Segment, toTimestamp, type UpdateSegment, withItemIds } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordRelatedChanges } from '../../experiences/record-related-changes.ts';
import { lockSegments, type SegmentRow } from '../filters/segments.ts';
import { checkForeign, checkItems } from './check-items.ts';
import { presentSegment } from './present-segment.ts';

export async function updateSegment(
  ctx: Context,
  id: string,
  { updated_at: seen, ...params }: UpdateSegment,
  { isImport = false }: { isImport?: boolean } = {},
): Promise<Segment> {
  return ctx.transaction(async (ctx) => {
    const segments = await lockSegments(ctx);
    const before = segments.find((segment) => segment.id === id);
    if (!before) throw notFound('Segment');
    if (seen !== undefined && seen !== before.updated_at)
      throw conflict(
        `Somebody changed this Segment at ${toTimestamp(before.updated_at)}, after you saw it: load it again, then repeat your change`,
      );
    if (params.items && !isImport) checkForeign(params.items, presentSegment(before).items);
    if (params.items) checkItems(params.items, segments, id);
    const items = params.items && withItemIds(params.items, presentSegment(before).items, ctx.newId);
    const after = { ...before, ...params, ...(items && { items }) };
    if (JSON.stringify(presentSegment(after)) === JSON.stringify(presentSegment(before))) return presentSegment(before);
    const updated_at = nextUpdatedAt(before.updated_at, ctx.now());
    const row = await ctx.db
      .updateTable('segments')
      .set({ name: after.name, items: JSON.stringify(after.items), items_op: after.items_op, updated_at })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordRelatedChanges(ctx, 'segments', withoutItemIds(before), withoutItemIds(row));
    await bumpPublishedVersion(ctx);
    return presentSegment(row);
  });
}

/** Changes contain the filters without the IDs of the items. */
function withoutItemIds(row: SegmentRow): Segment {
  const { unsupported_kinds: _, ...segment } = presentSegment(row);
  return { ...segment, items: segment.items.map(({ id: _, ...filter }) => filter as Filter) };
}

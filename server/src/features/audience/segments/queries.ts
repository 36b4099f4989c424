import { listSegmentReferences, readItems, type Segment, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { type SegmentRow, segmentsOf } from '../filters/segments.ts';

export function presentSegment(row: SegmentRow): Segment {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    // PostgreSQL reorders the keys of JSON: parsing restores the order.
    items: readItems(row.items, 'items', []) ?? [],
    items_op: row.items_op,
  };
}

export async function getSegment(ctx: Context, id: string): Promise<SegmentRow> {
  const row = await segmentsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Segment');
  return row;
}

/** The Segments with a filter that names this Segment. */
export function segmentsUsing(id: string, segments: readonly SegmentRow[]): SegmentRow[] {
  return segments.filter(({ items }) => listSegmentReferences(items, '').some((used) => used.id === id));
}

import { listSegmentReferences } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { type SegmentRow, segmentsOf } from '../filters/segments.ts';

export async function getSegment(ctx: Context, id: string): Promise<SegmentRow> {
  const row = await segmentsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Segment');
  return row;
}

/** The Segments with a filter that names this Segment. */
export function segmentsUsing(id: string, segments: readonly SegmentRow[]): SegmentRow[] {
  return segments.filter(({ items }) => listSegmentReferences(items, '').some((used) => used.id === id));
}

/** How many Segments have a filter that names each Segment. Reading the filters for each row of a list takes rows × Segments. */
export function countSegmentsUsing(segments: readonly SegmentRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { items } of segments)
    for (const id of new Set(listSegmentReferences(items, '').map((used) => used.id)))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

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

import { readItems, type Segment, timeOfId, toTimestamp } from '@usher/domain';
import type { SegmentRow } from '../filters/segments.ts';

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

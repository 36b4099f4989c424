import { createdAtOf, listUnsupportedKinds, readItems, type Segment, toTimestamp } from '@usher/domain';
import type { SegmentRow } from '../filters/segments.ts';

export function presentSegment(row: SegmentRow): Segment {
  // PostgreSQL reorders the keys of JSON: parsing restores the order.
  const items = readItems(row.items, 'items', []) ?? [];
  const unsupported = listUnsupportedKinds(items);
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    items,
    items_op: row.items_op,
    ...(unsupported.length > 0 && { unsupported_kinds: unsupported }),
  };
}

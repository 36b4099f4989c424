import { createHash } from 'node:crypto';
import { listSegmentReferences } from '@usher/domain';
import type { SegmentRow } from '../filters/segments.ts';

/** A hash of the filters of each Segment, with the filters of the Segments that they name: when it changes, a count is old. */
export function segmentFingerprints(segments: readonly SegmentRow[]): Map<string, string> {
  const byId = new Map(segments.map((row) => [row.id, row]));
  const known = new Map<string, string>();
  const fingerprintOf = (id: string): string => {
    const row = byId.get(id);
    const before = row ? known.get(id) : '';
    if (!row || before !== undefined) return before ?? '';
    const named = listSegmentReferences(row.items, '').map((one) => fingerprintOf(one.id));
    const text = JSON.stringify([row.items_op, row.items, named]);
    const fingerprint = createHash('sha256').update(text).digest('hex').slice(0, 24);
    known.set(id, fingerprint);
    return fingerprint;
  };
  for (const { id } of segments) fingerprintOf(id);
  return known;
}

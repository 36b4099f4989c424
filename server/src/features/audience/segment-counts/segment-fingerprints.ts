import { createHash } from 'node:crypto';
import { listSegmentReferences, type Millis } from '@usher/domain';
import type { SegmentRow } from '../filters/segments.ts';

interface Known {
  updated_at: Millis;
  references: string[];
  /** The fingerprints of the Segments that it names. */
  named: string;
  fingerprint: string;
}

/** By the ID of a Segment. A change always has a new `updated_at`. */
let known = new Map<string, Known>();
const MAX_KNOWN = 20_000;

/** A hash of the filters of each Segment, with the filters of the Segments that they name: when it changes, a count is old. */
export function segmentFingerprints(segments: readonly SegmentRow[]): Map<string, string> {
  if (known.size > MAX_KNOWN) known = new Map();
  const byId = new Map(segments.map((row) => [row.id, row]));
  const found = new Map<string, string>();
  const fingerprintOf = (id: string): string => {
    const row = byId.get(id);
    const before = row ? found.get(id) : '';
    if (!row || before !== undefined) return before ?? '';
    const stored = known.get(id);
    const isSame = stored?.updated_at === row.updated_at;
    const references = isSame ? stored.references : listSegmentReferences(row.items, '').map((one) => one.id);
    const named = references.map(fingerprintOf);
    const names = named.join(' ');
    const fingerprint = isSame && stored.named === names ? stored.fingerprint : hash(row, named);
    known.set(id, { updated_at: row.updated_at, references, named: names, fingerprint });
    found.set(id, fingerprint);
    return fingerprint;
  };
  for (const { id } of segments) fingerprintOf(id);
  return found;
}

function hash({ items_op, items }: SegmentRow, named: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([items_op, items, named]))
    .digest('hex')
    .slice(0, 24);
}

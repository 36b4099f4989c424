import { type CapturePair, capturesOf } from '../changes/captures-of.ts';
import type { ChangeSummary } from '../changes/change.ts';

/** The captures of each changed step before and after, in the order of the steps. */
export function summaryCaptures(summary: ChangeSummary): CapturePair[] {
  const parts = [summary, ...summary.changes].map(({ model_id, path, kind, capture_id }) => ({
    ...{ id: model_id, path, kind, object: {} },
    options: { capture_id },
  }));
  // Changes come newest first.
  return capturesOf(parts.toReversed());
}

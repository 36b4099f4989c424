import {
  exceedsFilterLimit,
  type Filter,
  formatFilterLimit,
  listSegmentReferences,
  referencesSegment,
} from '@usher/domain';
import { invalid, notFound } from '../../errors.ts';
import type { SegmentRow } from './queries.ts';

/** Refuses filters that name what is not there, lead back to the Segment they are for, or are too many written out. */
export function checkItems(items: readonly Filter[], segments: readonly SegmentRow[], own?: string): void {
  const byId = new Map(segments.map((row) => [row.id, row.items]));
  const lookup = (id: string) => byId.get(id);
  const problems: string[] = [];
  for (const { id, path } of listSegmentReferences(items, 'items')) {
    if (!byId.has(id)) throw notFound('Segment');
    if (own !== undefined && referencesSegment(id, own, lookup))
      problems.push(`\`${path}\` is a Segment that leads back to this one: a Segment cannot be part of itself`);
  }
  if (problems.length > 0) throw invalid(...problems);
  if (exceedsFilterLimit(items, lookup)) throw invalid(`\`items\` ${formatFilterLimit()}`);
}

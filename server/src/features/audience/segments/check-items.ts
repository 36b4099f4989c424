import {
  exceedsFilterLimit,
  type Filter,
  formatFilterLimit,
  listForeignProblems,
  listSegmentReferences,
  referencesSegment,
} from '@usher/domain';
import { invalid, notFound } from '../../../errors.ts';
import type { SegmentRow } from '../filters/segments.ts';

/** Rejects filters of other services that the Segment does not have already: only an import brings them. */
export function checkForeign(items: readonly Filter[], before: readonly Filter[]): void {
  const problems = listForeignProblems(items, before);
  if (problems.length > 0) throw invalid(...problems);
}

/** Rejects filters that name an unknown Segment, lead back to their own Segment, or are too many in total. */
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

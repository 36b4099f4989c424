import { changesInSummary, unpublishedSummary } from '@usher/domain/sentences';
import type { ChangeSummary } from './change.ts';
import { sentencesOf } from './sentences.ts';

/** The number of sentences that the publish dialog shows. */
export function countUnpublished(summary: ChangeSummary, kind: string): number {
  return sentencesOf(changesInSummary(unpublishedSummary(summary)), kind, () => undefined).length;
}

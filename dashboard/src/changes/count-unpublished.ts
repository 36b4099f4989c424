import { type ChangeSummary, changesInSummary } from './net-changes.ts';
import { sentencesOf } from './sentences.ts';
import { unpublishedSummary } from './unpublished-summary.ts';

/** The number of sentences that the publish dialog shows. */
export function countUnpublished(summary: ChangeSummary, kind: string): number {
  return sentencesOf(changesInSummary(unpublishedSummary(summary)), kind, () => undefined).length;
}

/* Describes changes in sentences: in the dashboard, and on the command line. */

export { type ChangeWords, englishChanges } from './english.ts';
export { fieldName } from './field-name.ts';
export { formatValue, isEmpty, type NameOf, type Wording } from './format-value.ts';
export {
  changesInSummary,
  type NetChange,
  netChanges,
  type Pair,
  type RecordedChange,
  reverseChange,
  type SummarizedChanges,
} from './net-changes.ts';
export { describePlace, type Place, parsePath } from './place.ts';
export { describeChanges, type Sentence } from './sentences.ts';
export { unpublishedSummary } from './unpublished-summary.ts';

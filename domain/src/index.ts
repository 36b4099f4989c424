export * from './account/account.ts';
export * from './account/backups.ts';
export * from './account/health.ts';
export * from './account/health-checks.ts';
export * from './account/installation.ts';
export * from './account/language.ts';
export * from './account/language-schema.ts';
export * from './account/password-rule.ts';
export * from './account/permissions.ts';
export * from './account/persons.ts';
export * from './account/preferences.ts';
export * from './account/sample-data.ts';
export * from './account/tag.ts';
export * from './basics/cursor.ts';
export * from './basics/id.ts';
export { isRecord, toList } from './basics/input.ts';
export { memoize } from './basics/memoize.ts';
export * from './basics/order-cursor.ts';
export * from './basics/records.ts';
export * from './basics/schema.ts';
export * from './basics/time.ts';
export * from './basics/time-zone.ts';
export { applyChanges, invertChanges } from './changes/apply.ts';
export * from './changes/capture.ts';
export * from './changes/change.ts';
export { buildChangeSummary, summarizeRecord } from './changes/change-summary.ts';
export { diffDocuments, diffLanguage, diffThemes } from './changes/diff.ts';
export { sortByFieldOrder } from './changes/field-order.ts';
export * from './changes/proposal.ts';
export * from './changes/publish-check.ts';
export { hasUnpublishedChanges } from './changes/unpublished-changes.ts';
export * from './content/answer-rules.ts';
export { buildButtonPatch } from './content/button-write.ts';
export * from './content/content.ts';
export { describeAudience } from './content/describe-audience.ts';
export { describeStart } from './content/describe-start.ts';
export * from './content/document-filters.ts';
export * from './content/experience.ts';
export * from './content/experience-list.ts';
export * from './content/experience-parameters.ts';
export * from './content/experience-write.ts';
export { PageElement, toOutputSchemas, toParameterSchemas } from './content/field-schemas.ts';
export { listForeignWords } from './content/foreign-words.ts';
export { dropGoalIds, emptyGoal, listGoals, primaryGoal, readGoalRule, withGoalsOnce } from './content/goals-write.ts';
export * from './content/import-step.ts';
export * from './content/item-conditions.ts';
export * from './content/labels.ts';
export { listMissingAltTexts } from './content/missing-alt-texts.ts';
export {
  isInConditions,
  isInEvents,
  isInFilters,
  isInGoal,
  isInTexts,
  listFilterEvents,
  listUsedEvents,
  type RegisteredName,
} from './content/name-use.ts';
export * from './content/page-content.ts';
export * from './content/page-element.ts';
export { createLookup, type PageUser } from './content/page-json.ts';
export * from './content/picture-use.ts';
export * from './content/primary-button.ts';
export * from './content/publish.ts';
export * from './content/segment-uses.ts';
export * from './content/shown-texts.ts';
export * from './content/sketch.ts';
export { DEFAULT_SNOOZE_HOURS, listSnoozeHours } from './content/snooze-hours.ts';
export * from './content/sort-key.ts';
export * from './content/source-hash.ts';
export * from './content/start-urls.ts';
export { mapAnswerTags } from './content/step-references.ts';
export { summarizeContent } from './content/summarize-content.ts';
export { type SurveyPageTexts, surveyPageTexts } from './content/survey-page-texts.ts';
export * from './content/survey-paths.ts';
export * from './content/tags-update.ts';
export * from './content/template-ids.ts';
export * from './content/translatable-texts.ts';
export * from './content/translation-changes.ts';
export {
  CompactExperience,
  readTexts,
  readTranslationFile,
  type TranslationFile,
  TranslationFileAnswer,
  type TranslationFileExperience,
  UploadResult,
} from './content/translation-file.ts';
export * from './content/translations.ts';
export { listUsedOptions } from './content/used-options.ts';
export * from './decision/alert-group.ts';
export * from './decision/alert-group-schema.ts';
export * from './decision/audience.ts';
export * from './decision/checklist.ts';
export * from './decision/compiled-experience.ts';
export * from './decision/decide.ts';
export * from './decision/explanation.ts';
export { listNewExposures, type NewExposure } from './decision/exposures.ts';
export {
  type MemberKind,
  type Members,
  memberKinds,
  readMemberKind,
} from './decision/group-members.ts';
export * from './decision/limit-group.ts';
export * from './decision/limit-group-schema.ts';
export { daysOf, type InterruptedDays, isInGroup, listLimitUses, sumInterrupted } from './decision/limits.ts';
export {
  addPendingStarts,
  findReadyStart,
  findStartTime,
  isAfterShowing,
  listReachedSteps,
  matchesEvent,
  type PendingStart,
  toPendingStart,
} from './decision/pending-start.ts';
export * from './decision/queue.ts';
export { describeReason, pageReasons, type Reason, reasonCodeOf } from './decision/reason.ts';
export {
  checkResponses,
  checkSeen,
  type DecisionInput,
  findExperimentOf,
  type InteractionFacts,
  isBeforeStart,
  isExpired,
  isInProgress,
  type PendingDelivery,
  type PublishedData,
} from './decision/rules.ts';
export { minShowingGap } from './decision/showing-gap.ts';
export * from './decision/with-draft.ts';
export { buildAnswerPatch } from './delivery/answer-patch.ts';
export * from './delivery/attention.ts';
export * from './delivery/browser-family.ts';
export * from './delivery/crawler.ts';
export * from './delivery/debug.ts';
export * from './delivery/delivery.ts';
export * from './delivery/device.ts';
export { countOptions, Distribution } from './delivery/distribution.ts';
export * from './delivery/failing-step.ts';
export {
  findNews,
  type HomeVisits,
  leaveHome,
  type NewsComparison,
  type NewsRanges,
  newsRanges,
  newsSince,
  valuesOf,
} from './delivery/find-news.ts';
export * from './delivery/funnel.ts';
export * from './delivery/interaction.ts';
export * from './delivery/interaction-finding.ts';
export * from './delivery/interaction-list.ts';
export {
  applyReport,
  type Progress,
  type ReportFacts,
  type ReportResult,
  withShown,
} from './delivery/interaction-progress.ts';
export * from './delivery/interruptions.ts';
export * from './delivery/item-times.ts';
export * from './delivery/live.ts';
export { findLiveSince, type PublishingChange } from './delivery/live-since.ts';
export { type ChainedDay, isOtherFurther, mergeDays, mergeProgress } from './delivery/merge-progress.ts';
export * from './delivery/news.ts';
export { type DeliveryPosition, type PlacementResult, placeDelivery } from './delivery/place-delivery.ts';
export { problemTexts } from './delivery/problem-texts.ts';
export { listPublishingMarks, type PublishingMark } from './delivery/publishing-marks.ts';
export { findQuestionProblem, type QuestionAnswer, readChoices } from './delivery/question-answer.ts';
export * from './delivery/reach.ts';
export * from './delivery/reach-schema.ts';
export * from './delivery/response.ts';
export * from './delivery/response-list.ts';
export * from './delivery/result-people.ts';
export { type Sample as NewsSample, shareOf } from './delivery/significance.ts';
export * from './delivery/stats.ts';
export { medianOf, quantileOf, roundSeconds, type StepActivity } from './delivery/step-flow.ts';
export * from './delivery/survey-link.ts';
export * from './delivery/timeline.ts';
export * from './delivery/unused.ts';
export * from './delivery/visit.ts';
export * from './events/event-count.ts';
export * from './events/event-definition.ts';
export * from './events/event-name.ts';
export * from './experiments/compare-goal.ts';
export * from './experiments/experiment-schema.ts';
export { ExperimentResults, type GoalResult } from './experiments/results-schema.ts';
export * from './experiments/sample-ratio.ts';
export * from './experiments/sequential-interval.ts';
export { type ExperimentNumbers, summarizeExperiment } from './experiments/summarize.ts';
export * from './experiments/variants.ts';
export * from './experiments/write-experiment.ts';
export * from './fields/index.ts';
export * from './files/file-document.ts';
export * from './files/file-schema.ts';
export * from './files/record-key.ts';
export * from './goals/goal-results.ts';
export * from './goals/meet-goal.ts';
export * from './goals/shared-goal.ts';
export * from './hosts/can-show-on.ts';
export * from './hosts/host.ts';
export * from './hosts/host-rule.ts';
export * from './hosts/network.ts';
export * from './hosts/url.ts';
export * from './hosts/url-group.ts';
export * from './hosts/visited-path.ts';
export * from './imports/csv-reader.ts';
export * from './imports/import.ts';
export * from './imports/mapping.ts';
export * from './imports/tag.ts';
export * from './ingestion/anonymous.ts';
export * from './ingestion/browsers.ts';
export * from './ingestion/company.ts';
export * from './ingestion/event.ts';
export * from './ingestion/event-facts.ts';
export * from './ingestion/key.ts';
export * from './ingestion/name.ts';
export * from './ingestion/page-storage.ts';
export * from './ingestion/page-write.ts';
export * from './ingestion/profile.ts';
export * from './ingestion/property.ts';
export * from './ingestion/reserved-keys.ts';
export * from './ingestion/session.ts';
export * from './ingestion/sources.ts';
export * from './ingestion/value.ts';
export * from './kinds/index.ts';
export * from './moves/move.ts';
export * from './params/read.ts';
export * from './params/unknown-params.ts';
export * from './patterns/pattern-budget.ts';
export * from './patterns/url-match.ts';
export * from './picks/page-sketch.ts';
export * from './picks/pick.ts';
export * from './picks/pick-address.ts';
export * from './picks/pick-result.ts';
export * from './picks/pick-state.ts';
export * from './pictures/index.ts';
export * from './pictures/picture.ts';
export * from './profiles/is-test-user.ts';
export * from './profiles/person.ts';
export { readReportParams } from './reports/read-report-params.ts';
export * from './reports/report-params.ts';
export * from './reports/report-schema.ts';
export { parseBlocks, parseMarkdown, type SourceBlock } from './rich-text/markdown.ts';
export * from './rich-text/merge.ts';
export { listMergePaths, nameOfSource, parseText } from './rich-text/merge-tag.ts';
// The fields of Experiences have a type of this name too: see `@usher/domain/fields`.
export type { Field } from './targeting/condition.ts';
export * from './targeting/condition.ts';
export {
  type AgeOp,
  ageOps,
  type ComparisonOp,
  comparisons,
  type Filter,
  type ForeignFilter,
  foreignFilterKinds,
  type GroupOp,
  groupOps,
  type InteractionState,
  interactionStates,
  isForeign,
  listExperienceReferences,
  listForeignFilters,
  listOps,
  listSegmentReferences,
  mapFilterValues,
  type PresenceOp,
  type PropertyOp,
  partOps,
  type SegmentItem,
} from './targeting/filter.ts';
export * from './targeting/match.ts';
export * from './targeting/read-filters.ts';
export * from './targeting/requires-phone.ts';
export * from './targeting/segment.ts';
export type { Template } from './templates/template.ts';
export * from './templates/templates.ts';
export { type CaptureTheme, pickCaptureTheme, readCaptureTheme } from './themes/capture-theme.ts';
export * from './themes/look-parts.ts';
export * from './themes/page-look.ts';
export * from './themes/page-look-schema.ts';
export { type PageTheme, toPageTheme } from './themes/page-theme.ts';
export * from './themes/theme.ts';
export {
  emptyTheme,
  sortTheme,
  type ThemeDocument,
  type ThemeVariation,
  themeFieldNames,
} from './themes/theme-document.ts';
export * from './themes/theme-problems.ts';
export * from './themes/theme-problems-schema.ts';
export * from './webhooks/header-name.ts';
export { payloadSchemas } from './webhooks/payload-schemas.ts';
export * from './webhooks/webhook.ts';
export * from './webhooks/webhook-schema.ts';

export * from './account.ts';
export * from './address.ts';
export { customOfButton } from './button-write.ts';
export * from './capture.ts';
export * from './change.ts';
export { summarize } from './change-summary.ts';
export * from './company.ts';
export * from './condition.ts';
export * from './decision.ts';
export { type Reason, reasonInWords } from './decision-reason.ts';
export {
  type InteractionFacts,
  isEarly,
  isInProgress,
  isOver,
  type PendingDelivery,
  type Person,
  type Published,
} from './decision-rules.ts';
export * from './decision-showable.ts';
export * from './delivery.ts';
export * from './event.ts';
export * from './event-name.ts';
export * from './experience.ts';
export * from './experience-write.ts';
export * from './filter.ts';
export { toList } from './given.ts';
export * from './host.ts';
export * from './host-rule.ts';
export * from './id.ts';
export * from './interaction.ts';
export * from './interaction-finding.ts';
export * from './interaction-list.ts';
export { minimumGap, type Outcome, type Progress, progress } from './interaction-progress.ts';
export * from './key.ts';
export * from './labels.ts';
export * from './language.ts';
export * from './limit-group.ts';
export { parseMarkdown } from './markdown.ts';
export * from './match.ts';
export * from './merge.ts';
export { parseText, pathsIn } from './merge-tag.ts';
export * from './page-content.ts';
export * from './page-write.ts';
export * from './pattern-budget.ts';
export * from './place.ts';
export * from './profile.ts';
export * from './property.ts';
export * from './publish.ts';
export * from './read.ts';
export { remembered } from './remembered.ts';
export * from './response.ts';
export * from './schema.ts';
export * from './segment.ts';
export * from './session.ts';
export * from './stats.ts';
export * from './tag.ts';
export * from './time.ts';
export * from './translation.ts';
export * from './unknown-params.ts';
export * from './url.ts';
export * from './url-group.ts';
export * from './url-match.ts';
export * from './value.ts';
export * from './visit.ts';
export * from './webhook.ts';

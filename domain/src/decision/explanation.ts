import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, OneOf, OutputObject } from '../basics/schema.ts';
import { pathOfStartUrls } from '../content/start-urls.ts';
import { HrefParam } from '../hosts/href.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';
import { describeReason, type Reason, reasonRules } from './reason.ts';

/** An administrator asks why a user sees an Experience on a page, or does not. */
export const ExplainInput = Type.Object({
  profile_id: Type.Optional(Id),
  uid: Type.Optional(ExternalId('the ID that your product has for the user')),
  email: Type.Optional(ExternalId('an email address')),
  href: HrefParam,
});
export type ExplainInput = Static<typeof ExplainInput>;

export const ExplainedReason = OutputObject({
  rule: OneOf(reasonRules),
  message: Type.String(),
  /** The path of the field that decides; null if no field of the Experience does. */
  field: Nullable(Type.String()),
});
type ExplainedReason = Static<typeof ExplainedReason>;

const Showing = OutputObject({
  shows: Type.Boolean(),
  /** All reasons why it does not show. */
  reasons: Type.Array(ExplainedReason),
  /** What its first step waits for on the page, which the server cannot know; null if it shows immediately. */
  waits_for: Nullable(Type.String()),
});

export const Explanation = OutputObject({
  /** The draft, as if it was published now. */
  draft: Showing,
  /** What users see now; null if it is not live. */
  live: Nullable(Showing),
});
export type Explanation = Static<typeof Explanation>;

export function presentReason(reason: Reason, kind: ExperienceKind): ExplainedReason {
  return { rule: reason.rule, message: describeReason(reason), field: findFieldOf(reason, kind) };
}

/** The path of the field of an Experience that an administrator changes to remove a reason. */
function findFieldOf(reason: Reason, kind: ExperienceKind): string | null {
  switch (reason.rule) {
    case 'live':
      return reason.because === 'archived'
        ? 'archived_at'
        : reason.because === 'ended'
          ? 'published_until'
          : 'published_at';
    case 'environment':
      return 'url_group_ids';
    case 'blocked':
      return 'blocked_domains';
    case 'url':
      return pathOfStartUrls(kind);
    case 'manual':
      return 'style';
    case 'event':
      return 'steps.0.trigger_event';
    case 'segments':
      return 'segment_ids';
    case 'excluded':
      return 'excluded_segment_ids';
    case 'experiment':
      return 'experiment_range';
    case 'seen':
      return 'repeat_days';
    case 'responses':
      return reason.segment === null ? 'stop_after_responses' : 'stop_after_responses_per_segment';
    case 'limit':
      return 'rate_unlimit_at';
    case 'another':
      return 'position';
    default:
      return null;
  }
}

import Type, { type Static } from 'typebox';
import { ExternalId, Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import { toTimestamp } from '../basics/time.ts';
import { pathOfStartUrls } from '../content/start-urls.ts';
import { HrefParam } from '../hosts/href.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';
import { describeArm, describeReason, type Reason, reasonRules } from './reason.ts';
import { type DecisionInput, findExperimentOf, type PublishedData } from './rules.ts';

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

/** The arm of the user in the experiment that the Experience is in. */
const ExplainedArm = OutputObject({
  id: Id,
  name: Type.String(),
  variant_id: Id,
  variant_name: Type.String(),
  /** Null as long as the user is not exposed. */
  exposed_at: Nullable(Timestamp),
  /** Why the user is in this arm. */
  message: Type.String(),
});

export const Explanation = OutputObject({
  /** The draft, as if it was published now. */
  draft: Showing,
  /** What users see now; null if it is not live. */
  live: Nullable(Showing),
  /** Null if it is in no experiment that runs. */
  experiment: Nullable(ExplainedArm),
});
export type Explanation = Static<typeof Explanation>;

export function presentReason(reason: Reason, kind: ExperienceKind): ExplainedReason {
  return { rule: reason.rule, message: describeReason(reason), field: findFieldOf(reason, kind) };
}

/** The arm of the user in the experiment that an Experience is in. */
export function explainArm(
  published: Pick<PublishedData, 'experiments'>,
  { armOf }: Pick<DecisionInput, 'armOf'>,
  experienceId: string,
): Explanation['experiment'] {
  const experiment = findExperimentOf(published, experienceId);
  const arm = experiment && armOf?.(experiment);
  if (!arm) return null;
  const { variant, exposedAt } = arm;
  return {
    ...{ id: experiment.id, name: experiment.name, variant_id: variant.id, variant_name: variant.name },
    exposed_at: exposedAt === null ? null : toTimestamp(exposedAt),
    message: `The user is in the arm “${variant.name}” of the experiment “${experiment.name}”. ${describeArm(exposedAt)}`,
  };
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
      return reason.experiment === undefined ? 'segment_ids' : null;
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

import { isRecent, type Millis } from '../basics/time.ts';
import type { Arm, RunningExperiment } from '../experiments/variants.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';
import { isExclusive, kinds } from '../kinds/kinds.ts';
import type { PatternBudget } from '../patterns/pattern-budget.ts';
import type { PageAddress } from '../patterns/url-match.ts';
import type { InteractionState } from '../targeting/filter.ts';
import type { Match } from '../targeting/match.ts';
import { type CompiledExperience, isInEnvironment, type PageEnvironment } from './compiled-experience.ts';
import { type LimitGroup, limitMeasures } from './limit-group.ts';
import { type InterruptedDays, isInGroup, listStarts, startedAutomatically, sumInterrupted } from './limits.ts';
import { findReadyStart, type PendingStart } from './pending-start.ts';
import type { Reason } from './reason.ts';

/** What an account has published, as page loads read it. */
export interface PublishedData<Of extends CompiledExperience = CompiledExperience> {
  limitGroups: readonly LimitGroup[];
  segmentNames: ReadonlyMap<string, string>;
  environmentNames: ReadonlyMap<string, string>;
  /** The experiments that run. Most accounts have none. */
  experiments: readonly RunningExperiment[];
  /** Finds the kind of any Experience, live or not. */
  kindOf(id: string): ExperienceKind | undefined;
  /** Whether any Experience, live or not, has one of these Tags of a limit group. */
  hasTag(id: string, tagIds: readonly string[]): boolean;
  /** How many Responses a survey that ends after some has: in total, or with `segmentId` from the users of a Segment. */
  responseCount(id: string, segmentId?: string): number;
  /** Finds an Experience that is live at this time. */
  experience(id: string, now: Millis): Of | undefined;
  /** Lists the live Experiences that can start on this page, by position, then ID. */
  candidates(page: PageAddress, now: Millis): readonly Of[];
}

/** A user who loads a page, and everything the rules need to know about the user and the page. */
export interface DecisionInput {
  now: Millis;
  page: PageAddress;
  /** The steps that matching URL patterns may still take. */
  budget: PatternBudget;
  urlGroupId: PageEnvironment;
  percent: number;
  /** Whether the property `disabled` of the user is set: then nothing shows. */
  disabled: boolean;
  /** Why nothing shows on this page, in words. */
  pageProblem?: string | undefined;
  inSegment(id: string): Match;
  /** The Interactions of the user, by the ID of the Experience. */
  interactions: ReadonlyMap<string, InteractionFacts>;
  /** The pending Deliveries of the user, in the order of the list. */
  deliveries: readonly PendingDelivery[];
  /** The events of the user that steps have waited for. */
  starts: readonly PendingStart[];
  /** The arm of the user in an experiment that runs. */
  armOf?: ((experiment: RunningExperiment) => Arm) | undefined;
  /** What the user saw of interruptions. It is only read if a limit group limits steps or seconds. */
  interrupted?: InterruptedDays | undefined;
  /** Until when the user is in the holdout of the account, to whom nothing shows automatically. */
  heldOutUntil?: Millis | undefined;
  /** When the user did an event last. Only explanations know it. */
  lastEventAt?: ((name: string) => Millis | undefined) | undefined;
}

/** How far the user got with an Experience. */
export interface InteractionFacts {
  state: InteractionState;
  updated_at: Millis;
  displayed_at?: Millis | null;
  started_at: Millis | null;
  completed_at: Millis | null;
  exited_at: Millis | null;
  defer_until: Millis | null;
  group_kind: string | null;
  /** The step that the user has seen last. */
  step_id: string | null;
}

export interface PendingDelivery {
  id: string;
  model_id: string;
  from_at: Millis | null;
  until_at: Millis | null;
  once: boolean;
  use_segmentation: boolean;
  skip_url_match: boolean;
}

/** Everything that a rule for an Experience can use. */
export interface RuleInput {
  experience: CompiledExperience;
  input: DecisionInput;
  published: PublishedData;
  interaction: InteractionFacts | undefined;
  /** Whether the user is in the middle of it. */
  continues: boolean;
  /** Whether a Delivery, a launcher or a link started it, and the user has not finished it. */
  isExplicitRequest: boolean;
}

const DAY_MS: Millis = 24 * 60 * 60_000;
/** After this time without a page load, a session is over. */
const IN_PROGRESS_MS: Millis = 90 * 60_000;

export function toRuleInput(experience: CompiledExperience, input: DecisionInput, published: PublishedData): RuleInput {
  const interaction = input.interactions.get(experience.id);
  const continues = isExclusive(experience) && isInProgress(interaction, input.now);
  const isExplicitRequest = isRequestedExplicitly(interaction) && (continues || wasSnoozed(interaction));
  return { experience, input, published, interaction, continues, isExplicitRequest };
}

export function isInProgress(
  interaction: Pick<InteractionFacts, 'state' | 'updated_at' | 'defer_until'> | undefined,
  now: Millis,
): boolean {
  if (interaction?.state !== 'started' || isSnoozed(interaction, now)) return false;
  return isRecent(interaction.updated_at, now, IN_PROGRESS_MS + 1);
}

/** Whether only one such Experience shows at a time. A hotspot shows beside others until the user opens it. */
export function takesTurns(experience: CompiledExperience, { interactions, now }: DecisionInput): boolean {
  if (!isExclusive(experience)) return false;
  return !experience.beginsAsHotspot || isInProgress(interactions.get(experience.id), now);
}

type Rule<Of> = (subject: Of) => Reason | undefined;

/** The reasons why nothing shows to this user on this page. */
export const pageRules: readonly Rule<{ input: DecisionInput }>[] = [
  ({ input: { pageProblem } }) => (pageProblem === undefined ? undefined : { rule: 'page', problem: pageProblem }),
  ({ input: { disabled } }) => (disabled ? { rule: 'disabled' } : undefined),
];

/** The reasons why an Experience does not show automatically. The fast checks come first. */
export const showingRules: readonly Rule<RuleInput>[] = [
  ({ experience, input, published }) => checkEnvironment(experience, input, published),

  ({ experience, input }) => checkBlocked(experience, input),

  ({ experience, interaction, continues }) => {
    if (!experience.isManual || continues || wasSnoozed(interaction)) return undefined;
    return { rule: 'manual' };
  },

  ({ interaction, input: { now } }) =>
    isSnoozed(interaction, now) ? { rule: 'snoozed', until: interaction.defer_until } : undefined,

  ({ experience, interaction, input: { now } }) => checkSeen(experience, interaction, now),

  checkEvent,

  ({ input: { heldOutUntil }, isExplicitRequest }) =>
    heldOutUntil === undefined || isExplicitRequest ? undefined : { rule: 'holdout', until: heldOutUntil },

  ({ experience: { checklist }, interaction, input: { now } }) => {
    const at = interaction?.completed_at ?? null;
    const days = checklist?.hideAfterDays ?? null;
    return at !== null && days !== null && now >= at + days * DAY_MS
      ? { rule: 'seen', state: 'completed', at, again: null }
      : undefined;
  },

  ({ experience, input, published, isExplicitRequest }) =>
    isExplicitRequest ? undefined : checkVariant(experience, input, published),

  ({ experience: { id, experiment }, input: { now, percent }, published, isExplicitRequest }) => {
    if (isExplicitRequest || !experiment || experiment.at > now || findExperimentOf(published, id)) return undefined;
    const { low, high } = experiment;
    const isIncluded = percent >= low && (percent < high || high === 100);
    return isIncluded ? undefined : { rule: 'experiment', percent, low, high };
  },

  ({ experience, interaction, continues, input }) =>
    checkUrls(experience, continues ? (interaction?.step_id ?? null) : undefined, input),

  ({ experience, input, published, continues, isExplicitRequest }) =>
    continues || isExplicitRequest ? undefined : checkAudience(experience, input, published),

  ({ experience, input, published, continues, isExplicitRequest }) =>
    continues || isExplicitRequest || findExperimentOf(published, experience.id)
      ? undefined
      : checkExcludedSegments(experience, input, published),

  ({ experience, input, published, continues }) =>
    continues ? undefined : checkResponses(experience, input, published),

  checkLimits,
];

/** The reasons that stay when the event comes that an Experience waits for. */
export const rulesBesideEvents = showingRules.filter((rule) => rule !== checkEvent);

export interface DeliveryRuleInput {
  delivery: PendingDelivery;
  /** Undefined when the Experience is not live. */
  experience: CompiledExperience | undefined;
  input: DecisionInput;
  published: PublishedData;
}

/** The reasons why a Delivery is not ready. It is an explicit request, so other rules do not apply. */
export const deliveryRules: readonly Rule<DeliveryRuleInput>[] = [
  ...pageRules,

  ({ experience }) => (experience ? undefined : { rule: 'live' }),

  ({ experience, input, published }) => experience && checkEnvironment(experience, input, published),

  ({ experience, input }) => experience && checkBlocked(experience, input),

  ({ delivery: { until_at }, input: { now } }) =>
    isExpired(until_at, now) ? { rule: 'until', at: until_at } : undefined,

  ({ delivery: { from_at }, input: { now } }) =>
    isBeforeStart(from_at, now) ? { rule: 'from', at: from_at } : undefined,

  ({ delivery: { once, model_id }, input }) => {
    const at = input.interactions.get(model_id)?.started_at ?? null;
    return once && at !== null ? { rule: 'once', at } : undefined;
  },

  ({ experience, input, published }) => experience && checkResponses(experience, input, published),

  ({ delivery: { skip_url_match }, experience, input }) =>
    skip_url_match || !experience ? undefined : checkUrls(experience, undefined, input),
];

export function findFirstReason<Of>(rules: readonly Rule<Of>[], subject: Of): Reason | undefined {
  for (const rule of rules) {
    const reason = rule(subject);
    if (reason) return reason;
  }
  return undefined;
}

export function listReasons<Of>(rules: readonly Rule<Of>[], subject: Of): Reason[] {
  return rules.flatMap((rule) => rule(subject) ?? []);
}

/** The frequency: whether the user has finished it, and it does not come again yet. */
export function checkSeen(
  { kind, repeatDays }: Pick<CompiledExperience, 'kind' | 'repeatDays'>,
  interaction: Pick<InteractionFacts, 'state' | 'completed_at' | 'exited_at' | 'updated_at'> | undefined,
  now: Millis,
): Reason | undefined {
  if (kinds[kind].isLasting || !interaction) return undefined;
  const { state } = interaction;
  if (state !== 'completed' && state !== 'exited') return undefined;
  const at = interaction[`${state}_at`] ?? interaction.updated_at;
  const again = repeatDays === null ? null : at + repeatDays * DAY_MS;
  return again !== null && now >= again ? undefined : { rule: 'seen', state, at, again };
}

/** An event is missing that starts it. */
function checkEvent({ experience, interaction, continues, input }: RuleInput): Reason | undefined {
  const { startEvent } = experience;
  const { now, starts, lastEventAt } = input;
  if (!startEvent || continues || wasSnoozed(interaction)) return undefined;
  if (findReadyStart(experience, starts, interaction, now)) return undefined;
  return { rule: 'event', name: startEvent.name, last: lastEventAt?.(startEvent.name) ?? null };
}

/** An Environment is a boundary for everything, also for what the user has started or what was requested. */
function checkEnvironment(
  experience: CompiledExperience,
  { urlGroupId }: DecisionInput,
  { environmentNames }: PublishedData,
): Reason | undefined {
  if (isInEnvironment(experience, urlGroupId)) return undefined;
  const nameOf = (id: string) => environmentNames.get(id) ?? id;
  return {
    rule: 'environment',
    is: urlGroupId ? nameOf(urlGroupId) : null,
    wanted: experience.urlGroupIds.map(nameOf),
  };
}

/** A domain is left out for everything, as an Environment is a boundary for everything. */
function checkBlocked({ blockedHosts }: CompiledExperience, { page }: DecisionInput): Reason | undefined {
  const { hostname } = page;
  return blockedHosts.includes(hostname) ? { rule: 'blocked', host: hostname } : undefined;
}

/** `lastStepId` is the last step that the user has seen. It is undefined if the user is not in the middle of the Experience. */
function checkUrls(
  experience: CompiledExperience,
  lastStepId: string | null | undefined,
  { page, budget }: DecisionInput,
): Reason | undefined {
  const before = budget.skipped.length;
  const continues = lastStepId !== undefined;
  const fits = continues ? experience.continuesOn(page, lastStepId, budget) : experience.startsOn(page, budget);
  if (fits) return undefined;
  if (budget.skipped.length === before) return { rule: 'url', continues };
  return { rule: 'url', continues, skipped: budget.skipped.slice(before) };
}

/** Finds the experiment that runs and has this Experience as a variant. There is one at most. */
export function findExperimentOf(
  { experiments }: Pick<PublishedData, 'experiments'>,
  id: string,
): RunningExperiment | undefined {
  return experiments.find(({ variants }) => variants.some(({ experience_id }) => experience_id === id));
}

/** The user is in another arm of the experiment that the Experience is in. */
function checkVariant(
  { id }: CompiledExperience,
  { armOf }: DecisionInput,
  published: PublishedData,
): Reason | undefined {
  const experiment = findExperimentOf(published, id);
  const arm = experiment && armOf?.(experiment);
  if (!arm || arm.variant.experience_id === id) return undefined;
  const { variant, exposedAt } = arm;
  const isControl = variant.experience_id === null;
  return { rule: 'variant', experiment: experiment.name, variant: variant.name, isControl, exposedAt };
}

/** While an experiment runs, it alone decides who its Experiences are for: so the users of all arms are alike. */
function checkAudience(
  experience: CompiledExperience,
  input: DecisionInput,
  published: PublishedData,
): Reason | undefined {
  const experiment = findExperimentOf(published, experience.id);
  if (!experiment) return checkSegments(experience, input, published);
  const reason = checkSegments(experiment, input, published);
  return reason && { ...reason, experiment: experiment.name };
}

/** Checks that the user is in the Segments of an Experience. */
export function checkSegments(
  { segmentIds, inAnySegment }: Pick<CompiledExperience, 'segmentIds' | 'inAnySegment'>,
  input: DecisionInput,
  published: PublishedData,
): Extract<Reason, { rule: 'segments' }> | undefined {
  let names: string[] | undefined;
  for (const id of segmentIds) {
    if (!input.inSegment(id)) names = [...(names ?? []), published.segmentNames.get(id) ?? id];
    else if (inAnySegment) return undefined;
  }
  return names && { rule: 'segments', names, any: inAnySegment };
}

/** Checks that the user is in no excluded Segment of an Experience. */
export function checkExcludedSegments(
  { excludedSegmentIds }: CompiledExperience,
  input: DecisionInput,
  published: PublishedData,
): Reason | undefined {
  let names: string[] | undefined;
  // Nobody who may be in an excluded Segment sees it.
  for (const id of excludedSegmentIds)
    if (input.inSegment(id) !== false) names = [...(names ?? []), published.segmentNames.get(id) ?? id];
  return names && { rule: 'excluded', names };
}

/** A survey that has its answers starts for nobody, also when something asks for it. Users who are in the middle of it go on. */
export function checkResponses(
  { id, stopAfter, segmentIds }: CompiledExperience,
  input: DecisionInput,
  { responseCount, segmentNames }: PublishedData,
): Reason | undefined {
  if (!stopAfter) return undefined;
  const { total, perSegment } = stopAfter;
  if (total !== null && responseCount(id) >= total) return { rule: 'responses', count: total, segment: null };
  const full =
    perSegment === null
      ? undefined
      : segmentIds.find((segmentId) => input.inSegment(segmentId) && responseCount(id, segmentId) >= perSegment);
  if (perSegment === null || full === undefined) return undefined;
  return { rule: 'responses', count: perSegment, segment: segmentNames.get(full) ?? full };
}

export function isBeforeStart(from: Millis | null, now: Millis): from is Millis {
  return from !== null && from > now;
}

export function isExpired(until: Millis | null, now: Millis): until is Millis {
  return until !== null && until < now;
}

export function isSnoozed<Of extends Pick<InteractionFacts, 'defer_until'>>(
  interaction: Of | undefined,
  now: Millis,
): interaction is Of & { defer_until: Millis } {
  return interaction !== undefined && interaction.defer_until !== null && interaction.defer_until > now;
}

/** Whether the user has snoozed it in this showing. A snooze means that the user wants to see it again. */
function wasSnoozed(interaction: InteractionFacts | undefined): boolean {
  return interaction?.state === 'started' && interaction.defer_until !== null;
}

function isRequestedExplicitly(interaction: InteractionFacts | undefined): boolean {
  return interaction !== undefined && interaction.group_kind !== null && !startedAutomatically(interaction);
}

function checkLimits({ experience, input, published, continues, isExplicitRequest }: RuleInput): Reason | undefined {
  const { rateUnlimitAt } = experience;
  if (!isExclusive(experience) || continues || isExplicitRequest) return undefined;
  if (rateUnlimitAt !== null && rateUnlimitAt <= input.now) return undefined;
  for (const group of published.limitGroups) {
    if (!isInGroup(group, experience.id, published)) continue;
    const count = listStarts(group, input, published, experience.id).length;
    const { name, max_count, period_hours } = group;
    if (count >= max_count) return { rule: 'limit', name, count, max_count, period_hours };
    for (const of of limitMeasures) {
      const most = group[`max_${of}`];
      const used = most === null ? 0 : sumInterrupted(group, of, input, published, experience.id);
      if (most !== null && used >= most) return { rule: 'limit', of, name, count: used, max_count: most, period_hours };
    }
  }
  return undefined;
}

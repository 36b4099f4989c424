import type { LimitGroup } from '../account/limit-group.ts';
import type { Millis } from '../basics/time.ts';
import type { ExperienceKind } from '../content/experience-kind.ts';
import type { PatternBudget } from '../patterns/pattern-budget.ts';
import type { PageAddress } from '../patterns/url-match.ts';
import type { InteractionState } from '../targeting/filter.ts';
import type { CompiledExperience } from './compiled-experience.ts';
import type { Reason } from './reason.ts';

/** What an account has published, as page loads ask for it. */
export interface PublishedData<Of extends CompiledExperience = CompiledExperience> {
  limitGroups: readonly LimitGroup[];
  segmentNames: ReadonlyMap<string, string>;
  environmentNames: ReadonlyMap<string, string>;
  /** The kind of any Experience, live or not. */
  kindOf(id: string): ExperienceKind | undefined;
  /** One that is live at a time. */
  experience(id: string, now: Millis): Of | undefined;
  /** Those that can begin on this page and are live, by position, then ID. */
  candidates(page: PageAddress, now: Millis): readonly Of[];
}

/** One user who loads one page. */
export interface DecisionInput {
  now: Millis;
  page: PageAddress;
  /** What matching URL patterns may still cost. */
  budget: PatternBudget;
  /** Of the host of the page; null is part of all Environments. */
  urlGroupId: string | null;
  percent: number;
  /** The property of the user that stops everything. */
  disabled: boolean;
  /** Why the page gets nothing at all, in words. */
  pageProblem?: string | undefined;
  inSegment(id: string): boolean;
  /** By the ID of the Experience. */
  interactions: ReadonlyMap<string, InteractionFacts>;
  /** In their order. */
  deliveries: readonly PendingDelivery[];
}

/** How far the user got with an Experience. */
export interface InteractionFacts {
  state: InteractionState;
  updated_at: Millis;
  started_at: Millis | null;
  completed_at: Millis | null;
  exited_at: Millis | null;
  defer_until: Millis | null;
  group_kind: string | null;
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

/** All that a rule looks at. */
export interface RuleInput {
  experience: CompiledExperience;
  person: DecisionInput;
  published: PublishedData;
  interaction: InteractionFacts | undefined;
  /** The user is in the middle of it. */
  continues: boolean;
  /** The user is not through with it, and did not get it by itself: a Delivery, a launcher or a link began it. */
  isExplicitRequest: boolean;
}

const HOUR_MS: Millis = 60 * 60_000;
const DAY_MS: Millis = 24 * HOUR_MS;
/** As long as a session lasts without a page load. */
const IN_PROGRESS_MS: Millis = 90 * 60_000;

export function toRuleInput(
  experience: CompiledExperience,
  person: DecisionInput,
  published: PublishedData,
): RuleInput {
  const interaction = person.interactions.get(experience.id);
  const continues = isExclusive(experience) && isInProgress(interaction, person.now);
  const isExplicitRequest = isRequestedExplicitly(interaction) && (continues || wasSnoozed(interaction));
  return { experience, person, published, interaction, continues, isExplicitRequest };
}

export function isInProgress(interaction: InteractionFacts | undefined, now: Millis): boolean {
  if (interaction?.state !== 'started' || isSnoozed(interaction, now)) return false;
  return now - interaction.updated_at <= IN_PROGRESS_MS;
}

/** Only one of these is shown at a time. */
export function isExclusive({ kind }: { kind: ExperienceKind | undefined }): boolean {
  return kind === 'tour' || kind === 'survey';
}

type Rule<Of> = (asked: Of) => Reason | undefined;

/** Why nothing at all shows to this user on this page. */
export const pageRules: readonly Rule<{ person: DecisionInput }>[] = [
  ({ person: { pageProblem: apiError } }) => (apiError === undefined ? undefined : { rule: 'page', problem: apiError }),
  ({ person: { disabled } }) => (disabled ? { rule: 'disabled' } : undefined),
];

/** Why an Experience does not show by itself on a page that shows any: what is quickly told comes first. */
export const showingRules: readonly Rule<RuleInput>[] = [
  ({ experience: { urlGroupIds }, person: { urlGroupId }, published, isExplicitRequest }) => {
    if (isExplicitRequest || urlGroupIds.length === 0 || urlGroupId === null || urlGroupIds.includes(urlGroupId))
      return undefined;
    const nameOf = (id: string) => published.environmentNames.get(id) ?? id;
    return { rule: 'environment', is: nameOf(urlGroupId), wanted: urlGroupIds.map(nameOf) };
  },

  ({ experience, interaction, continues }) => {
    if (!experience.isManual || continues || wasSnoozed(interaction)) return undefined;
    return { rule: 'manual' };
  },

  ({ interaction, person: { now } }) =>
    isSnoozed(interaction, now) ? { rule: 'snoozed', until: interaction.defer_until } : undefined,

  ({ experience: { kind, repeatDays }, interaction, person: { now } }) => {
    if (kind === 'launcher' || !interaction) return undefined;
    const { state } = interaction;
    if (state !== 'completed' && state !== 'exited') return undefined;
    const at = interaction[`${state}_at`] ?? interaction.updated_at;
    const again = repeatDays === null ? null : at + repeatDays * DAY_MS;
    return again !== null && now >= again ? undefined : { rule: 'seen', state, at, again };
  },

  ({ experience: { experiment }, person: { now, percent }, isExplicitRequest }) => {
    if (isExplicitRequest || !experiment || experiment.at > now) return undefined;
    const { low, high } = experiment;
    const isIncluded = percent >= low && (percent < high || high === 100);
    return isIncluded ? undefined : { rule: 'experiment', percent, low, high };
  },

  ({ experience, continues, person }) => checkUrls(experience, continues, person),

  ({ experience, person, published, continues, isExplicitRequest }) =>
    continues || isExplicitRequest ? undefined : checkSegments(experience, person, published),

  ({ experience, person, published, continues, isExplicitRequest }) =>
    continues || isExplicitRequest ? undefined : checkExcludedSegments(experience, person, published),

  checkLimits,
];

export interface DeliveryRuleInput {
  delivery: PendingDelivery;
  /** Undefined when it is not live. */
  experience: CompiledExperience | undefined;
  person: DecisionInput;
}

/** Why a Delivery is not ready. What is left out here does not matter to one: it is somebody's wish. */
export const deliveryRules: readonly Rule<DeliveryRuleInput>[] = [
  ...pageRules,

  ({ experience }) => (experience ? undefined : { rule: 'live' }),

  ({ delivery: { until_at }, person: { now } }) =>
    isExpired(until_at, now) ? { rule: 'until', at: until_at } : undefined,

  ({ delivery: { from_at }, person: { now } }) =>
    isBeforeStart(from_at, now) ? { rule: 'from', at: from_at } : undefined,

  ({ delivery: { once, model_id }, person }) => {
    const at = person.interactions.get(model_id)?.started_at ?? null;
    return once && at !== null ? { rule: 'once', at } : undefined;
  },

  ({ delivery: { skip_url_match }, experience, person }) =>
    skip_url_match || !experience ? undefined : checkUrls(experience, false, person),
];

export function firstReason<Of>(rules: readonly Rule<Of>[], asked: Of): Reason | undefined {
  for (const rule of rules) {
    const reason = rule(asked);
    if (reason) return reason;
  }
  return undefined;
}

export function allReasons<Of>(rules: readonly Rule<Of>[], asked: Of): Reason[] {
  return rules.flatMap((rule) => rule(asked) ?? []);
}

function checkUrls(
  experience: CompiledExperience,
  continues: boolean,
  { page, budget }: DecisionInput,
): Reason | undefined {
  const before = budget.skipped.length;
  const fits = continues ? experience.continuesOn(page, budget) : experience.startsOn(page, budget);
  if (fits) return undefined;
  if (budget.skipped.length === before) return { rule: 'url', continues };
  return { rule: 'url', continues, skipped: budget.skipped.slice(before) };
}

/** The Segments that an Experience is for, and the user is not in. */
export function checkSegments(
  { segmentIds, inAnySegment }: CompiledExperience,
  person: DecisionInput,
  published: PublishedData,
): Reason | undefined {
  let names: string[] | undefined;
  for (const id of segmentIds) {
    if (!person.inSegment(id)) names = [...(names ?? []), published.segmentNames.get(id) ?? id];
    else if (inAnySegment) return undefined;
  }
  return names && { rule: 'segments', names, any: inAnySegment };
}

/** The Segments that an Experience is not for, and the user is in. */
export function checkExcludedSegments(
  { excludedSegmentIds }: CompiledExperience,
  person: DecisionInput,
  published: PublishedData,
): Reason | undefined {
  let names: string[] | undefined;
  for (const id of excludedSegmentIds)
    if (person.inSegment(id)) names = [...(names ?? []), published.segmentNames.get(id) ?? id];
  return names && { rule: 'excluded', names };
}

export function isBeforeStart(from: Millis | null, now: Millis): from is Millis {
  return from !== null && from > now;
}

export function isExpired(until: Millis | null, now: Millis): until is Millis {
  return until !== null && until < now;
}

function isSnoozed(
  interaction: InteractionFacts | undefined,
  now: Millis,
): interaction is InteractionFacts & { defer_until: Millis } {
  return interaction !== undefined && interaction.defer_until !== null && interaction.defer_until > now;
}

/** It is snoozed, or was until now: whoever snoozes it wants it back. */
function wasSnoozed(interaction: InteractionFacts | undefined): boolean {
  return interaction?.state === 'started' && interaction.defer_until !== null;
}

function startedAutomatically({ group_kind }: InteractionFacts): boolean {
  return group_kind === 'campaign' || group_kind === 'experiment';
}

function isRequestedExplicitly(interaction: InteractionFacts | undefined): boolean {
  return interaction !== undefined && interaction.group_kind !== null && !startedAutomatically(interaction);
}

function checkLimits({ experience, person, published, continues, isExplicitRequest }: RuleInput): Reason | undefined {
  const { rateUnlimitAt } = experience;
  if (!isExclusive(experience) || continues || isExplicitRequest) return undefined;
  if (rateUnlimitAt !== null && rateUnlimitAt <= person.now) return undefined;
  for (const group of published.limitGroups) {
    if (!isInGroup(group, experience.id)) continue;
    const count = countStarted(group, experience.id, person, published);
    const { name, max_count, period_hours } = group;
    if (count >= max_count) return { rule: 'limit', name, count, max_count, period_hours };
  }
  return undefined;
}

/** How many others of the group began by themselves. */
function countStarted(
  group: LimitGroup,
  id: string,
  { now, interactions }: DecisionInput,
  published: PublishedData,
): number {
  let count = 0;
  for (const [other, interaction] of interactions) {
    const { started_at } = interaction;
    const isRecent = started_at !== null && started_at > now - group.period_hours * HOUR_MS;
    if (!isRecent || !startedAutomatically(interaction) || other === id || !isInGroup(group, other)) continue;
    if (isExclusive({ kind: published.kindOf(other) })) count++;
  }
  return count;
}

function isInGroup({ experience_ids }: LimitGroup, id: string): boolean {
  return experience_ids.length === 0 || experience_ids.includes(id);
}

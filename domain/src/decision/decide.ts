import type { Millis } from '../basics/time.ts';
import { compareByPosition } from '../content/sort-key.ts';
import { isExclusive } from '../kinds/kinds.ts';
import type { CompiledExperience } from './compiled-experience.ts';
import { findStartTime } from './pending-start.ts';
import type { Reason } from './reason.ts';
import {
  checkExcludedSegments,
  checkSegments,
  type DecisionInput,
  deliveryRules,
  findFirstReason,
  isBeforeStart,
  isExpired,
  isInProgress,
  listReasons,
  type PendingDelivery,
  type PublishedData,
  pageRules,
  rulesBesideEvents,
  showingRules,
  takesTurns,
  toRuleInput,
} from './rules.ts';

/*
 * Decides what a user sees on a page. Two functions use the same rules: `decide` for page loads checks only candidates and
 * stops at the first reason against each, and `explain` for administrators lists all reasons.
 */

/** A page may stay open this long, and may start a Delivery whose `from` is reached meanwhile. */
const MAX_PAGE_OPEN_MS: Millis = 12 * 60 * 60_000;

export interface Decision<Of extends CompiledExperience> {
  /** What shows automatically: at most one tour or survey, which comes first. */
  automatic: Of[];
  /**
   * Other tours and surveys that the page needs, because only the page knows whether a step can show: Experiences that the user is in
   * the middle of on other pages, and the next one, which shows when the step of the first cannot.
   */
  waiting: Of[];
  /** All Experiences whose content the page needs. Experiences of Deliveries come first. */
  experiences: Of[];
  /** The Deliveries that have not expired, in the order of the list. */
  deliveries: DecidedDelivery[];
}

export interface DecidedDelivery {
  id: string;
  ready: boolean;
  /** Whether the Delivery is removed from the list, because it uses segmentation and the user is not in the Segments. */
  dropped: boolean;
}

export function decide<Of extends CompiledExperience>(
  published: PublishedData<Of>,
  input: DecisionInput,
): Decision<Of> {
  const { now } = input;
  const pending = input.deliveries.filter(({ until_at }) => !isExpired(until_at, now));
  const deliveries = pending.map((delivery) => decideDelivery(published, input, delivery));
  const delivered = pending.flatMap((delivery, at) => {
    const isNeeded = deliveries[at]?.ready || startsWhilePageIsOpen(published, input, delivery);
    return (isNeeded && published.experience(delivery.model_id, now)) || [];
  });
  if (findFirstReason(pageRules, { input })) return { automatic: [], waiting: [], experiences: delivered, deliveries };
  const findReason = (experience: CompiledExperience) =>
    findFirstReason(showingRules, toRuleInput(experience, input, published));
  const candidates = published.candidates(input.page, now);
  const others = candidates.filter((candidate) => !takesTurns(candidate, input) && !findReason(candidate));
  const allowExclusive = !deliveries.some(({ ready }) => ready);
  const { first, exclusive } = allowExclusive
    ? decideExclusive(published, input, candidates, findReason)
    : { first: undefined, exclusive: [] };
  const shown = [...exclusive, ...others];
  return {
    automatic: first ? [first, ...others] : others,
    waiting: exclusive.filter((experience) => experience !== first),
    experiences: delivered.length === 0 ? shown : [...new Set([...delivered, ...shown])],
    deliveries,
  };
}

/**
 * Decides which tour or survey shows first, and lists it with the waiting ones, by their priority. An Experience that the user is in the
 * middle of also continues on pages where it could not start. It also waits on a page of another step than the last one that was
 * seen, because the user may have gone on to that step since.
 */
function decideExclusive<Of extends CompiledExperience>(
  published: PublishedData<Of>,
  input: DecisionInput,
  candidates: readonly Of[],
  findReason: (experience: CompiledExperience) => Reason | undefined,
): { first: Of | undefined; exclusive: Of[] } {
  const { now, page, budget, interactions } = input;
  const exclusive: Of[] = [];
  let first: Of | undefined;
  for (const experience of listInProgress(published, input)) {
    const reason = findReason(experience);
    const isFirst = !reason && !first;
    if (isFirst) first = experience;
    if (isFirst || (reason?.rule === 'url' && experience.hasStepOn(page, budget))) exclusive.push(experience);
  }
  const next = candidates.find(
    (one) => takesTurns(one, input) && !isInProgress(interactions.get(one.id), now) && !findReason(one),
  );
  if (next) exclusive.push(next);
  return { first: first ?? next, exclusive };
}

/** The tours and surveys that the user is in the middle of, the latest first. */
function listInProgress<Of extends CompiledExperience>(published: PublishedData<Of>, input: DecisionInput): Of[] {
  const { now, interactions } = input;
  const found: Of[] = [];
  for (const [id, interaction] of interactions) {
    const experience = isInProgress(interaction, now) ? published.experience(id, now) : undefined;
    if (experience && isExclusive(experience)) found.push(experience);
  }
  return found.sort((one, other) => comparePriority(one, other, input));
}

/** The Experience that the user used last, and is in the middle of, comes first. The others are in the order of their priority. */
function comparePriority(
  one: CompiledExperience,
  other: CompiledExperience,
  { interactions, now }: DecisionInput,
): number {
  const lastSeen = ({ id }: CompiledExperience) => {
    const interaction = interactions.get(id);
    return interaction && isInProgress(interaction, now) ? interaction.updated_at : Number.NEGATIVE_INFINITY;
  };
  const [mine, theirs] = [lastSeen(one), lastSeen(other)];
  if (mine !== theirs) return mine > theirs ? -1 : 1;
  return compareByPosition(one, other);
}

function decideDelivery(published: PublishedData, input: DecisionInput, delivery: PendingDelivery): DecidedDelivery {
  const { id, model_id } = delivery;
  const experience = published.experience(model_id, input.now);
  const reason = findFirstReason(deliveryRules, { delivery, experience, input, published });
  if (!experience || reason) return { id, ready: false, dropped: false };
  const dropped = checkDeliverySegments(experience, delivery, published, input) !== undefined;
  return { id, ready: !dropped, dropped };
}

/** The Segments are checked last, because the user may be in them at another time or on another page. */
function checkDeliverySegments(
  experience: CompiledExperience,
  { use_segmentation }: PendingDelivery,
  published: PublishedData,
  input: DecisionInput,
): Reason | undefined {
  if (!use_segmentation) return undefined;
  return checkSegments(experience, input, published) ?? checkExcludedSegments(experience, input, published);
}

/** Whether the `from` of a Delivery is reached while the page may still be open, and there is no other reason against it. */
function startsWhilePageIsOpen(published: PublishedData, input: DecisionInput, delivery: PendingDelivery): boolean {
  const { from_at } = delivery;
  if (!isBeforeStart(from_at, input.now) || from_at > input.now + MAX_PAGE_OPEN_MS) return false;
  return decideDelivery(published, input, { ...delivery, from_at: null }).ready;
}

/** When the next step starts whose event has come, if the page may still be open then. */
export function findNextStart(
  published: PublishedData,
  { now, starts, interactions }: DecisionInput,
): Millis | undefined {
  const times = starts.flatMap((start) => {
    const experience = published.experience(start.experience_id, now);
    if (!experience || start.claimed_by !== undefined) return [];
    const isFirst = start.step_id === experience.startEvent?.stepId;
    const found = isFirst ? findStartTime(experience, [start], interactions.get(experience.id), now) : undefined;
    const at = isFirst ? found?.at : start.starts_at;
    return at !== undefined && at > now && at < start.expires_at ? at : [];
  });
  const next = Math.min(...times);
  return next <= now + MAX_PAGE_OPEN_MS ? next : undefined;
}

/** Whether an event could start something on this page, or lead it on, because there is no other reason against it. */
export function waitsForEvent(published: PublishedData, input: DecisionInput): boolean {
  if (findFirstReason(pageRules, { input })) return false;
  const possible = [...published.candidates(input.page, input.now), ...listInProgress(published, input)];
  return possible.some((experience) => {
    const { events, startEvent, repeatDays } = experience;
    const isOpen = isInProgress(input.interactions.get(experience.id), input.now);
    const waits = events.some((event) => event !== startEvent || !isOpen || repeatDays === 0);
    return waits && !findFirstReason(rulesBesideEvents, toRuleInput(experience, input, published));
  });
}

/** The options of a page that requests an Experience now. */
export type ExplicitRequest = Pick<PendingDelivery, 'model_id' | 'once' | 'use_segmentation' | 'skip_url_match'>;

/** Finds the reason why an Experience that a page requests does not show. */
export function findReasonAgainst(
  published: PublishedData,
  input: DecisionInput,
  request: ExplicitRequest,
): Reason | undefined {
  const delivery: PendingDelivery = { ...request, id: '', from_at: null, until_at: null };
  const experience = published.experience(request.model_id, input.now);
  const reason = findFirstReason(deliveryRules, { delivery, experience, input, published });
  return reason ?? (experience && checkDeliverySegments(experience, delivery, published, input));
}

export interface ExperienceExplanation {
  id: string;
  /** True exactly when `reasons` is empty. */
  shows: boolean;
  reasons: Reason[];
}

export interface VisitExplanation {
  /** One explanation for each Experience in question. */
  experiences: ExperienceExplanation[];
  /** One explanation for each Delivery, also for expired ones. */
  deliveries: (DecidedDelivery & { reasons: Reason[] })[];
}

/** Lists every reason why each of these Experiences, live or not, and each Delivery does not show. */
export function explain(published: PublishedData, input: DecisionInput, ids: readonly string[]): VisitExplanation {
  const deliveries = input.deliveries.map((delivery) => explainDelivery(published, input, delivery));
  const ready = input.deliveries.flatMap(({ model_id }, at) => (deliveries[at]?.ready ? [model_id] : []));
  const first = findFirst(published, input, ready);
  const experiences = ids.map((id) => {
    const reasons = ready.includes(id) ? [] : listReasonsAgainst(id, published, input, first);
    return { id, shows: reasons.length === 0, reasons };
  });
  return { experiences, deliveries };
}

/** Finds the tour or survey that shows on the page. Only one shows at a time, so it keeps the others back. */
function findFirst(published: PublishedData, input: DecisionInput, ready: readonly string[]): FirstShown | undefined {
  const [id] = ready;
  const delivered = id === undefined ? undefined : published.experience(id, input.now);
  if (delivered) return { experience: delivered, isDelivered: true, waiting: [] };
  const { automatic, waiting } = decide(published, input);
  const experience = automatic.find((one) => takesTurns(one, input));
  return experience && { experience, isDelivered: false, waiting };
}

interface FirstShown {
  experience: CompiledExperience;
  isDelivered: boolean;
  /** The Experiences that show if the step of this one cannot show on the page. */
  waiting: readonly CompiledExperience[];
}

function listReasonsAgainst(
  id: string,
  published: PublishedData,
  input: DecisionInput,
  first: FirstShown | undefined,
): Reason[] {
  const experience = published.experience(id, input.now);
  const pageReasons = listReasons(pageRules, { input });
  if (!experience) return [...pageReasons, { rule: 'live' }];
  const reasons = [...pageReasons, ...listReasons(showingRules, toRuleInput(experience, input, published))];
  const isBehind =
    first !== undefined &&
    takesTurns(experience, input) &&
    (first.isDelivered || comparePriority(first.experience, experience, input) < 0);
  if (!isBehind) return reasons;
  const isNext = reasons.length === 0 && first.waiting.includes(experience);
  return [...reasons, { rule: 'another', name: first.experience.name, ...(isNext && { isNext }) }];
}

function explainDelivery(published: PublishedData, input: DecisionInput, delivery: PendingDelivery) {
  const decided = decideDelivery(published, input, delivery);
  const experience = published.experience(delivery.model_id, input.now);
  const reasons = listReasons(deliveryRules, { delivery, experience, input, published });
  const segments = experience && checkDeliverySegments(experience, delivery, published, input);
  return { ...decided, reasons: segments ? [...reasons, segments] : reasons };
}

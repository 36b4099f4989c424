import type { Millis } from '../basics/time.ts';
import type { CompiledExperience } from './compiled-experience.ts';
import type { Reason } from './reason.ts';
import {
  allReasons,
  checkExcludedSegments,
  checkSegments,
  type DecisionInput,
  deliveryRules,
  firstReason,
  isBeforeStart,
  isExclusive,
  isExpired,
  isInProgress,
  type PendingDelivery,
  type PublishedData,
  pageRules,
  showingRules,
  toRuleInput,
} from './rules.ts';

/*
 * What a user sees on a page. There is one list of rules, and two ways to ask it: `decide` for page loads, which looks
 * only at what can show and stops at the first reason against it, and `explain` for administrators, which tells all.
 */

/** As long as a page may stay open: it may start a Delivery whose time comes meanwhile. */
const MAX_PAGE_OPEN_MS: Millis = 12 * 60 * 60_000;

export interface Decision<Of extends CompiledExperience> {
  /** What shows by itself: at most one tour or survey, which is the first then. */
  automatic: Of[];
  /** All whose content the page needs: those of Deliveries first. */
  experiences: Of[];
  /** Those that are not over, in their order. */
  deliveries: DecidedDelivery[];
}

export interface DecidedDelivery {
  id: string;
  ready: boolean;
  /** It leaves the list for good: the user is not in the Segment that it was to ask for. */
  dropped: boolean;
}

export function decide<Of extends CompiledExperience>(
  published: PublishedData<Of>,
  person: DecisionInput,
): Decision<Of> {
  const { now } = person;
  const pending = person.deliveries.filter(({ until_at }) => !isExpired(until_at, now));
  const deliveries = pending.map((delivery) => decideDelivery(published, person, delivery));
  const delivered = pending.flatMap((delivery, at) => {
    const isNeeded = deliveries[at]?.ready || startsWhilePageIsOpen(published, person, delivery);
    return (isNeeded && published.experience(delivery.model_id, now)) || [];
  });
  const hasTurn = !deliveries.some(({ ready }) => ready);
  const automatic = firstReason(pageRules, { person }) ? [] : decideAutomatic(published, person, hasTurn);
  const experiences = delivered.length === 0 ? automatic : [...new Set([...delivered, ...automatic])];
  return { automatic, experiences, deliveries };
}

function decideAutomatic<Of extends CompiledExperience>(
  published: PublishedData<Of>,
  person: DecisionInput,
  hasTurn: boolean,
): Of[] {
  const shows = (experience: CompiledExperience) =>
    !firstReason(showingRules, toRuleInput(experience, person, published));
  const candidates = published.candidates(person.page, person.now);
  const others = candidates.filter((one) => !isExclusive(one) && shows(one));
  const turn = hasTurn
    ? (listInProgress(published, person).find(shows) ?? candidates.find((one) => isExclusive(one) && shows(one)))
    : undefined;
  return turn ? [turn, ...others] : others;
}

/** What the user is in the middle of goes on also where it cannot begin: the latest first. */
function listInProgress<Of extends CompiledExperience>(published: PublishedData<Of>, person: DecisionInput): Of[] {
  const { now, interactions } = person;
  const found: Of[] = [];
  for (const [id, interaction] of interactions) {
    const experience = isInProgress(interaction, now) ? published.experience(id, now) : undefined;
    if (experience && isExclusive(experience)) found.push(experience);
  }
  return found.sort((one, other) => comparePriority(one, other, person));
}

/** Whose turn comes first: of what the user is in the middle of, the latest; then by position, then ID. */
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
  return one.position - other.position || (one.id < other.id ? -1 : 1);
}

function decideDelivery(published: PublishedData, person: DecisionInput, delivery: PendingDelivery): DecidedDelivery {
  const { id, model_id } = delivery;
  const experience = published.experience(model_id, person.now);
  const reason = firstReason(deliveryRules, { delivery, experience, person });
  if (!experience || reason) return { id, ready: false, dropped: false };
  const dropped = checkDeliverySegments(experience, delivery, published, person) !== undefined;
  return { id, ready: !dropped, dropped };
}

/** Asked only of one that could run: at another time, or on another page, the user may be in the Segment. */
function checkDeliverySegments(
  experience: CompiledExperience,
  { use_segmentation }: PendingDelivery,
  published: PublishedData,
  person: DecisionInput,
): Reason | undefined {
  if (!use_segmentation) return undefined;
  return checkSegments(experience, person, published) ?? checkExcludedSegments(experience, person, published);
}

/** Its time comes while the page may still be open, and nothing else is against it. */
function startsWhilePageIsOpen(published: PublishedData, person: DecisionInput, delivery: PendingDelivery): boolean {
  const { from_at } = delivery;
  if (!isBeforeStart(from_at, person.now) || from_at > person.now + MAX_PAGE_OPEN_MS) return false;
  return decideDelivery(published, person, { ...delivery, from_at: null }).ready;
}

/** What a page asks for: as a Delivery does, but now. */
export type ExplicitRequest = Pick<PendingDelivery, 'model_id' | 'once' | 'use_segmentation' | 'skip_url_match'>;

/** Why an Experience that a page asks for does not show. */
export function findReasonAgainst(
  published: PublishedData,
  person: DecisionInput,
  wish: ExplicitRequest,
): Reason | undefined {
  const delivery: PendingDelivery = { ...wish, id: '', from_at: null, until_at: null };
  const experience = published.experience(wish.model_id, person.now);
  const reason = firstReason(deliveryRules, { delivery, experience, person });
  return reason ?? (experience && checkDeliverySegments(experience, delivery, published, person));
}

export interface ExperienceExplanation {
  id: string;
  /** Exactly when there is no reason against it. */
  shows: boolean;
  reasons: Reason[];
}

export interface VisitExplanation {
  /** Of each Experience that was asked for. */
  experiences: ExperienceExplanation[];
  /** Of each Delivery, also of those that are over. */
  deliveries: (DecidedDelivery & { reasons: Reason[] })[];
}

/** Every reason why each of these Experiences, live or not, and each Delivery does not show. */
export function explain(published: PublishedData, person: DecisionInput, ids: readonly string[]): VisitExplanation {
  const deliveries = person.deliveries.map((delivery) => explainDelivery(published, person, delivery));
  const ready = person.deliveries.flatMap(({ model_id }, at) => (deliveries[at]?.ready ? [model_id] : []));
  const first = findFirst(published, person, ready);
  const experiences = ids.map((id) => {
    const reasons = ready.includes(id) ? [] : listReasonsAgainst(id, published, person, first);
    return { id, shows: reasons.length === 0, reasons };
  });
  return { experiences, deliveries };
}

/** Whoever keeps the other tours and surveys from showing. */
function findFirst(published: PublishedData, person: DecisionInput, ready: readonly string[]): FirstShown | undefined {
  const [id] = ready;
  const delivered = id === undefined ? undefined : published.experience(id, person.now);
  if (delivered) return { experience: delivered, isDelivered: true };
  const experience = decide(published, person).automatic.find(isExclusive);
  return experience && { experience, isDelivered: false };
}

interface FirstShown {
  experience: CompiledExperience;
  isDelivered: boolean;
}

function listReasonsAgainst(
  id: string,
  published: PublishedData,
  person: DecisionInput,
  first: FirstShown | undefined,
): Reason[] {
  const experience = published.experience(id, person.now);
  const ofPage = allReasons(pageRules, { person });
  if (!experience) return [...ofPage, { rule: 'live' }];
  const reasons = [...ofPage, ...allReasons(showingRules, toRuleInput(experience, person, published))];
  const isBehind =
    first !== undefined &&
    isExclusive(experience) &&
    (first.isDelivered || comparePriority(first.experience, experience, person) < 0);
  return isBehind ? [...reasons, { rule: 'another', name: first.experience.name }] : reasons;
}

function explainDelivery(published: PublishedData, person: DecisionInput, delivery: PendingDelivery) {
  const decided = decideDelivery(published, person, delivery);
  const experience = published.experience(delivery.model_id, person.now);
  const reasons = allReasons(deliveryRules, { delivery, experience, person });
  const segments = experience && checkDeliverySegments(experience, delivery, published, person);
  return { ...decided, reasons: segments ? [...reasons, segments] : reasons };
}

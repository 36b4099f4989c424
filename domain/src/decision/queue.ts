import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { HrefParam } from '../hosts/href.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import type { CompiledExperience } from './compiled-experience.ts';
import { decide, explain } from './decide.ts';
import { ExplainedReason } from './explanation.ts';
import { describeReason, type Reason } from './reason.ts';
import {
  type DecisionInput,
  findFirstReason,
  isInProgress,
  isSnoozed,
  type PublishedData,
  pageRules,
  takesTurns,
} from './rules.ts';

/*
 * What a user would see next on a page. The order is that of `decide`, which page loads use, and the reasons are those of
 * `explain`: nothing is decided here.
 */

/** The address of a page that the user is imagined to load. */
export const QueueInput = Type.Object({ href: HrefParam });

/** Why it shows: a Delivery, because the user is in the middle of it, because its turn has come, or beside all others. */
const queueCauses = ['delivery', 'in_progress', 'automatic', 'always'] as const;
export type QueueCause = (typeof queueCauses)[number];

const QueuedExperience = OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String() });

export const Queue = OutputObject({
  href: Type.String(),
  /** Why nothing shows on this page, or to this user. */
  problem: Nullable(Type.String()),
  /** What the page would show, in this order. */
  next: Type.Array(OutputObject({ experience: QueuedExperience, delivery_id: Nullable(Id), why: OneOf(queueCauses) })),
  /** The other pending Deliveries in their order; then the other published Experiences. Experiences that only wait for another one come first. */
  rest: Type.Array(
    OutputObject({ experience: QueuedExperience, delivery_id: Nullable(Id), reasons: Type.Array(ExplainedReason) }),
  ),
  limits: Type.Array(
    OutputObject({
      /** The limit group. */
      id: Id,
      name: Type.String(),
      used: Type.Integer(),
      most: Type.Integer(),
      /** Of the last days; null if the group does not limit it. */
      steps: Nullable(OutputObject({ used: Type.Integer(), most: Type.Integer() })),
      seconds: Nullable(OutputObject({ used: Type.Integer(), most: Type.Integer() })),
      period_hours: Type.Number(),
      is_reached: Type.Boolean(),
      /** When the next one may start; null while one may start now. */
      free_at: Nullable(Timestamp),
    }),
  ),
  /** The first to end comes first. */
  snoozes: Type.Array(OutputObject({ experience: QueuedExperience, until: Timestamp })),
});
export type Queue = Static<typeof Queue>;

export interface QueuePlan {
  next: { id: string; deliveryId: string | null; why: QueueCause }[];
  rest: { id: string; deliveryId: string | null; reasons: Reason[] }[];
}

/** Plans the queue. `ids` are the Experiences in question, by their priority. */
export function planQueue(published: PublishedData, input: DecisionInput, ids: readonly string[]): QueuePlan {
  // The decision comes first, because URL patterns that run out of steps are then skipped as in a page load.
  const { deliveries, automatic } = decide(published, input);
  const explained = explain(published, input, ids);
  const models = new Map(input.deliveries.map(({ id, model_id }) => [id, model_id]));
  const modelOf = (deliveryId: string) => models.get(deliveryId) ?? '';
  const delivered = deliveries
    .filter(({ ready }) => ready)
    .map(({ id }) => ({ id: modelOf(id), deliveryId: id, why: 'delivery' as const }));
  const next = [...delivered, ...automatic.map((one) => ({ id: one.id, deliveryId: null, why: causeOf(one, input) }))];
  const others = explained.experiences
    .filter(({ id }) => !next.some((one) => one.id === id))
    .map(({ id, reasons }) => ({ id, deliveryId: null, reasons }));
  return {
    next,
    rest: [
      ...explained.deliveries
        .filter(({ ready }) => !ready)
        .map(({ id, reasons }) => ({ id: modelOf(id), deliveryId: id, reasons })),
      ...others.filter(({ reasons }) => isWaiting(reasons)),
      ...others.filter(({ reasons }) => !isWaiting(reasons)),
    ],
  };
}

function causeOf(experience: CompiledExperience, input: DecisionInput): QueueCause {
  const { interactions, now } = input;
  if (!takesTurns(experience, input)) return 'always';
  return isInProgress(interactions.get(experience.id), now) ? 'in_progress' : 'automatic';
}

function isWaiting(reasons: readonly Reason[]): boolean {
  return reasons.every(({ rule }) => rule === 'another');
}

/** Why nothing shows to this user on this page, in words. */
export function findQueueProblem(input: DecisionInput): string | null {
  const reason = findFirstReason(pageRules, { input });
  return reason ? describeReason(reason) : null;
}

/** The Experiences that the user has snoozed, and until when. The first to end comes first. */
export function listSnoozes({ interactions, now }: DecisionInput): { id: string; until: Millis }[] {
  const snoozes = [];
  for (const [id, interaction] of interactions)
    if (isSnoozed(interaction, now)) snoozes.push({ id, until: interaction.defer_until });
  return snoozes.sort((one, other) => one.until - other.until || (one.id < other.id ? -1 : 1));
}

import {
  createdAtOf,
  type ExperienceKind,
  type Millis,
  parseItemTimes,
  type TimelineKind,
  type TimelinePlace,
  timeOfId,
} from '@usher/domain';
import type { ProfileRow } from '../../audience/profiles/queries.ts';
import type { DeliveryMoments, EventMoment, InteractionMoments, ResponseMoment } from './queries.ts';

/** An entry of a timeline before it is presented. */
export interface Moment extends TimelinePlace {
  kind: TimelineKind;
  experience?: { id: string; kind: ExperienceKind | null };
  event?: EventMoment;
  delivery?: DeliveryMoments;
  until?: Millis | null;
  /** The item of a checklist that was completed. */
  itemId?: string;
}

/** The kinds whose time is a column. */
interface Times {
  kind: TimelineKind;
  at: Millis | null;
}

function happened(times: readonly Times[]): { kind: TimelineKind; at: Millis }[] {
  return times.flatMap(({ kind, at }) => (at === null ? [] : { kind, at }));
}

export function listProfileMoments({ id, created_at, last_cleared_at, last_seen_at }: ProfileRow): Moment[] {
  return happened([
    { kind: 'created', at: createdAtOf({ id, created_at }) },
    { kind: 'cleared', at: last_cleared_at },
    { kind: 'last_seen', at: last_seen_at },
  ]).map((time) => ({ ...time, id }));
}

export function toEventMoment(event: EventMoment): Moment {
  return { id: event.id, kind: 'tracked', at: timeOfId(event.id), event };
}

export function toResponseMoment({ id, experience_id }: ResponseMoment): Moment {
  return { id, kind: 'answered', at: timeOfId(id), experience: { id: experience_id, kind: null } };
}

export function toInteractionMoments(row: InteractionMoments): Moment[] {
  return [...toStateMoments(row), ...toItemMoments(row)];
}

/** The ID of an item is the ID of its entry, because a user completes it once. */
function toItemMoments({ experience_id, items }: InteractionMoments): Moment[] {
  return [...parseItemTimes(items)].map(([id, at]) => {
    const experience = { id: experience_id, kind: null };
    return { id, kind: 'item_completed', at, experience, itemId: id };
  });
}

function toStateMoments(row: InteractionMoments): Moment[] {
  return happened([
    { kind: 'displayed', at: row.displayed_at },
    { kind: 'started', at: row.started_at },
    { kind: 'completed', at: row.completed_at },
    { kind: 'exited', at: row.exited_at },
    { kind: 'goal', at: row.goal_at },
    { kind: 'snoozed', at: snoozedAt(row) },
  ]).map(({ kind, at }) => ({
    ...{ id: row.id, kind, at, experience: { id: row.experience_id, kind: null } },
    ...(kind === 'snoozed' && { until: row.defer_until }),
  }));
}

/** A snooze of an earlier version has no time of its own: it was after its page was loaded, and after it was started. */
function snoozedAt({ snoozed_at, defer_until, ended_by, started_at }: InteractionMoments): Millis | null {
  if (snoozed_at !== null || defer_until === null) return snoozed_at;
  return Math.max(ended_by ?? 0, started_at ?? 0);
}

export function toDeliveryMoments(delivery: DeliveryMoments): Moment[] {
  const { id, at, removed_at, model_id, model_kind } = delivery;
  return happened([
    { kind: 'delivery_created', at: timeOfId(id) },
    { kind: 'delivery_triggered', at },
    { kind: 'delivery_removed', at: removed_at },
  ]).map((time) => ({ ...time, id, experience: { id: model_id, kind: model_kind }, delivery }));
}

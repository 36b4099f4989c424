import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { experienceKinds } from '../kinds/kinds.ts';
import { EventName } from './event-name.ts';

/*
 * Events are counted by the quarter of an hour: in every time zone, days begin with a quarter. So the counts of days are exact, and
 * the account can choose another zone.
 */

const QUARTER_MS: Millis = 15 * 60_000;
export const QUARTERS_PER_DAY = 96;
/** Counts of days before are deleted. */
export const EVENT_COUNT_DAYS = 90;

/** The quarters of an hour since 1970. */
export function quarterOf(time: Millis): number {
  return Math.floor(time / QUARTER_MS);
}

/** How many days the small trend of a list has, with today. */
export const EVENT_TREND_DAYS = 30;

const Counts = OutputObject({
  last_24_hours: Type.Integer(),
  last_7_days: Type.Integer(),
  last_30_days: Type.Integer(),
});

/** What uses an event. */
export const EventUses = OutputObject({
  segments: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  goals: Type.Array(OutputObject({ id: Id, name: Type.String() })),
  experiences: Type.Array(
    OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String(), is_in_draft: Type.Boolean() }),
  ),
});
export type EventUses = Static<typeof EventUses>;

/** An Event Name with how often it was tracked, without the events of test users. `days` are the last 30, with today. */
export const CountedEventName = OutputObject({
  ...EventName.properties,
  sources: Type.Array(Type.String()),
  properties: Type.Array(Type.String()),
  counts: Counts,
  days: Type.Array(Type.Integer()),
  /** How many Segments and Experiences use it. */
  uses: OutputObject({ segments: Type.Integer(), experiences: Type.Integer() }),
});
export type CountedEventName = Static<typeof CountedEventName>;

/** An Event Name with its counts by day, in the time zone of the account, and what uses it. */
export const EventNameDetails = OutputObject({
  ...EventName.properties,
  sources: Type.Array(Type.String()),
  counts: Counts,
  days: Type.Array(OutputObject({ date: Type.String(), count: Type.Integer() })),
  uses: EventUses,
});
export type EventNameDetails = Static<typeof EventNameDetails>;

/** One of the latest events of a name. */
export const EventOccurrence = OutputObject({
  id: Id,
  at: Timestamp,
  profile: OutputObject({ id: Id, uid: Type.String(), email: Nullable(Type.String()) }),
  properties: Type.Record(Type.String(), Type.Unknown()),
});
export type EventOccurrence = Static<typeof EventOccurrence>;

/** The latest events of a name, and the Properties that its events have had. The values are of all events. */
export const EventOccurrences = OutputObject({
  occurrences: Type.Array(EventOccurrence),
  properties: Type.Array(
    OutputObject({
      id: Id,
      name: Type.String(),
      prop: Type.String(),
      types: Type.Array(Type.String()),
      values: Type.Array(Type.Unknown()),
    }),
  ),
});
export type EventOccurrences = Static<typeof EventOccurrences>;

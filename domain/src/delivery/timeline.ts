import Type, { type Static } from 'typebox';
import { firstIdAt } from '../basics/id.ts';
import { Id, Nullable, OneOf, OutputObject, pageParameters, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import type { Custom } from '../ingestion/value.ts';
import { experienceKinds } from '../kinds/kinds.ts';

/*
 * Everything that is known of what a user did and saw, newest first. The entries come from several tables, and the time of
 * an entry only ever moves forward. So a cursor of a time, a kind and an ID is a place between entries that stays: what was
 * listed before it never comes after it.
 */

/** The order of entries of the same millisecond: a kind that comes later in this list happened later. */
export const timelineKinds = [
  ...(['created', 'cleared', 'delivery_created', 'delivery_triggered', 'displayed', 'started', 'answered'] as const),
  ...([
    'snoozed',
    'item_completed',
    'completed',
    'exited',
    'tracked',
    'goal',
    'delivery_removed',
    'last_seen',
  ] as const),
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** What a timeline can be limited to. */
const timelineFilters = ['seen', 'answered', 'tracked', 'delivered'] as const;
type TimelineFilter = (typeof timelineFilters)[number];

const kindsOfFilter: Record<TimelineFilter, readonly TimelineKind[]> = {
  seen: ['displayed', 'started', 'snoozed', 'item_completed', 'completed', 'exited', 'goal'],
  answered: ['answered'],
  tracked: ['tracked'],
  delivered: ['delivery_created', 'delivery_triggered', 'delivery_removed'],
};

export const TimelineInput = Type.Object({
  kinds: Type.Optional(Type.Array(OneOf(timelineFilters))),
  limit: pageParameters.limit,
  before: Type.Optional(
    Type.Unsafe<TimelinePlace>({
      type: 'string',
      format: 'timeline_place',
      description: 'the `cursor.before` of the page before, or a time',
    }),
  ),
});

const TimelineAnswer = OutputObject({
  /** Null in answers of earlier versions. */
  step_id: Nullable(Id),
  /** The text of the step in the draft; null if the step is gone. */
  question: Nullable(Type.String()),
  /** What the user chose, or else wrote. */
  value: Nullable(Type.String()),
  /** What the user wrote beside the choice. */
  comment: Nullable(Type.String()),
});

export const TimelineEntry = OutputObject({
  /** The same on every page, and different for every entry. */
  id: Type.String(),
  at: Timestamp,
  kind: OneOf(timelineKinds),
  experience: Nullable(
    OutputObject({
      id: Id,
      kind: OneOf(experienceKinds),
      /** The last name that it had; null if that is not known. */
      name: Nullable(Type.String()),
      is_deleted: Type.Boolean(),
    }),
  ),
  /** The item of a checklist that was completed. */
  item: Nullable(
    OutputObject({ id: Id, /** The title in the draft; null if the item is gone. */ title: Nullable(Type.String()) }),
  ),
  /** The event that was tracked. */
  event: Nullable(OutputObject({ name: Type.String(), custom: Type.Unsafe<Custom>({ type: 'object' }) })),
  answers: Nullable(Type.Array(TimelineAnswer)),
  delivery: Nullable(
    OutputObject({
      id: Id,
      /** The page where it was triggered. */
      href: Nullable(Type.String()),
      /** Why the server removed it. */
      reason: Nullable(Type.String()),
    }),
  ),
  /** When the snooze ends. */
  until: Nullable(Timestamp),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

/** Which kinds of entries a timeline has. Without filters, all. */
export function listTimelineKinds(filters: readonly TimelineFilter[] | undefined): ReadonlySet<TimelineKind> {
  return new Set(filters ? filters.flatMap((filter) => kindsOfFilter[filter]) : timelineKinds);
}

/** A place in a timeline: an entry, or a time without a kind, which is before all entries of that time. */
export interface TimelinePlace {
  at: Millis;
  kind: TimelineKind | null;
  /** The ID of the record. */
  id: string;
}

const cursorPattern = /^(\d{1,15})-([a-z_]+)-([0-9a-f]{24})$/;

export function encodeTimelinePlace({ at, kind, id }: TimelinePlace): string {
  return `${at}-${kind}-${id}`;
}

/** Returns undefined if the text is no cursor of a timeline. */
export function decodeTimelinePlace(text: string): TimelinePlace | undefined {
  const [, at, word, id] = cursorPattern.exec(text) ?? [];
  const kind = timelineKinds.find((kind) => kind === word);
  return at && kind && id ? { at: Number(at), kind, id } : undefined;
}

/** Orders places, newest first. */
export function compareTimelinePlaces(one: TimelinePlace, other: TimelinePlace): number {
  if (one.at !== other.at) return other.at - one.at;
  const [mine, theirs] = [rankOf(one.kind), rankOf(other.kind)];
  if (mine !== theirs) return theirs - mine;
  return one.id === other.id ? 0 : one.id > other.id ? -1 : 1;
}

function rankOf(kind: TimelineKind | null): number {
  return kind === null ? -1 : timelineKinds.indexOf(kind);
}

/** The records that come after a place have IDs below this one, if the time of an entry is the time in the ID of its record. */
export function idBelowPlace({ at, kind, id }: TimelinePlace, of: TimelineKind): string {
  if (kind === of) return id;
  return firstIdAt(rankOf(kind) > rankOf(of) ? at + 1 : at);
}

/** The entries of a kind that come after a place have a time and an ID below these. */
export function timeBelowPlace({ at, kind, id }: TimelinePlace, of: TimelineKind): { at: Millis; id: string } {
  if (kind === of) return { at, id };
  return { at: rankOf(kind) > rankOf(of) ? at + 1 : at, id: '' };
}

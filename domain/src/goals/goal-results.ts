import Type, { type Static } from 'typebox';
import { Cursor, Id, Nullable, OutputObject, pageParameters, Timestamp } from '../basics/schema.ts';
import { toOutputSchemas } from '../content/field-schemas.ts';
import { GetStats } from '../delivery/stats.ts';
import { goalFields } from '../fields/goal-fields.ts';
import { PersonSummary } from '../profiles/person.ts';

const Count = Type.Integer();
const Day = Type.Unsafe<string>({ type: 'string', format: 'date' });

/** How many of the people who first saw an Experience in a range of days met each of its goals. */
export const GoalResults = OutputObject({
  /** The first and the last day. */
  from: Day,
  until: Day,
  /** When it was counted. Null before the first count. */
  counted_at: Nullable(Timestamp),
  /** How much of the people was looked at, from 0 to 1, while they are being counted. */
  counting: Nullable(OutputObject({ share: Type.Number() })),
  /** Before this time, single events are deleted. */
  events_since: Timestamp,
  /** Who first saw it in the range. Null before the first count. */
  people: Nullable(Count),
  goals: Type.Array(
    OutputObject({
      id: Id,
      goal_id: Nullable(Id),
      primary: Type.Boolean(),
      ...toOutputSchemas(goalFields),
      people: Nullable(Count),
      /** The sum of the number of their events; null if the goal sums nothing. */
      sum: Nullable(Type.Number()),
      /** Whether events that would count may be deleted already. */
      is_partial: Type.Boolean(),
    }),
  ),
});
export type GoalResults = Static<typeof GoalResults>;

const { from, until } = GetStats.properties;
export const ListGoalPeople = Type.Object({
  from,
  until,
  goal_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of a goal of the Experience' })),
  limit: pageParameters.limit,
  before: pageParameters.before,
});
export type ListGoalPeople = Static<typeof ListGoalPeople>;

/** The people who met a goal, by when they first saw the Experience, the last one first. */
export const GoalPeople = OutputObject({
  people: Type.Array(
    OutputObject({
      profile: PersonSummary,
      first_seen_at: Timestamp,
      met_at: Nullable(Timestamp),
      value: Nullable(Type.Number()),
    }),
  ),
  /** False if there may be more people after these: looking for them took too long, and the cursor goes on. */
  is_complete: Type.Boolean(),
  cursor: Cursor,
});
export type GoalPeople = Static<typeof GoalPeople>;

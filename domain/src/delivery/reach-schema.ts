import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Time, Timestamp } from '../basics/schema.ts';
import { type ExperienceKind, experienceKinds } from '../kinds/kinds.ts';
import { markKinds } from './publishing-marks.ts';

const Count = Type.Integer();
const Day = Type.Unsafe<string>({ type: 'string', format: 'date' });
const measures = { shown: Count, started: Count, completed: Count };
const Kind = Type.Unsafe<ExperienceKind>(OneOf(experienceKinds));

const period = {
  /** The first and the last day, in the time zone of the account. */
  from: Day,
  until: Day,
  /** How many people saw, started and completed at least one Experience. A person counts once. */
  totals: OutputObject(measures),
  /** Of weeks, the first day. The last week ends with the range, so the first one can be shorter. */
  days: Type.Array(OutputObject({ day: Day, ...measures })),
};

export const GetReach = Type.Object({
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  by: OneOf(['day', 'week'], { default: 'day' }),
  kind: Type.Optional(Kind),
  url_group_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of an Environment' })),
  tag_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of a Tag' })),
});

export const ReachResults = OutputObject({
  ...period,
  /** The same number of days before. */
  before: OutputObject(period),
  /**
   * Whether a person counts once, whatever number of Experiences they saw. With a Tag, a person counts once for each Experience, because Tags
   * change and people are counted when they see something.
   */
  is_distinct: Type.Boolean(),
  /** The same for each kind that was shown in the range, without `kind` and `tag_id`. */
  kinds: Type.Array(OutputObject({ kind: Kind, totals: OutputObject(measures) })),
  /** The Experiences that most people saw, and at most 50. */
  experiences: Type.Array(OutputObject({ id: Id, kind: Kind, name: Type.String(), totals: OutputObject(measures) })),
  /** How many Experiences were shown in the range. */
  experiences_count: Count,
});
export type ReachResults = Static<typeof ReachResults>;
export type ReachCounts = ReachResults['totals'];

export const GetAdoption = Type.Object({
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  by: OneOf(['day', 'week'], { default: 'day' }),
});

export const Adoption = OutputObject({
  from: Day,
  until: Day,
  by: OneOf(['day', 'week']),
  /** The first day that is counted in full, if it is later than `from`: counts of more than 90 days are deleted. */
  counted_from: Nullable(Day),
  /** How often it was tracked in the range. */
  count: Count,
  /** How many people tracked it in the range for the first time ever. */
  new_people: Count,
  /** How many people have ever tracked it until the end of the range. */
  adopters: Count,
  /** How many people are known now. */
  people: Count,
  days: Type.Array(
    OutputObject({
      day: Day,
      /** How often it was tracked; null for a time whose counts were deleted. */
      count: Nullable(Count),
      new_people: Count,
      /** How many people have ever tracked it until then. */
      adopters: Count,
    }),
  ),
  /** When Experiences with this event in their goal, trigger or conditions were published or stopped, oldest first. */
  marks: Type.Array(
    OutputObject({
      what: OneOf(markKinds),
      day: Day,
      at: Timestamp,
      experience_id: Id,
      kind: Kind,
      name: Type.String(),
      change_id: Id,
    }),
  ),
});
export type Adoption = Static<typeof Adoption>;

import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Time, Timestamp } from '../basics/schema.ts';
import { type ExperienceKind, experienceKinds } from '../kinds/kinds.ts';
import type { StoredActivity } from './interaction.ts';

/*
 * How many people all Experiences reached. What a user did with any of them on a day is stored once more as an activity of a *reach scope*:
 * all Experiences, or those of one kind. So a person counts once, whatever number of Experiences they saw.
 */

/** What is counted across Experiences. */
export const reachMeasures = ['shown', 'started', 'completed'] as const;
export type ReachMeasure = (typeof reachMeasures)[number];

export const ALL_EXPERIENCES = 'all';

/** What stands for the ID of an Experience in activities and counts of all Experiences of a kind. */
export function reachScopeOf(kind: ExperienceKind): string {
  return `${ALL_EXPERIENCES}-${kind}`;
}

export const reachScopes: readonly string[] = [ALL_EXPERIENCES, ...experienceKinds.map(reachScopeOf)];

export function isReachMeasure(what: StoredActivity): what is ReachMeasure {
  return reachMeasures.some((one) => one === what);
}

interface DayOfUser {
  experience_id: string;
  what: string;
  day: number;
  previous_day: number;
}

interface RemainingDay extends DayOfUser {
  /** Of a scope: null. */
  kind: ExperienceKind | null;
}

export interface ReachChanges {
  removed: readonly DayOfUser[];
  /** Rows whose previous day was removed, as they were before, with the new previous day. */
  relinked: readonly (DayOfUser & { new_previous_day: number })[];
}

/**
 * What changes in the reach of one user when an Experience was deleted: on these days they did the same with no other Experience.
 * @param rows what is left of the user, in Experiences and scopes
 */
export function removeReach(
  rows: readonly RemainingDay[],
  gone: readonly Pick<DayOfUser, 'what' | 'day'>[],
): ReachChanges {
  const removed: DayOfUser[] = [];
  const relinked: (DayOfUser & { new_previous_day: number })[] = [];
  for (const scope of reachScopes)
    for (const what of reachMeasures) {
      const chain = rows
        .filter((row) => row.experience_id === scope && row.what === what)
        .sort((a, b) => a.day - b.day);
      const others = rows.filter(
        ({ kind, what: did }) =>
          kind !== null && did === what && (scope === ALL_EXPERIENCES || reachScopeOf(kind) === scope),
      );
      // A day that another row names as its previous one was a day, also when its own row was deleted because of its age.
      const days = new Set(others.flatMap(({ day, previous_day }) => [day, previous_day]));
      const lost = new Set(gone.filter((one) => one.what === what && !days.has(one.day)).map(({ day }) => day));
      let skipped: DayOfUser | undefined;
      for (const { kind: _, ...row } of chain) {
        const next = skipped && row.previous_day === skipped.day ? skipped.previous_day : row.previous_day;
        if (lost.has(row.day)) {
          removed.push(row);
          skipped = { ...row, previous_day: next };
        } else {
          if (next !== row.previous_day) relinked.push({ ...row, new_previous_day: next });
          skipped = undefined;
        }
      }
    }
  return { removed, relinked };
}

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
  /** How many people were known at the end of the range. */
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
      what: OneOf(['published', 'paused', 'ended', 'archived', 'restored']),
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

import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, Time } from '../basics/schema.ts';
import { type ExperienceKind, isExclusive } from '../kinds/kinds.ts';
import type { GroupKind } from './interaction.ts';
import { quantileOf, type StepActivity } from './step-flow.ts';

/*
 * An interruption is a showing of a tour or a survey that started automatically. What a user opens, and what the customer's backend or page
 * requests, is none; neither are parts of the page, such as banners, launchers and tooltips.
 */

/** What is counted of the interruptions of a user: how many began, and their steps and seconds. */
export const interruptionMeasures = ['interruptions', 'steps', 'seconds'] as const;
export type InterruptionMeasure = (typeof interruptionMeasures)[number];
export type InterruptionUse = Record<InterruptionMeasure, number>;

interface Showing {
  kind: ExperienceKind | undefined;
  /** A user opens a hotspot. */
  beginsAsHotspot: boolean;
  groupKind: GroupKind | null;
}

export function isInterruption({ kind, beginsAsHotspot, groupKind }: Showing): boolean {
  return isExclusive({ kind }) && !beginsAsHotspot && (groupKind === 'campaign' || groupKind === 'experiment');
}

/** A page that stays open in another tab interrupts nobody. */
const MAX_STEP_SECONDS = 5 * 60;

/** How long the steps that a user has left were there, as far as pages say it. */
export function secondsOf(steps: readonly StepActivity[]): number {
  return steps.reduce((sum, { seconds = 0 }) => sum + Math.min(seconds, MAX_STEP_SECONDS), 0);
}

/** Weeks begin on Monday, and 1970 began on Thursday. */
const DAYS_OF_WEEK = 7;
const FIRST_MONDAY = 4;

/** The Monday of the week of a day. */
export function weekOf(day: number): number {
  return day - ((day + DAYS_OF_WEEK - FIRST_MONDAY) % DAYS_OF_WEEK);
}

/** Greater numbers of one user and week are counted as this one, so that a page cannot send any number of different ones. */
export const MAX_INTERRUPTION_VALUE = 3600;

/** The first number of each bucket after 0. */
const bucketStarts: Readonly<Record<InterruptionMeasure, readonly number[]>> = {
  interruptions: [1, 2, 3, 4, 6, 11],
  steps: [1, 2, 3, 4, 6, 11, 21],
  seconds: [1, 11, 31, 61, 121, 301, 601],
};

const Count = Type.Integer();
const Measured = OutputObject({
  /** How many people have at least 1. */
  people: Count,
  /** Of these people: half of them have at most so much, nine of ten, and all. Null without any. */
  median: Nullable(Count),
  p90: Nullable(Count),
  max: Nullable(Count),
  /** How many people have from `least` to `most`. The first bucket has everybody else, and the last one has no `most`. */
  buckets: Type.Array(OutputObject({ least: Count, most: Nullable(Count), people: Count })),
});
type Measured = Static<typeof Measured>;
const Day = Type.Unsafe<string>({ type: 'string', format: 'date' });

export const InterruptionWeek = OutputObject({
  /** The Monday with which it begins. */
  week: Day,
  interruptions: Measured,
  steps: Measured,
  seconds: Measured,
});
export type InterruptionWeek = Static<typeof InterruptionWeek>;

export const Interruptions = OutputObject({
  /** How many people are known now. */
  known_people: Count,
  /** The first day that is known completely, if it is later than the first week: earlier versions did not count. */
  known_from: Nullable(Day),
  /** The oldest first. The last one is this week. */
  weeks: Type.Array(InterruptionWeek),
});
export type Interruptions = Static<typeof Interruptions>;

const MAX_WEEKS = 53;
export const GetInterruptions = Type.Object({
  weeks: Type.Unsafe<number>({
    type: 'integer',
    minimum: 1,
    maximum: MAX_WEEKS,
    default: 8,
    description: `a whole number from 1 to ${MAX_WEEKS}: how many weeks`,
  }),
});

interface Counted {
  value: number;
  count: number;
}

/** @param counts how many people have each number; those with 0 are everybody else */
export function measureInterruptions(
  measure: InterruptionMeasure,
  counts: readonly Counted[],
  knownPeople: number,
): Measured {
  const some = counts.filter(({ value, count }) => value > 0 && count > 0);
  const sum = (counted: readonly Counted[]) => counted.reduce((total, { count }) => total + count, 0);
  const people = sum(some);
  const starts = bucketStarts[measure];
  return {
    people,
    median: quantileOf(some, 0.5),
    p90: quantileOf(some, 0.9),
    max: quantileOf(some, 1),
    buckets: [
      { least: 0, most: 0, people: Math.max(0, knownPeople - people) },
      ...starts.map((least, at) => {
        const next = starts[at + 1];
        const most = next === undefined ? null : next - 1;
        return { least, most, people: sum(some.filter(({ value }) => value >= least && value <= (most ?? value))) };
      }),
    ],
  };
}

const number = (description: string) =>
  Type.Unsafe<number>({ type: 'integer', minimum: 0, maximum: MAX_INTERRUPTION_VALUE, description });

export const interruptedPeople = {
  week: Time,
  measure: OneOf(interruptionMeasures, { default: 'interruptions' }),
  least: number(`a whole number from 0 to ${MAX_INTERRUPTION_VALUE}: how much a user has at least`),
  most: Type.Optional(number(`a whole number from 0 to ${MAX_INTERRUPTION_VALUE}: how much a user has at most`)),
};
const InterruptedPeople = Type.Object(interruptedPeople);
export type InterruptedPeople = Static<typeof InterruptedPeople>;

export function findInterruptedProblems({ least, most }: InterruptedPeople): string[] {
  return most !== undefined && least > most ? ['`least` must not be greater than `most`'] : [];
}

/** What publishing adds for the people of an audience, of whom some have been interrupted in the last weeks. */
export const AddedInterruptions = OutputObject({
  /** How often a user of the audience sees it in a week, at most. */
  adds: Count,
  weeks: Count,
  /** How many people of the audience had at least one interruption in these weeks. */
  people: Count,
  /** Of these people, in the week in which each of them had the most. Null without any. */
  median: Nullable(Count),
  max: Nullable(Count),
  /** How many of them had more than `many` in a week. */
  busy_people: Count,
  many: Count,
  /** False if there was no time to look at all people: then the numbers are minimums. */
  is_complete: Type.Boolean(),
});
export type AddedInterruptions = Static<typeof AddedInterruptions>;

/** How often it can interrupt one user in a week, by its frequency. */
export function addedPerWeek({ repeatDays }: { repeatDays: number | null }): number {
  return repeatDays === null ? 1 : Math.max(1, Math.ceil(DAYS_OF_WEEK / Math.max(repeatDays, 1)));
}

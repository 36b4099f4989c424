import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Time, Timestamp } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { DEFAULT_TIME_ZONE, dayOf } from '../basics/time-zone.ts';
import { Distribution } from './distribution.ts';
import { markKinds } from './publishing-marks.ts';

/*
 * What users did with an Experience in a range of days. Days are whole days in the time zone of the account, counted since 1970. All counts are of
 * users: a user who did the same twice, on one day or on several days of the range, counts once.
 */

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

const Count = Type.Integer();
export const countedActivities = ['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal'] as const;
export type Counts = Record<(typeof countedActivities)[number], number>;
const counts = { displayed: Count, started: Count, completed: Count, exited: Count, snoozed: Count, goal: Count };
const Day = Type.Unsafe<string>({ type: 'string', format: 'date' });

const Nps = OutputObject({
  /** From -100 to 100. */
  score: Type.Integer(),
  promoters: Count,
  passives: Count,
  detractors: Count,
  count: Count,
});

/** A range of days, with its counts by day or by week. */
const period = {
  /** The first and the last day. */
  from: Day,
  until: Day,
  totals: OutputObject(counts),
  /** Of weeks, the first day. The last week ends with the range, so the first one can be shorter. */
  days: Type.Array(OutputObject({ day: Day, ...counts })),
};

/** What users did on a step. Each of them counts once in each number. */
const StepFlow = OutputObject({
  reached: Count,
  /** Those who went on to no other step, and did not finish. */
  left: Count,
  /** Those who closed it on this step. */
  exited: Count,
  snoozed: Count,
  /** Those who went back to an earlier step. */
  back: Count,
  /** The median time until they went on, rounded to two digits; null if none is known. */
  seconds: Nullable(Type.Integer()),
});
export type StepFlow = Static<typeof StepFlow>;

/** The answers to one question with a score. Of each user, the last answer in the range counts, or in the week. */
const Scores = OutputObject({
  step_id: Id,
  kind: OneOf(['nps', 'csat', 'ces']),
  values: Type.Array(OutputObject({ value: Type.Integer(), count: Count })),
  weeks: Type.Array(
    OutputObject({ day: Day, values: Type.Array(OutputObject({ value: Type.Integer(), count: Count })) }),
  ),
});
export type Scores = Static<typeof Scores>;

export const Stats = OutputObject({
  ...period,
  /** The same number of days before. */
  before: OutputObject(period),
  /** What administrators did in this range that decides who sees the Experience, oldest first. */
  marks: Type.Array(OutputObject({ what: OneOf(markKinds), day: Day, at: Timestamp, change_id: Id })),
  /** The first day with a known `flow`, if it is later than `from`: earlier versions did not record it. */
  flow_from: Nullable(Day),
  steps: Type.Array(
    OutputObject({
      id: Id,
      seen: Count,
      /** Of the days since `flow_from`; null if that is after the range, or nobody could go from this step to another. */
      flow: Nullable(StepFlow),
      buttons: Type.Array(
        OutputObject({
          id: Id,
          clicked: Count,
          /** Only of launchers: how many completed the item. */
          completed: Type.Optional(Count),
        }),
      ),
    }),
  ),
  answers: Type.Array(
    OutputObject({ step_id: Nullable(Id), button_id: Nullable(Id), value: Nullable(Type.String()), count: Count }),
  ),
  nps: Nullable(Nps),
  scores: Type.Array(Scores),
  /** The answers to each question, in the order of the steps. */
  questions: Type.Array(Distribution),
});
export type Stats = Static<typeof Stats>;

export const GetStats = Type.Object({
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  by: OneOf(['day', 'week'], { default: 'day' }),
});

export interface DayRange {
  first: number;
  last: number;
}

/** The days from `from` to `until`, both included as whole days; or the problem with them. */
export function parseDayRange(
  { from, until }: { from?: Millis | undefined; until?: Millis | undefined },
  now: Millis,
  timeZone = DEFAULT_TIME_ZONE,
): DayRange | { problem: string } {
  // A date is parsed as midnight in UTC, and means that day in any time zone.
  const toDay = (time: Millis) => dayOf(time, time % DAY_MS === 0 ? DEFAULT_TIME_ZONE : timeZone);
  const last = until === undefined ? dayOf(now, timeZone) : toDay(until);
  const first = from === undefined ? Math.max(last - DEFAULT_DAYS + 1, 0) : toDay(from);
  if (first > last)
    return { problem: `\`from\` must not be after \`until\`${until === undefined ? ', which is now' : ''}` };
  const days = last - first + 1;
  if (days > MAX_DAYS) return { problem: `\`from\` to \`until\` are ${days} days: ${MAX_DAYS} at most` };
  return { first, last };
}

const MAX_PASSIVE = 8;
const MAX_DETRACTOR = 6;

/** The NPS of the counted answers; null when nobody answered from 0 to 10. */
export function computeNps(answers: readonly { value: string | null; count: number }[]): Stats['nps'] {
  const sums = { promoters: 0, passives: 0, detractors: 0 };
  for (const { value, count } of answers) {
    if (!/^(\d|10)$/.test(value ?? '')) continue;
    const input = Number(value);
    if (input > MAX_PASSIVE) sums.promoters += count;
    else if (input > MAX_DETRACTOR) sums.passives += count;
    else sums.detractors += count;
  }
  const count = sums.promoters + sums.passives + sums.detractors;
  if (count === 0) return null;
  const share = (100 * (sums.promoters - sums.detractors)) / count;
  // Round halves away from zero, so that promoters and detractors count the same.
  return { score: Math.sign(share) * Math.round(Math.abs(share)), ...sums, count };
}

const MIN_SATISFIED = 4;

/** The score of a question: the NPS, the share of people who are satisfied (4 or 5), or the average effort. Null without answers. */
export function computeScore(
  kind: Scores['kind'],
  values: readonly { value: number; count: number }[],
): { score: number; count: number } | null {
  const count = values.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return null;
  if (kind === 'nps') {
    const nps = computeNps(values.map((one) => ({ value: String(one.value), count: one.count })));
    return nps && { score: nps.score, count };
  }
  const sum = (of: (value: number) => number) => values.reduce((total, one) => total + of(one.value) * one.count, 0);
  return {
    score: kind === 'csat' ? sum((value) => (value >= MIN_SATISFIED ? 1 : 0)) / count : sum((value) => value) / count,
    count,
  };
}

/** By what results can be split. Of a Segment, people count who are in it now; of others, the first time in the range counts. */
export const splitKinds = ['language', 'device', 'url_group', 'version', 'variant', 'segment'] as const;
export type SplitKind = (typeof splitKinds)[number];

export const GetSplits = Type.Object({
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  by: OneOf(splitKinds),
  segment_ids: Type.Optional(
    Type.Array(Id, { minItems: 1, maxItems: 10, description: 'a list of IDs of Segments, with `by=segment`' }),
  ),
  after: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'the `cursor.after` of the part before, with `by=segment`' }),
  ),
});

export const Splits = OutputObject({
  splits: Type.Array(
    OutputObject({
      /** A language, a device, or the ID of an Environment, a version, a variant or a Segment; empty if unknown. */
      value: Type.String(),
      totals: OutputObject(counts),
      /** Only of Segments: the last answers to questions with a score. */
      scores: Type.Array(OutputObject({ step_id: Id, value: Type.Integer(), count: Count })),
    }),
  ),
  cursor: OutputObject({
    /** If the people of Segments take long to count, this is a part: add the parts until `after` is null. */
    after: Nullable(Id),
  }),
});
export type Splits = Static<typeof Splits>;

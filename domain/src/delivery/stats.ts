import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, OutputObject, Time } from '../basics/schema.ts';
import type { Millis } from '../basics/time.ts';
import { DEFAULT_TIME_ZONE, dayOf } from '../basics/time-zone.ts';
import { Distribution } from './distribution.ts';

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

export const Stats = OutputObject({
  /** The first and the last day. */
  from: Day,
  until: Day,
  totals: OutputObject(counts),
  days: Type.Array(OutputObject({ day: Day, ...counts })),
  steps: Type.Array(
    OutputObject({
      id: Id,
      seen: Count,
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
  /** The answers to each question, in the order of the steps. */
  questions: Type.Array(Distribution),
});
export type Stats = Static<typeof Stats>;

export const GetStats = Type.Object({
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  by: OneOf(['day'], { default: 'day' }),
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

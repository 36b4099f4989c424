import {
  type ExperienceKind,
  type GoalResults,
  isRecent,
  type Millis,
  startOfDay,
  toDate,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { getExperience } from '../../experiences/queries.ts';
import { type DayParams, readDayRange } from '../stats/answers-in.ts';
import { type GoalRun, readGoalRun } from './goal-count-run.ts';
import { goalsFingerprint, loadSegments, resolveGoals } from './resolve-goals.ts';

const DAY_MS: Millis = 24 * 60 * 60_000;
/** Counts that took so long are made for each request. */
const QUICK_MS: Millis = 100;
/** Others are old when this many times the time that they took has passed, so that counting is a small part of the work. */
const TIMES_THE_WORK = 20;
const MIN_AGE_MS: Millis = 5000;
const MAX_AGE_MS: Millis = 10 * 60_000;

/** Reads stored counts, and has them made again in the background when they are old. */
export async function showGoalResults(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  params: DayParams,
): Promise<GoalResults> {
  const { draft } = await getExperience(ctx, kind, id);
  const range = await readDayRange(ctx, params);
  const goals = await resolveGoals(ctx, draft);
  const events_since = ctx.now() - ctx.app.activity.eventsDays * DAY_MS;
  const isEarly = startOfDay(range.first, range.timeZone) < events_since;
  const common = { from: toDate(range.first), until: toDate(range.last), events_since: toTimestamp(events_since) };
  if (goals.length === 0) return { ...common, counted_at: null, counting: null, people: null, goals: [] };
  const fingerprint = goalsFingerprint(goals, await loadSegments(ctx, goals), range.timeZone);
  const run = await updateGoalCounts(ctx, id, fingerprint);
  const isCounted = run?.fingerprint === fingerprint;
  const sums = isCounted ? await readCounts(ctx, id, range) : undefined;
  return {
    ...common,
    counted_at: isCounted ? toTimestampOrNull(run.counted_at) : null,
    counting: run?.share === undefined ? null : { share: run.share },
    people: sums ? (sums.get('')?.people ?? 0) : null,
    goals: goals.map((goal) => ({
      ...goal,
      people: sums ? (sums.get(goal.id)?.people ?? 0) : null,
      sum: sums && goal.sum_property !== null ? (sums.get(goal.id)?.value ?? 0) : null,
      is_partial: goal.kind === 'event' && isEarly,
    })),
  };
}

async function updateGoalCounts(ctx: Context, id: string, fingerprint: string): Promise<GoalRun | undefined> {
  const run = await readGoalRun(ctx, id);
  if (run?.share !== undefined || !isOld(ctx, run, fingerprint)) return run;
  await ctx.app.goalCounter.start(ctx.app, ctx.account.id, id);
  return readGoalRun(ctx, id);
}

function isOld(ctx: Context, run: GoalRun | undefined, fingerprint: string): boolean {
  if (run?.fingerprint !== fingerprint || run.counted_at === null || run.took_ms === null) return true;
  if (run.took_ms <= QUICK_MS) return true;
  const maxAge = Math.min(Math.max(run.took_ms * TIMES_THE_WORK, MIN_AGE_MS), MAX_AGE_MS);
  return !isRecent(run.counted_at, ctx.now(), maxAge);
}

/** Everybody first saw the Experience on one day, so days can be summed. */
async function readCounts(ctx: Context, id: string, { first, lastOfRows }: { first: number; lastOfRows: number }) {
  const rows = await ctx.heavyDb
    .selectFrom('goal_counts')
    .select(({ fn }) => ['goal_id', fn.sum<number>('people').as('people'), fn.sum<number>('value').as('value')])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('day', '>=', first)
    .where('day', '<=', lastOfRows)
    .groupBy('goal_id')
    .execute();
  return new Map(rows.map(({ goal_id, people, value }) => [goal_id, { people: Number(people), value: Number(value) }]));
}

import { type Condition, type ExperimentResults, type GoalNumbers, summarizeExperiment } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { conditionSql, usesCompany } from '../../audience/filters/condition-sql.ts';
import { segmentScope } from '../../audience/filters/segment-scope.ts';
import { segmentsOf } from '../../audience/filters/segments.ts';
import { type ExperimentRow, getExperiment, stateOfExperiment } from '../../delivery/experiment-records/queries.ts';
import { loadGoals } from '../../experiences/shared-goals.ts';
import type { GoalScope } from '../goals/goal-sql.ts';
import { countExposures, countPerDay } from './count-exposures.ts';
import { audienceSql, countPast, countReached } from './count-reached.ts';

const DAY_MS = 24 * 60 * 60_000;
/** With fewer complete people, the past of the account says more about its rates. */
const ENOUGH_PEOPLE = 200;

/** Counts what the people of an experiment did, from the rows: every person and every event, and no test user. */
export async function showResults(ctx: Context, id: string): Promise<ExperimentResults> {
  const row = await getExperiment(ctx, id);
  const scope = segmentScope(ctx, await segmentsOf(ctx).execute());
  const { arms, countsByShares } = await countExposures(ctx, row);
  const complete = [...arms.values()].reduce((sum, arm) => sum + arm.complete, 0);
  const state = stateOfExperiment(row);
  const past = complete < ENOUGH_PEOPLE && state !== 'ended' ? pastOf(ctx, row, scope) : undefined;
  return summarizeExperiment({
    ...{ id, state, arms, countsByShares, now: ctx.now() },
    variants: row.variants,
    shareChanges: row.share_changes,
    windowDays: row.window_days,
    smallestChange: row.smallest_change,
    peoplePerDay: state === 'draft' && past ? await past.countPerDay() : await countPerDay(ctx, row),
    goals: await countGoals(ctx, row, scope, past),
  });
}

async function countGoals(
  ctx: Context,
  row: ExperimentRow,
  scope: GoalScope,
  past: Past | undefined,
): Promise<GoalNumbers[]> {
  const ids = [...new Set([...row.goal_ids, ...row.guardrail_goal_ids])];
  const goals = await loadGoals(ctx, ids);
  const counted: GoalNumbers[] = [];
  for (const [at, id] of ids.entries()) {
    const goal = goals.get(id);
    if (!goal) continue;
    const { name, definition } = goal;
    counted.push({
      ...{ id, name, sums: definition.sum_property !== null },
      role: at >= row.goal_ids.length ? 'guardrail' : at === 0 ? 'primary' : 'secondary',
      arms: row.started_at === null ? new Map() : await countReached(ctx, row, definition, scope),
      past: await past?.count(definition),
    });
  }
  return counted;
}

type Past = ReturnType<typeof pastOf>;

/** What people of the account that the experiment is for did before. */
function pastOf(ctx: Context, row: ExperimentRow, scope: GoalScope) {
  const condition: Condition = {
    is: row.segments_op === 'or' && row.segment_ids.length > 0 ? 'any' : 'all',
    of: row.segment_ids.map((id) => ({ is: 'in segment', id })),
  };
  const companies = usesCompany(condition, scope.segment)
    ? sql`left join companies on companies.account_id = profiles.account_id and companies.id = profiles.company_id`
    : sql``;
  const from = ctx.now() - row.window_days * DAY_MS;
  const people = audienceSql(ctx, conditionSql(condition, scope), companies, from);
  return {
    count: (goal: Parameters<typeof countPast>[3]) => countPast(ctx, people, row, goal, scope),
    countPerDay: async () => {
      const query = sql<{ count: number }>`select count(*) as count from (${people}) as everybody`;
      return Number((await query.execute(ctx.heavyDb)).rows[0]?.count ?? 0) / row.window_days;
    },
  };
}

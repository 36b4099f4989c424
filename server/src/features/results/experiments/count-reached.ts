import type { ArmSample, GoalRule, Millis, ReachedNumbers } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { type BoolSql, inParens } from '../../audience/filters/bool-sql.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';
import type { ExperimentRow } from '../../delivery/experiment-records/queries.ts';
import { type GoalScope, goalSql } from '../goals/goal-sql.ts';
import { completeBefore } from './count-exposures.ts';

interface Found {
  variant_id: string;
  is_complete: number;
  reached: number;
  sum: number | null;
  squares: number | null;
}

/** Counts who reached a goal within the days of the experiment, by their arm. */
export async function countReached(
  ctx: Context,
  experiment: ExperimentRow,
  goal: GoalRule,
  scope: GoalScope,
): Promise<Map<string, ReachedNumbers>> {
  const account = ctx.account.id;
  const people = sql`select profile_id, exposed_at as from_at from exposures
    where account_id = ${account} and experiment_id = ${experiment.id} and ${withoutTestUsers(account)}`;
  const met = goalSql({ ...goal, within_days: experiment.window_days }, people, scope);
  const query: RawBuilder<Found> = sql`
    select own.variant_id, own.is_complete, count(*) as reached,
      sum(own.value) as sum, sum(own.value * own.value) as squares
    from (
      select exposures.variant_id, met.value,
        case when exposures.exposed_at < ${completeBefore(experiment, ctx.now())} then 1 else 0 end as is_complete
      from (${met}) as met
        join exposures on exposures.account_id = ${account} and exposures.profile_id = met.profile_id
          and exposures.experiment_id = ${experiment.id}
    ) as own
    group by own.variant_id, own.is_complete`;
  const { rows } = await query.execute(ctx.heavyDb);
  const arms = new Map<string, ReachedNumbers>();
  for (const { variant_id, is_complete, reached, sum, squares } of rows) {
    const before = arms.get(variant_id) ?? { reached: 0, reachedSoFar: 0, sum: 0, squares: 0 };
    const share = Number(is_complete);
    arms.set(variant_id, {
      reached: before.reached + share * Number(reached),
      reachedSoFar: before.reachedSoFar + Number(reached),
      sum: before.sum + share * Number(sum ?? 0),
      squares: before.squares + share * Number(squares ?? 0),
    });
  }
  return arms;
}

interface Past {
  count: number;
  reached: number;
  sum: number | null;
  squares: number | null;
}

/**
 * What people for whom the experiment is did in as many days, from `from` on: people who were seen since. A draft has nobody yet, and
 * these rates say how long it will take.
 */
export async function countPast(
  ctx: Context,
  people: RawBuilder<unknown>,
  { window_days }: ExperimentRow,
  goal: GoalRule,
  scope: GoalScope,
): Promise<ArmSample> {
  const met = goalSql({ ...goal, within_days: window_days }, people, scope);
  const query: RawBuilder<Past> = sql`select (select count(*) from (${people}) as everybody) as count,
      count(*) as reached, sum(met.value) as sum, sum(met.value * met.value) as squares
    from (${met}) as met`;
  const [found] = (await query.execute(ctx.heavyDb)).rows;
  const reached = Number(found?.reached ?? 0);
  const count = Number(found?.count ?? 0);
  if (goal.sum_property === null) return { count, sum: reached, squares: reached };
  return { count, sum: Number(found?.sum ?? 0), squares: Number(found?.squares ?? 0) };
}

/** The people that an experiment is for and that were seen since this time, with that time as `from_at`. */
export function audienceSql(ctx: Context, condition: BoolSql, companies: RawBuilder<unknown>, from: Millis) {
  return sql`select profiles.id as profile_id, cast(${from} as bigint) as from_at from profiles ${companies}
    where profiles.account_id = ${ctx.account.id} and not profiles.is_test and profiles.last_seen_at >= ${from}
      and ${inParens(condition)}`;
}

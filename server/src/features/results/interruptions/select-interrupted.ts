import { findInterruptedProblems, type InterruptedPeople, weekOf } from '@usher/domain';
import { type SqlBool, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { PeopleQuery, SelectedPeople } from '../people/select-people.ts';
import { readDayRange } from '../stats/answers-in.ts';

/** Selects the people of a bucket, without test users. */
export async function selectInterrupted(ctx: Context, params: InterruptedPeople): Promise<SelectedPeople> {
  const problems = findInterruptedProblems(params);
  if (problems.length > 0) throw invalid(...problems);
  const { week, measure, least, most } = params;
  const { first: day } = await readDayRange(ctx, { from: week, until: week });
  const first = weekOf(day);
  const all = ctx.heavyDb
    .selectFrom('profiles')
    .where('profiles.account_id', '=', ctx.account.id) as unknown as PeopleQuery;
  const used = sql`(select coalesce(sum(${sql.ref(`a.${measure}`)}), 0) from interruption_days as a
    where a.account_id = ${ctx.account.id} and a.profile_id = profiles.id and a.day >= ${first} and a.day <= ${first + 6})`;
  const range = sql<SqlBool>`${used} >= ${least}`;
  const matching = all.where(sql<SqlBool>`not profiles.is_test`).where(range);
  return {
    idColumn: 'profiles.id',
    all,
    matching: () => (most === undefined ? matching : matching.where(sql<SqlBool>`${used} <= ${most}`)),
  };
}

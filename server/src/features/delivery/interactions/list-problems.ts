import { type ExperienceKind, type Millis, type Problem, parseDayRange, toTimestamp } from '@usher/domain';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { invalid } from '../../../errors.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';
import { getExperience } from '../../experiences/queries.ts';

const MAX_PROBLEMS = 200;

/** Lists the steps that users did not see because of a problem, and on which pages. The most users come first. */
export async function listProblems(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  days: { from?: Millis; until?: Millis },
): Promise<Problem[]> {
  await getExperience(ctx, kind, id);
  const range = parseDayRange(days, ctx.now());
  if ('problem' in range) throw invalid(range.problem);
  const findings = ctx.heavyDb
    .selectFrom('findings')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('day', '>=', range.first)
    .where('day', '<=', range.last)
    .where(withoutTestUsers(ctx.account.id));
  const rows = await findings
    .select(({ fn }) => [
      ...problemKey,
      fn.count<number>('profile_id').distinct().as('users'),
      sql<Millis>`min(coalesce(first_at, at))`.as('first_at'),
      fn.max('at').as('last_at'),
    ])
    .where('finding', '<>', 'found')
    .groupBy(problemKey)
    .orderBy('users', 'desc')
    .orderBy('part_id')
    .orderBy('path')
    .orderBy('finding')
    .limit(MAX_PROBLEMS)
    .execute();
  if (rows.length === 0) return [];
  const listed = findings.where('path', 'in', [...new Set(rows.map(({ path }) => path))]);
  const affected = await listed
    .select(({ fn }) => [...problemKey, 'browser', fn.count<number>('profile_id').distinct().as('users')])
    .where('finding', '<>', 'found')
    .groupBy([...problemKey, 'browser'])
    .orderBy('users', 'desc')
    .orderBy('browser')
    .execute();
  const all = await countBy(listed, ['part_id', 'path']);
  const allInBrowser = await countBy(listed, ['part_id', 'path', 'browser']);
  const browsersOf = new Map<string, Problem['browsers']>(rows.map((row) => [keyOf(row), []]));
  for (const { browser, users, ...problem } of affected) {
    const share = users / (allInBrowser.get(`${problem.part_id} ${problem.path} ${browser}`) ?? users);
    browsersOf.get(keyOf(problem))?.push({ browser, users_count: users, share });
  }
  return rows.map((row) => {
    const { part_id: step_id, path, finding, users: users_count, first_at, last_at } = row;
    return {
      ...{ step_id, path, reason: finding as Problem['reason'], users_count },
      share: users_count / (all.get(`${step_id} ${path}`) ?? users_count),
      browsers: browsersOf.get(keyOf(row)) ?? [],
      first_seen_at: toTimestamp(first_at),
      last_seen_at: toTimestamp(last_at),
    };
  });
}

const problemKey = ['part_id', 'path', 'finding'] as const;

function keyOf({ part_id, path, finding }: Record<(typeof problemKey)[number], string>): string {
  return `${part_id} ${finding} ${path}`;
}

/** Counts all users for whom something was found or not, by the values of these columns. */
async function countBy(
  findings: SelectQueryBuilder<Schema, 'findings', object>,
  columns: readonly ('part_id' | 'path' | 'browser')[],
): Promise<Map<string, number>> {
  const rows = await findings
    .select(({ fn }) => [...columns, fn.count<number>('profile_id').distinct().as('users')])
    .groupBy(columns)
    .execute();
  return new Map(rows.map((row) => [columns.map((column) => row[column]).join(' '), row.users]));
}

import { type ExperienceKind, type Millis, type Problem, parseDayRange, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { getExperience } from '../experiences/queries.ts';
import { withoutTestUsers } from '../profiles/without-test-users.ts';

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
      ...(['part_id', 'path', 'finding'] as const),
      fn.count<number>('profile_id').distinct().as('users'),
      fn.max('at').as('last_at'),
    ])
    .where('finding', '<>', 'found')
    .groupBy(['part_id', 'path', 'finding'])
    .orderBy('users', 'desc')
    .orderBy('part_id')
    .orderBy('path')
    .orderBy('finding')
    .limit(MAX_PROBLEMS)
    .execute();
  if (rows.length === 0) return [];
  const all = await findings
    .select(({ fn }) => ['part_id', 'path', fn.count<number>('profile_id').distinct().as('users')])
    .groupBy(['part_id', 'path'])
    .execute();
  const usersByPart = new Map(all.map(({ part_id, path, users }) => [`${part_id} ${path}`, users]));
  return rows.map(({ part_id, path, finding, users, last_at }) => ({
    step_id: part_id,
    path,
    reason: finding as Problem['reason'],
    users_count: users,
    share: users / (usersByPart.get(`${part_id} ${path}`) ?? users),
    last_seen_at: toTimestamp(last_at),
  }));
}

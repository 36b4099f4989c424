import { type AttentionEntry, dayOf, toTimestamp } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { isLive } from '../../published/is-live.ts';
import { withoutTestUsers } from '../profiles/without-test-users.ts';

const DAYS = 7;

/**
 * Finds the live Experiences with a step that fails now, and how many people did not see it in the last days. A step fails
 * on a path if nobody has found its element there since the last problem, or if half of the people did not.
 */
export async function findFailingTargets(ctx: Context, limit: number): Promise<AttentionEntry[]> {
  const now = ctx.now();
  const firstDay = dayOf(now) - DAYS + 1;
  const failing = ctx.heavyDb
    .selectFrom('findings')
    .select(['experience_id', 'part_id', 'path'])
    .where('account_id', '=', ctx.account.id)
    .where('day', '>=', firstDay)
    .where(withoutTestUsers(ctx.account.id))
    .where((eb) =>
      eb(
        'experience_id',
        'in',
        eb
          .selectFrom('experiences')
          .select('id')
          .where('account_id', '=', ctx.account.id)
          .where((eb) => isLive(eb, now)),
      ),
    )
    .groupBy(['experience_id', 'part_id', 'path'])
    .having(
      sql<boolean>`max(case when finding <> 'found' then at else 0 end) > max(case when finding = 'found' then at else 0 end)
        or 2 * count(distinct case when finding <> 'found' then profile_id end) >= count(distinct profile_id)`,
    )
    .as('failing');
  const rows = await ctx.heavyDb
    .selectFrom('findings')
    .innerJoin(failing, (join) =>
      join
        .onRef('failing.experience_id', '=', 'findings.experience_id')
        .onRef('failing.part_id', '=', 'findings.part_id')
        .onRef('failing.path', '=', 'findings.path'),
    )
    .innerJoin('experiences', (join) =>
      join.on('experiences.account_id', '=', ctx.account.id).onRef('experiences.id', '=', 'findings.experience_id'),
    )
    .select(({ fn }) => [
      ...(['experiences.id', 'experiences.kind', 'experiences.draft'] as const),
      fn.count<number>('findings.profile_id').distinct().as('people'),
      fn.min('findings.at').as('since'),
    ])
    .where('findings.account_id', '=', ctx.account.id)
    .where('findings.day', '>=', firstDay)
    .where('findings.finding', '<>', 'found')
    .where(withoutTestUsers(ctx.account.id, 'findings.profile_id'))
    .groupBy(['experiences.account_id', 'experiences.id'])
    .orderBy('people', 'desc')
    .orderBy('experiences.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, kind, draft, people, since }) => ({
    type: 'target_failing',
    severity: 'error',
    since: toTimestamp(since),
    count: people,
    target: { type: kind, id, name: draft.name },
  }));
}

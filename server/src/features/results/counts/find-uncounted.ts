import { reachScopes } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import { hasMissingReach } from './fill-reach.ts';
import type { CountsContext } from './use-counts.ts';
import { usersIn } from './use-counts.ts';

/**
 * Returns the Experiences whose counts are not those of their rows: a version without counts has written them. Each comparison is one
 * statement, so it sees one state of the account, needs no lock, and is exact while others write.
 */
export async function findUncounted({
  account,
  db,
  dialect,
}: Pick<CountsContext, 'account' | 'db' | 'dialect'>): Promise<string[]> {
  const users = usersIn({ account }, {});
  const ofAccount = sql`where account_id = ${account.id}`;
  const comparisons: RawBuilder<{ experience_id: string }>[] = [
    differing(
      sql`select a.experience_id, '' as name, count(*) as count from responses as a ${users} group by a.experience_id`,
      sql`select experience_id, segment_id as name, count from response_counts ${ofAccount} and segment_id = ''`,
    ),
    differing(
      sql`select a.experience_id, a.what as name, count(*) as count from activities as a ${users} group by a.experience_id, a.what`,
      sql`select experience_id, what as name, sum(count) as count from activity_counts ${ofAccount} group by experience_id, what`,
    ),
    differing(
      sql`select a.experience_id, a.what as name, count(*) as count from activities as a ${users}
        and a.experience_id not in (${sql.join(reachScopes)}) group by a.experience_id, a.what`,
      sql`select experience_id, what as name, sum(count) as count from version_counts ${ofAccount} group by experience_id, what`,
    ),
    differing(
      sql`select experience_id, step_id as name, count(*) as count from (
          select distinct a.profile_id, a.experience_id, a.day, a.step_id,
            coalesce(a.button_id, '') as button_id, coalesce(item.value ->> 'id', a.value, '') as value
          from answers as a left join ${dialect.json.items(sql.ref('a.choices'))} on true ${users}
        ) as given group by experience_id, step_id`,
      sql`select experience_id, step_id as name, sum(count) as count from answer_counts ${ofAccount} group by experience_id, step_id`,
    ),
    ...(['started', 'completed', 'exited', 'displayed'] as const).map((state) =>
      differing(
        sql`select a.experience_id, '' as name, count(${sql.ref(`a.${state}_at`)}) as count
          from interactions as a ${users} group by a.experience_id`,
        sql`select experience_id, '' as name, ${sql.ref(`${state}_count`)} as count from experience_counts ${ofAccount}`,
      ),
    ),
    sql`select distinct experience_id from answers ${ofAccount} and day is null`,
  ];
  const found = new Set<string>();
  for (const comparison of comparisons)
    for (const { experience_id } of (await comparison.execute(db)).rows) found.add(experience_id);
  // Each scope is made again from the rows of all Experiences, so it comes after them.
  if (await hasMissingReach({ account, db })) for (const scope of reachScopes) found.add(scope);
  return [...found];
}

/** Experiences for which two queries count differently. What only one of them has, it must have counted as 0. */
function differing(rows: RawBuilder<unknown>, counts: RawBuilder<unknown>): RawBuilder<{ experience_id: string }> {
  return sql`select experience_id from (
      select experience_id, name, count from (${rows}) as made
      union all select experience_id, name, -count from (${counts}) as kept
    ) as compared
    group by experience_id, name having sum(count) <> 0`;
}

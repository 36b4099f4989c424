import { ALL_EXPERIENCES, reachMeasures } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { CountsContext } from './use-counts.ts';

type ReachContext = Pick<CountsContext, 'account' | 'db'>;

/** The scopes that an Experience is in, as SQL. */
const scopes = [sql.lit(ALL_EXPERIENCES), sql`${sql.lit(`${ALL_EXPERIENCES}-`)} || experiences.kind`];

/**
 * Stores what users did with any Experience, where the version before has not. Of an Experience that is being deleted, nothing is stored.
 * @param inScope the condition of rows `a`
 */
export async function fillReach(ctx: ReachContext, inScope: RawBuilder<unknown>): Promise<void> {
  for (const scope of scopes)
    await sql`insert into activities (account_id, profile_id, experience_id, what, part_id, day, url_group_id)
      select ${ctx.account.id}, profile_id, experience_id, what, '', day, url_group_id
      from (
        select a.profile_id, a.experience_id, a.what, a.day, a.url_group_id, row_number() over (
          partition by a.profile_id, a.experience_id, a.what, a.day order by coalesce(a.at, 0), a.first_id) as nth
        from (${reachOf(ctx, scope)}) as a
        where 1 = 1 ${inScope}
      ) as reached
      where nth = 1 and not ${isKnown(ctx, 'reached')}
      on conflict do nothing`.execute(ctx.db);
}

/** Whether the reach lacks a row for something that users did. */
export async function hasMissingReach(ctx: ReachContext): Promise<boolean> {
  for (const scope of scopes) {
    const { rows } = await sql`select 1 from (${reachOf(ctx, scope)}) as a
      where not ${isKnown(ctx, 'a')} limit 1`.execute(ctx.db);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Whether a row of a scope is stored already. */
function isKnown({ account }: ReachContext, row: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  return sql`exists (
    select 1 from activities as known
    where known.account_id = ${account.id} and known.profile_id = ${column('profile_id')}
      and known.experience_id = ${column('experience_id')} and known.what = ${column('what')} and known.part_id = ''
      and known.day = ${column('day')}
  )`;
}

/** What users did with Experiences, as rows of a scope. */
function reachOf({ account }: Pick<CountsContext, 'account'>, scope: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select done.profile_id, ${scope} as experience_id, done.what, done.day, done.url_group_id, done.at,
      done.experience_id as first_id
    from activities as done
    join experiences on experiences.account_id = ${account.id} and experiences.id = done.experience_id
    where done.account_id = ${account.id} and done.what in (${sql.join(reachMeasures)}) and done.part_id = ''`;
}

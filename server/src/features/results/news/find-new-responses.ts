import { firstIdAt, listKindsWith, type Millis } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { hasWritten } from '../responses/queries.ts';

const MAX_SURVEYS = 50;
/** More Responses are not counted, so that a survey with very many does not keep others waiting. */
const MAX_RESPONSES = 10_000;

/** Counts the Responses since a time, and those with a comment, for each survey that has any; the most first. */
export async function findNewResponses(
  ctx: Context,
  rows: readonly ExperienceRow[],
  since: Millis,
): Promise<{ row: ExperienceRow; count: number; comments: number }[]> {
  const asking: readonly string[] = listKindsWith('asks');
  const surveys = rows.filter(({ kind }) => asking.includes(kind)).slice(0, MAX_SURVEYS);
  const counted = await Promise.all(
    surveys.map(async (row) => ({ row, ...(await countResponses(ctx, row.id, since)) })),
  );
  return counted.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
}

async function countResponses(ctx: Context, id: string, since: Millis): Promise<{ count: number; comments: number }> {
  const account = ctx.account.id;
  const { rows } = await sql<{ count: number; comments: number }>`
    select count(*) as count, coalesce(sum(has_comment), 0) as comments from (
      select case when exists (
        select 1 from answers as a where a.account_id = ${account} and a.response_id = responses.id and ${hasWritten}
      ) then 1 else 0 end as has_comment
      from responses join profiles on profiles.account_id = ${account} and profiles.id = responses.profile_id
      where responses.account_id = ${account} and responses.experience_id = ${id} and responses.id >= ${firstIdAt(since)}
        and not profiles.is_test
      limit ${sql.lit(MAX_RESPONSES)}
    ) as new_responses`.execute(ctx.heavyDb);
  const [found] = rows;
  return { count: Number(found?.count ?? 0), comments: Number(found?.comments ?? 0) };
}

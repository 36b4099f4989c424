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

async function countResponses(
  { heavyDb: db, account }: Context,
  id: string,
  since: Millis,
): Promise<{ count: number; comments: number }> {
  const found = db
    .selectFrom('responses')
    .innerJoin('profiles', (join) =>
      join.on('profiles.account_id', '=', account.id).onRef('profiles.id', '=', 'responses.profile_id'),
    )
    .select((responses) => {
      const written = responses
        .selectFrom('answers as a')
        .select('a.step_id')
        .where('a.account_id', '=', account.id)
        .whereRef('a.response_id', '=', 'responses.id')
        .where(hasWritten);
      return sql<number>`case when exists ${written} then 1 else 0 end`.as('has_comment');
    })
    .where('responses.account_id', '=', account.id)
    .where('responses.experience_id', '=', id)
    .where('responses.id', '>=', firstIdAt(since))
    .where('profiles.is_test', '=', false)
    .limit(MAX_RESPONSES);
  const { count, comments } = await db
    .selectFrom(found.as('found'))
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('has_comment').as('comments')])
    .executeTakeFirstOrThrow();
  return { count: Number(count), comments: Number(comments ?? 0) };
}

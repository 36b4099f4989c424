import { listKindsWith, type ResponseTag } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { checkExperience } from '../../experiences/queries.ts';

const MAX_TAGS = 500;

/** Lists the Tags of the Responses to a survey, those with the most Responses first. */
export async function listResponseTags(ctx: Context, id: string): Promise<ResponseTag[]> {
  await checkExperience(ctx, id, ...listKindsWith('asks'));
  const rows = await ctx.heavyDb
    .selectFrom('response_tags')
    .select(({ fn }) => ['name', fn.countAll<number>().as('count')])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .groupBy('name')
    .orderBy('count', 'desc')
    .orderBy('name')
    .limit(MAX_TAGS)
    .execute();
  return rows.map(({ name, count }) => ({ name, count: Number(count) }));
}

import type { Response } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { countAnswers } from '../counts/use-counts.ts';
import { presentResponses } from './present-responses.ts';

/** Segments are computed from the stored answers, and the counts change with them. */
export async function deleteResponse(ctx: Context, id: string): Promise<Response> {
  return ctx.transaction(async (ctx) => {
    const scope = await lockUserOf(ctx, id);
    const { db, account } = ctx;
    const query = db.selectFrom('responses').selectAll().where('account_id', '=', account.id).where('id', '=', id);
    const [response] = await presentResponses(ctx, await query.execute(), { profile: 'min', company: 'min' });
    if (!response) throw notFound('response');
    await countAnswers(ctx, scope, async () => {
      for (const table of ['answers', 'response_tags'] as const)
        await db.deleteFrom(table).where('account_id', '=', account.id).where('response_id', '=', id).execute();
      await db.deleteFrom('responses').where('account_id', '=', account.id).where('id', '=', id).execute();
    });
    return response;
  });
}

/** Transactions that add answers lock the user too, so none is added to a Response that is being deleted. */
async function lockUserOf(ctx: Context, responseId: string): Promise<{ profileIds: string[]; experienceId: string }> {
  const response = await ctx.db
    .selectFrom('responses')
    .select(['profile_id', 'experience_id'])
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', responseId)
    .executeTakeFirst();
  if (!response) throw notFound('response');
  await ctx.dialect
    .lockRows(
      ctx.db
        .selectFrom('profiles')
        .select('id')
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', response.profile_id),
    )
    .execute();
  return { profileIds: [response.profile_id], experienceId: response.experience_id };
}

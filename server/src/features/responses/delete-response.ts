import type { Response } from '@usher/domain';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { presentResponses } from './queries.ts';

/** Counts and Segments are made of the answers that are there: a deleted Response is in none of them any more. */
export async function deleteResponse(ctx: Context, id: string): Promise<Response> {
  return ctx.transaction(async (ctx) => {
    const rows = await ctx.db
      .deleteFrom('responses')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .execute();
    const [response] = await presentResponses(ctx, rows, { profile: 'min', company: 'min' });
    if (!response) throw notFound('response');
    await ctx.db.deleteFrom('answers').where('account_id', '=', ctx.account.id).where('response_id', '=', id).execute();
    return response;
  });
}

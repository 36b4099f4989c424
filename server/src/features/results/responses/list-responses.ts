import { type Expand, listKindsWith, type Response } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type OrderedPage, type OrderedPageParameters, readOrderedPage } from '../../../db/pagination/ordered-page.ts';
import { checkExperience } from '../../experiences/queries.ts';
import { presentResponses } from './present-responses.ts';

export async function listResponses(
  ctx: Context,
  { id, expand, ...page }: OrderedPageParameters & { id: string; expand: Expand },
): Promise<{ responses: Response[]; cursor: OrderedPage<unknown>['cursor'] }> {
  await checkExperience(ctx, id, ...listKindsWith('asks'));
  const query = ctx.db.selectFrom('responses').selectAll().where('account_id', '=', ctx.account.id);
  const { rows, cursor } = await readOrderedPage(query.where('experience_id', '=', id), page);
  return { responses: await presentResponses(ctx, rows, expand), cursor };
}

import { type Expand, listKindsWith, type Response, type ResponseFilters } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { OrderedPage } from '../../../db/pagination/ordered-page.ts';
import { checkExperience } from '../../experiences/queries.ts';
import { findResponses, type ResponsePage } from './find-responses.ts';
import { type DetailParams, presentResponses } from './present-responses.ts';

export async function listResponses(
  ctx: Context,
  params: ResponsePage & ResponseFilters & DetailParams & { id: string; expand: Expand },
): Promise<{ responses: Response[]; cursor: OrderedPage<unknown>['cursor'] }> {
  const { limit, before, after, order, expand, details, properties, ...filters } = params;
  await checkExperience(ctx, filters.id, ...listKindsWith('asks'));
  const { rows, cursor } = await findResponses(ctx, filters, { limit, before, after, order });
  return { responses: await presentResponses(ctx, rows, expand, { details, properties }), cursor };
}

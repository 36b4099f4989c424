import { type Expand, listKindsWith, type Response, type ResponseFilters } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { checkExperience } from '../../experiences/queries.ts';
import { type FoundResponses, findResponses, type ResponsePage } from './find-responses.ts';
import { type DetailParams, presentResponses } from './present-responses.ts';

export async function listResponses(
  ctx: Context,
  params: ResponsePage & ResponseFilters & DetailParams & { id: string; expand: Expand },
): Promise<{ responses: Response[]; is_complete?: boolean; cursor: FoundResponses['cursor'] }> {
  const { limit, before, after, order, expand, details, properties, ...filters } = params;
  await checkExperience(ctx, filters.id, ...listKindsWith('asks'));
  const { rows, isComplete, cursor } = await findResponses(ctx, filters, { limit, before, after, order });
  const responses = await presentResponses(ctx, rows, expand, { details, properties });
  return { responses, ...(isComplete !== undefined && { is_complete: isComplete }), cursor };
}

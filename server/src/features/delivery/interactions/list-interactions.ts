import type { Expand, TourInteraction } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type OrderedPage, type OrderedPageParameters, readOrderedPage } from '../../../db/pagination/ordered-page.ts';
import { checkExperience } from '../../experiences/queries.ts';
import { presentInteractions, selectInteractions } from './show-interaction.ts';

/** Lists the Interactions of an Experience of any kind. */
export async function listInteractions(
  ctx: Context,
  { id, expand, ...page }: OrderedPageParameters & { id: string; expand: Expand },
): Promise<{ interactions: TourInteraction[]; cursor: OrderedPage<unknown>['cursor'] }> {
  await checkExperience(ctx, id);
  const { rows, cursor } = await readOrderedPage(selectInteractions(ctx).where('experience_id', '=', id), page);
  return { interactions: await presentInteractions(ctx, rows, expand), cursor };
}

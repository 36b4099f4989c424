import type { Delivery } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { notFound } from '../../../errors.ts';
import { getProfile } from '../../audience/profiles/queries.ts';
import { presentDelivery } from './present-delivery.ts';
import { deliveriesOf } from './queries.ts';

interface ListParams extends PageParameters {
  model_id?: string;
  profile_id?: string;
}

export async function listDeliveries(
  ctx: Context,
  { model_id, profile_id, ...page }: ListParams,
): Promise<{ deliveries: Delivery[]; cursor: ListPage<unknown>['cursor'] }> {
  let query = deliveriesOf(ctx);
  if (model_id !== undefined) {
    await checkModelExists(ctx, model_id);
    query = query.where('model_id', '=', model_id);
  }
  if (profile_id !== undefined) {
    await getProfile(ctx, { id: profile_id });
    query = query.where('profile_id', '=', profile_id);
  }
  const { rows, cursor } = await listPage(query, page);
  return { deliveries: rows.map(presentDelivery), cursor };
}

export async function checkModelExists(ctx: Context, id: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('Experience');
}

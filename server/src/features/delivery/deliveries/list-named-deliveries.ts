import type { Context } from '../../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../../db/pagination/list-page.ts';
import { checkModelExists } from './list-deliveries.ts';
import { type NamedDelivery, nameDeliveries } from './named-deliveries.ts';
import { type DeliveryRow, deliveriesOf } from './queries.ts';

/** Lists Deliveries with names, also the ones that the server removed. Canceled and dropped Deliveries are left out. */
export async function listNamedDeliveries(
  ctx: Context,
  { model_id, ...page }: PageParameters & { model_id?: string },
): Promise<{ deliveries: NamedDelivery[]; cursor: ListPage<unknown>['cursor'] }> {
  const { rows, cursor } = await (model_id === undefined ? listAll(ctx, page) : listOfModel(ctx, model_id, page));
  return { deliveries: await nameDeliveries(ctx, rows), cursor };
}

function listAll(ctx: Context, page: PageParameters): Promise<ListPage<DeliveryRow>> {
  const query = ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where((is) => is.or([is('removed_at', 'is', null), is('removed_reason', 'is not', null)]));
  return listPage(query, page);
}

/** Two ranges of two indexes, merged: one query with `or` would read all Deliveries of the account. */
async function listOfModel(ctx: Context, modelId: string, page: PageParameters): Promise<ListPage<DeliveryRow>> {
  await checkModelExists(ctx, modelId);
  const removed = ctx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('removed_reason', 'is not', null);
  const lists = [
    await listPage(deliveriesOf(ctx).where('model_id', '=', modelId), page),
    await listPage(removed.where('model_id', '=', modelId), page),
  ];
  const { limit } = lists[0]?.cursor ?? page;
  const merged = lists.flatMap(({ rows }) => rows).sort((one, other) => (one.id < other.id ? 1 : -1));
  const rows = merged.slice(0, limit);
  const hasMore = merged.length > limit || lists.some(({ cursor }) => cursor.before !== null);
  return { rows, cursor: { limit, before: hasMore ? (rows.at(-1)?.id ?? null) : null } };
}

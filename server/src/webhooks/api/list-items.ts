import type { ItemState, WebhookItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { presentItem } from '../present-webhook.ts';
import { getWebhook, itemsOf } from '../queries.ts';

export async function listItems(
  ctx: Context,
  { id, state, ...page }: PageParameters & { id: string; state?: ItemState },
): Promise<{ items: WebhookItem[]; cursor: ListPage<unknown>['cursor'] }> {
  await getWebhook(ctx, id);
  let query = itemsOf(ctx, id);
  if (state !== undefined) query = query.where('state', '=', state);
  const { rows, cursor } = await listPage(query, page);
  return { items: rows.map(presentItem), cursor };
}

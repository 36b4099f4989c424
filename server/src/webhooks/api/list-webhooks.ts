import type { ShownWebhook } from '@usher/domain';
import type { Context } from '../../context.ts';
import { type ListPage, listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { presentWebhook, webhooksOf } from '../queries.ts';

export async function listWebhooks(
  ctx: Context,
  page: PageParameters,
): Promise<{ webhooks: ShownWebhook[]; cursor: ListPage<unknown>['cursor'] }> {
  const { rows, cursor } = await listPage(webhooksOf(ctx), page);
  return { webhooks: rows.map(presentWebhook), cursor };
}

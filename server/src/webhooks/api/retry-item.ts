import type { WebhookItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { checkEnabled } from '../check-webhook.ts';
import { presentItem } from '../present-webhook.ts';
import { getItem, getWebhook } from '../queries.ts';

/** Makes an item due now, whatever its state. The attempts of an item that was sent or given up count from zero. */
export async function retryItem(ctx: Context, webhookId: string, id: string): Promise<WebhookItem> {
  const row = await ctx.transaction(async (ctx) => {
    checkEnabled(await getWebhook(ctx, webhookId));
    const now = ctx.now();
    const updated = await ctx.db
      .updateTable('outbox')
      .set(({ ref, ...eb }) => ({
        state: 'pending',
        next_at: eb.case().when('next_at', '<', now).then(ref('next_at')).else(now).end(),
        attempts: eb.case().when('state', '=', 'pending').then(ref('attempts')).else(0).end(),
      }))
      .where('account_id', '=', ctx.account.id)
      .where('webhook_id', '=', webhookId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    // An event that has not been fanned out yet is due anyway.
    return updated ?? getItem(ctx, webhookId, id);
  });
  ctx.app.webhooks.wake(ctx.account.id);
  return presentItem(row);
}

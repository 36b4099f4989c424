import type { WebhookItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { checkEnabled, getItem, getWebhook, presentItem } from '../queries.ts';

/** Sends an item at once, whatever became of it. What was sent or given up begins anew. */
export async function retryItem(ctx: Context, webhookId: string, id: string): Promise<WebhookItem> {
  const row = await ctx.transaction(async (ctx) => {
    checkEnabled(await getWebhook(ctx, webhookId));
    const now = ctx.now();
    const again = await ctx.db
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
    // What is still to be spread is due as it is.
    return again ?? getItem(ctx, webhookId, id);
  });
  ctx.app.webhooks.wake(ctx.account.id);
  return presentItem(row);
}

import type { WebhookItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { checkEnabled, getItem, getWebhook, presentItem } from './queries.ts';

/** Sends an item at once, whatever became of it. What was sent or given up begins anew. */
export async function retryItem(ctx: Context, webhookId: string, id: string): Promise<WebhookItem> {
  const row = await ctx.transaction(async (ctx) => {
    checkEnabled(await getWebhook(ctx, webhookId));
    const before = await getItem(ctx, webhookId, id, true);
    return ctx.db
      .updateTable('outbox')
      .set({
        state: 'pending',
        next_at: Math.min(before.next_at ?? ctx.now(), ctx.now()),
        attempts: before.state === 'pending' ? before.attempts : 0,
      })
      .where('account_id', '=', ctx.account.id)
      .where('webhook_id', '=', webhookId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  ctx.webhooks.wake(ctx.account.id);
  return presentItem(row);
}

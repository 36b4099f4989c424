import type { WebhookItem } from '@usher/domain';
import type { Context } from '../../context.ts';
import { checkEnabled } from '../check-webhook.ts';
import { presentItem } from '../present-webhook.ts';
import { getWebhook } from '../queries.ts';

/** Sends a ping, whatever the topics of the webhook are. */
export async function pingWebhook(ctx: Context, id: string): Promise<WebhookItem> {
  const row = await ctx.transaction(async (ctx) => {
    // The webhook is locked, so that a transaction that deletes it finds the ping too.
    checkEnabled(await getWebhook(ctx, id, true));
    const { account_id, id: itemId, updated_at: now } = (await ctx.clock()).newRow();
    return ctx.db
      .insertInto('outbox')
      .values({
        account_id,
        webhook_id: id,
        id: itemId,
        kind: 'ping',
        payload: '{}',
        attempts: 0,
        next_at: now,
        state: 'pending',
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  ctx.afterCommit(() => ctx.app.webhooks.wake(ctx.account.id));
  return presentItem(row);
}

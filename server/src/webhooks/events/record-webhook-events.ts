import { isSubscribedTo, measureRow, type WebhookEvent } from '@usher/domain';
import type { Context } from '../../context.ts';
import { PreparedStatement } from '../../db/prepared-statement.ts';
import type { PublishedAccount } from '../../published/published-account.ts';

/**
 * Stores events in the transaction of the change itself: one row per event, for all subscribed webhooks. The sender fans
 * them out later. Returns the room that all items will take. If it is not 0, call `ctx.app.webhooks.wake` after the commit.
 */
export async function recordWebhookEvents(
  ctx: Context,
  { webhooks }: Pick<PublishedAccount, 'webhooks'>,
  profile_id: string,
  events: readonly WebhookEvent[],
): Promise<number> {
  let bytes = 0;
  for (const event of events) {
    const subscribed = webhooks.filter((webhook) => isSubscribedTo(webhook, event));
    if (subscribed.length === 0) continue;
    const payload = JSON.stringify(event.payload);
    await ctx.run(insertEvent, {
      id: (await ctx.clock()).newRow().id,
      profile_id,
      kind: event.kind,
      payload,
      repeat_key: event.repeatKey ?? null,
      webhook_ids: subscribed.map(({ id }) => id).join(' '),
      at: ctx.now(),
    });
    bytes += subscribed.length * measureRow('webhookItem', { plain: [payload] });
  }
  return bytes;
}

type Column = 'id' | 'profile_id' | 'kind' | 'payload' | 'repeat_key' | 'webhook_ids' | 'at';

/** An event that is reported again stays as it was recorded first. */
const insertEvent = new PreparedStatement<never, Column>(`
  insert into webhook_events (account_id, id, profile_id, kind, payload, repeat_key, webhook_ids, at)
  values (:account, :id, :profile_id, :kind, :payload, :repeat_key, :webhook_ids, :at)
  on conflict do nothing`);

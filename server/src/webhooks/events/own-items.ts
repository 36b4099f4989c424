import { isSubscribedTo, type WebhookEvent } from '@usher/domain';
import type { Context } from '../../context.ts';

/** The IDs of the webhooks that subscribe to an event that belongs to no user. */
export async function findSubscribers(ctx: Context, event: WebhookEvent): Promise<string[]> {
  const webhooks = await ctx.db
    .selectFrom('webhooks')
    .select(['id', 'topics', 'experience_ids'])
    .where('account_id', '=', ctx.account.id)
    .where('enabled', '=', true)
    .execute();
  return webhooks.filter((webhook) => isSubscribedTo(webhook, event)).map(({ id }) => id);
}

/**
 * Stores one item for these webhooks, in the transaction of the change itself. The item belongs to no user, so it goes to the outbox
 * immediately. Call `ctx.app.webhooks.wake` after the commit.
 */
export async function insertOwnItem(
  ctx: Context,
  { kind, payload }: WebhookEvent,
  webhookIds: readonly string[],
): Promise<void> {
  const { account_id, id, updated_at: next_at } = (await ctx.clock()).newRow();
  const item = { account_id, id, kind, payload: JSON.stringify(payload), next_at, attempts: 0 } as const;
  await ctx.db
    .insertInto('outbox')
    .values(webhookIds.map((webhook_id) => ({ ...item, webhook_id, state: 'pending' as const })))
    .execute();
}

import { isSubscribedTo, type WebhookEvent } from '@usher/domain';
import type { Context } from '../../context.ts';
import { PreparedQuery } from '../../db/prepared-query.ts';
import type { PublishedAccount } from '../../published/published-cache.ts';

/**
 * In the transaction of what is told: one row, however many webhooks ask for it. It is spread to them when one of them
 * can be sent more. Whether there is anything to send then: after the commit, `ctx.app.webhooks.wake`.
 */
export async function recordWebhookEvents(
  ctx: Context,
  { webhooks }: Pick<PublishedAccount, 'webhooks'>,
  profile_id: string,
  webhook_events: readonly WebhookEvent[],
): Promise<boolean> {
  let written = false;
  for (const one of webhook_events) {
    const asking = webhooks.filter((webhook) => isSubscribedTo(webhook, one));
    if (asking.length === 0) continue;
    await ctx.run(insertion, {
      id: (await ctx.clock()).newRow().id,
      profile_id,
      kind: one.kind,
      payload: JSON.stringify(one.payload),
      repeat_key: one.repeatKey ?? null,
      webhook_ids: asking.map(({ id }) => id).join(' '),
      at: ctx.now(),
    });
    written = true;
  }
  return written;
}

type Name = 'id' | 'profile_id' | 'kind' | 'payload' | 'repeat_key' | 'webhook_ids' | 'at';

/** What was told of before is there already, and is left as it is. */
const insertion = new PreparedQuery<unknown, Name>((db, account_id, param) =>
  db
    .insertInto('webhook_events')
    .values({
      account_id,
      id: param('id'),
      profile_id: param('profile_id'),
      kind: param('kind'),
      payload: param('payload'),
      repeat_key: param('repeat_key'),
      webhook_ids: param('webhook_ids'),
      at: param('at'),
    })
    .onConflict((known) => known.doNothing()),
);

import type { Context } from '../../context.ts';

/** As many as a webhook is sent at once: five rows of each are written quickly, and page loads wait for no more. */
const AT_ONCE = 16;

export async function hasWebhookEvents(ctx: Context): Promise<boolean> {
  return (await oldestOf(ctx).select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * In a transaction: makes an item for each webhook of what is told, the oldest first. Whoever does so at the same time
 * waits, so that what a user did comes into the outbox in its order.
 */
export async function fanOut(ctx: Context): Promise<void> {
  const found = await ctx.dialect.lockRows(oldestOf(ctx).selectAll().limit(AT_ONCE)).execute();
  // Another has just spread them.
  if (found.length === 0) return;
  const webhooks = await ctx.db.selectFrom('webhooks').select('id').where('account_id', '=', ctx.account.id).execute();
  const items = found.flatMap(({ webhook_ids, at, payload, ...one }) =>
    webhooks
      .filter(({ id }) => webhook_ids.includes(id))
      .map(({ id }) => ({
        ...one,
        ...{ webhook_id: id, payload: JSON.stringify(payload), attempts: 0, next_at: at, state: 'pending' as const },
      })),
  );
  if (items.length > 0)
    await ctx.db
      .insertInto('outbox')
      .values(items)
      // Of what is reported again.
      .onConflict((known) => known.doNothing())
      .execute();
  const ids = found.map(({ id }) => id);
  await ctx.db.deleteFrom('webhook_events').where('account_id', '=', ctx.account.id).where('id', 'in', ids).execute();
}

function oldestOf(ctx: Context) {
  return ctx.db.selectFrom('webhook_events').where('account_id', '=', ctx.account.id).orderBy('id');
}

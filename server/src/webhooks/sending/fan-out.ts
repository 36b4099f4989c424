import type { Context } from '../../context.ts';

/**
 * A queue sends this many items at a time. An account has five webhooks at most, so the rows of a batch are written
 * quickly and page loads do not wait long.
 */
const BATCH_SIZE = 16;

export async function hasWebhookEvents(ctx: Context): Promise<boolean> {
  return (await oldestEvents(ctx).select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Makes one item per webhook of the oldest events, in a transaction. Another transaction that fans out waits for it, so
 * that the items of a user get into the outbox in order.
 */
export async function fanOut(ctx: Context): Promise<void> {
  const events = await ctx.dialect.lockRows(oldestEvents(ctx).selectAll().limit(BATCH_SIZE)).execute();
  // Another process has just fanned out these events.
  if (events.length === 0) return;
  const webhooks = await ctx.db.selectFrom('webhooks').select('id').where('account_id', '=', ctx.account.id).execute();
  const items = events.flatMap(({ webhook_ids, at, payload, ...event }) =>
    webhooks
      .filter(({ id }) => webhook_ids.includes(id))
      .map(({ id }) => ({
        ...event,
        ...{ webhook_id: id, payload: JSON.stringify(payload), attempts: 0, next_at: at, state: 'pending' as const },
      })),
  );
  if (items.length > 0)
    await ctx.db
      .insertInto('outbox')
      .values(items)
      // The item of an event that was reported again exists already.
      .onConflict((existing) => existing.doNothing())
      .execute();
  const ids = events.map(({ id }) => id);
  await ctx.db.deleteFrom('webhook_events').where('account_id', '=', ctx.account.id).where('id', 'in', ids).execute();
}

function oldestEvents(ctx: Context) {
  return ctx.db.selectFrom('webhook_events').where('account_id', '=', ctx.account.id).orderBy('id');
}

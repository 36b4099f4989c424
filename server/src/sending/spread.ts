import type { Context } from '../context.ts';

/** As many as keep all lines of an account busy for a moment; nobody waits long for so few. */
const AT_ONCE = 32;

/**
 * In a transaction: makes an item for each webhook of what is told, the oldest first, and answers whether there was any.
 * Whoever does so at the same time waits, so that what a user did comes into the outbox in its order.
 */
export async function spreadTidings(ctx: Context): Promise<boolean> {
  const oldest = ctx.db
    .selectFrom('tidings')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .orderBy('id')
    .limit(AT_ONCE);
  const found = await ctx.lockRows(oldest).execute();
  if (found.length === 0) return false;
  const webhooks = await ctx.db.selectFrom('webhooks').select('id').where('account_id', '=', ctx.account.id).execute();
  const items = found.flatMap(({ webhook_ids, at, told, ...one }) =>
    webhooks
      .filter(({ id }) => webhook_ids.includes(id))
      .map(({ id }) => ({
        ...one,
        ...{ webhook_id: id, told: JSON.stringify(told), attempts: 0, next_at: at, state: 'pending' as const },
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
  await ctx.db.deleteFrom('tidings').where('account_id', '=', ctx.account.id).where('id', 'in', ids).execute();
  return true;
}

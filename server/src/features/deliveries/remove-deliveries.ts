import type { Context } from '../../context.ts';
import { setPending } from './queries.ts';

/**
 * In the transaction that deletes an Experience, and holds it: takes some of its pending Deliveries off the lists of their
 * profiles. Answers whether these were all. Whoever holds a profile does not wait for the Experience, so this can wait
 * for profiles.
 */
export async function removeDeliveries(ctx: Context, modelId: string): Promise<boolean> {
  const pending = ctx.db
    .selectFrom('deliveries')
    .select(['id', 'profile_id'])
    .where('account_id', '=', ctx.account.id)
    .where('model_id', '=', modelId)
    .where('at', 'is', null)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .limit(ctx.dialect.rowsPerWrite);
  const found = await pending.execute();
  if (found.length === 0) return true;
  const profiles = await lockProfiles(
    ctx,
    found.map(({ profile_id }) => profile_id),
  );
  // Until they were held, some may have been triggered or cancelled.
  const still = await pending
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  const gone = new Set(still.map(({ id }) => id));
  for (const { id, delivery_ids } of profiles) {
    const mine = still.filter(({ profile_id }) => profile_id === id).map((row) => row.id);
    const others = delivery_ids.filter((one) => !gone.has(one));
    if (mine.length > 0) await setPending(ctx, id, others, mine);
  }
  return found.length < ctx.dialect.rowsPerWrite;
}

function lockProfiles(ctx: Context, ids: readonly string[]) {
  const query = ctx.db
    .selectFrom('profiles')
    .select(['id', 'delivery_ids'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id');
  return ctx.dialect.lockRows(query).execute();
}

import type { Context } from '../../../context.ts';
import { setPending } from './queries.ts';

/**
 * Removes a batch of the pending Deliveries of an Experience, in a transaction that deletes the Experience and has
 * locked it. Returns whether all are removed. Transactions that have locked a profile do not wait for the Experience, so
 * this one may wait for profiles.
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
  const batch = await pending.execute();
  if (batch.length === 0) return true;
  const profiles = await lockProfiles(
    ctx,
    batch.map(({ profile_id }) => profile_id),
  );
  // Some may have been triggered or canceled before the profiles were locked.
  const removable = await pending
    .where(
      'id',
      'in',
      batch.map(({ id }) => id),
    )
    .execute();
  const removedIds = new Set(removable.map(({ id }) => id));
  for (const { id, delivery_ids } of profiles) {
    const ids = removable.filter(({ profile_id }) => profile_id === id).map((row) => row.id);
    const others = delivery_ids.filter((deliveryId) => !removedIds.has(deliveryId));
    if (ids.length > 0) await setPending(ctx, id, others, ids);
  }
  return batch.length < ctx.dialect.rowsPerWrite;
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

import type { Context } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import type { ProfileRow } from '../../audience/profiles/queries.ts';
import { type DeliveryRow, getDelivery } from './queries.ts';

/** Returns a Delivery that may still change. Its profile is locked, which locks all of its pending Deliveries. */
export async function lockPending(
  ctx: Context,
  id: string,
): Promise<{ row: DeliveryRow; profile: Pick<ProfileRow, 'id' | 'delivery_ids'> }> {
  const { profile_id } = await getDelivery(ctx, id);
  const profile = await ctx.dialect
    .lockRows(
      ctx.db
        .selectFrom('profiles')
        .select(['id', 'delivery_ids'])
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', profile_id),
    )
    .executeTakeFirst();
  if (!profile) throw notFound('Delivery');
  const row = await getDelivery(ctx, id);
  if (row.at !== null) throw conflict('This Delivery was triggered already: it can no longer be changed');
  return { row, profile };
}

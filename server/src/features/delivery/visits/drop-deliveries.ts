import type { DecidedDelivery } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import { setPending } from '../deliveries/queries.ts';

/** Removes the Deliveries for good whose Segments the user is not in. */
export async function dropDeliveries(
  ctx: Context,
  { row }: PageProfile,
  deliveries: readonly DecidedDelivery[],
): Promise<void> {
  const ids = deliveries.flatMap(({ id, dropped }) => (dropped ? id : []));
  if (ids.length === 0) return;
  // On a full disk, a later page load removes the Deliveries. This page load leaves them out of its response all the same.
  if (!ctx.app.disk.isFull) await removePending(ctx, row.id, ids);
  row.delivery_ids = row.delivery_ids.filter((id) => !ids.includes(id));
}

/** Does not change a Delivery that another request has triggered or removed meanwhile. */
async function removePending(ctx: Context, profileId: string, ids: readonly string[]): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const query = ctx.db
      .selectFrom('profiles')
      .select('delivery_ids')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', profileId);
    const { delivery_ids = [] } = (await ctx.dialect.lockRows(query).executeTakeFirst()) ?? {};
    const dropped = delivery_ids.filter((id) => ids.includes(id));
    const others = delivery_ids.filter((id) => !ids.includes(id));
    if (dropped.length > 0) await setPending(ctx, profileId, others, dropped, 'segment_mismatch');
  });
}

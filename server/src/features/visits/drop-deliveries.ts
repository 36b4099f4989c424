import type { Context } from '../../context.ts';
import { setPending } from '../deliveries/queries.ts';

/** Takes Deliveries out of the list for good whose Segments the user is not in. One that someone else has taken or removed meanwhile is left to them. */
export async function dropDeliveries(ctx: Context, profileId: string, ids: readonly string[]): Promise<void> {
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

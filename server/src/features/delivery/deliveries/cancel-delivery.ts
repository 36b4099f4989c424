import type { Delivery } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { lockPending } from './lock-pending.ts';
import { presentDelivery } from './present-delivery.ts';
import { setPending } from './queries.ts';

/** A canceled Delivery is only found by its idempotency key. */
export async function cancelDelivery(ctx: Context, id: string): Promise<Delivery> {
  return ctx.transaction(async (ctx) => {
    const { row, profile } = await lockPending(ctx, id);
    const others = profile.delivery_ids.filter((other) => other !== id);
    const updated_at = await setPending(ctx, profile.id, others, [id]);
    return presentDelivery({ ...row, updated_at, removed_at: updated_at });
  });
}

import type { Context } from '../../../context.ts';
import { getProfile } from '../../audience/profiles/queries.ts';
import { type NamedDelivery, nameDeliveries } from './named-deliveries.ts';
import { deliveriesOf, globalLimit } from './queries.ts';

/** Lists the pending Deliveries of a profile in the order of its list, and how many it may have. */
export async function listPendingDeliveries(
  ctx: Context,
  id: string,
): Promise<{ deliveries: NamedDelivery[]; delivery_ids_limit: number }> {
  const { delivery_ids } = await getProfile(ctx, { id });
  const delivery_ids_limit = await globalLimit(ctx);
  if (delivery_ids.length === 0) return { deliveries: [], delivery_ids_limit };
  const rows = await deliveriesOf(ctx).where('id', 'in', delivery_ids).where('at', 'is', null).execute();
  const inOrder = delivery_ids.flatMap((deliveryId) => rows.find((row) => row.id === deliveryId) ?? []);
  return { deliveries: await nameDeliveries(ctx, inOrder), delivery_ids_limit };
}

import type { Delivery } from '@usher/domain';
import type { Context } from '../../context.ts';
import { getDeliveryOrRemoved, presentDelivery } from './queries.ts';

export async function showDelivery(ctx: Context, id: string): Promise<Delivery> {
  return presentDelivery(await getDeliveryOrRemoved(ctx, id));
}

import type { Delivery } from '@usher/domain';
import type { Context } from '../../context.ts';
import { getDelivery, presentDelivery } from './queries.ts';

export async function showDelivery(ctx: Context, id: string): Promise<Delivery> {
  return presentDelivery(await getDelivery(ctx, id));
}

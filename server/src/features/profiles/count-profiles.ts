import type { Context } from '../../context.ts';
import { type Asked, queryProfiles } from './query-profiles.ts';

export async function countProfiles(ctx: Context, given: Asked): Promise<number> {
  const query = await queryProfiles(ctx, given);
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

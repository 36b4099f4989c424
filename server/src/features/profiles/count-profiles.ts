import type { Context } from '../../context.ts';
import { type ProfileQuery, queryProfiles } from './query-profiles.ts';

export async function countProfiles(ctx: Context, params: ProfileQuery): Promise<number> {
  const query = await queryProfiles(ctx, params);
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

import type { Context } from '../../context.ts';
import { type Asked, askProfiles } from './query-profiles.ts';

export async function countProfiles(ctx: Context, given: Asked): Promise<number> {
  const query = await askProfiles(ctx, given);
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

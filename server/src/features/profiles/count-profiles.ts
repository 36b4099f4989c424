import type { Context } from '../../context.ts';
import { type ProfileQuery, queryProfiles } from './query-profiles.ts';
import { withoutTestUsers } from './without-test-users.ts';

/** Counts what a search with the same parameters lists, or only those whom other numbers count too. */
export async function countProfiles(
  ctx: Context,
  { without_test_users, ...params }: ProfileQuery & { without_test_users?: boolean },
): Promise<number> {
  const all = await queryProfiles(ctx, params);
  const query = without_test_users ? all.where(withoutTestUsers(ctx.account.id, 'profiles.id')) : all;
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

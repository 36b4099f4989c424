import type { Context } from '../../../context.ts';

/** Deletes what is kept of the anonymous profiles that became a part of these, and returns their IDs. */
export async function removeMerged(ctx: Context, profileIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .deleteFrom('merged_profiles')
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', 'in', profileIds)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

import type { Context } from '../context.ts';
import { PreparedStatement } from '../db/prepared-statement.ts';

const mergedInto = new PreparedStatement<{ profile_id: string }, 'id'>(`
  select profile_id from merged_profiles where account_id = :account and id = :id`);

/**
 * Finds the profile of a visit. If the user has signed in meanwhile, the visit of the anonymous profile is one of the user's profile: other
 * open tabs go on reporting.
 */
export async function findOrMerged<Row>(
  ctx: Context,
  id: string,
  find: (id: string) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const found = await find(id);
  if (found) return found;
  const merged = await findMergedInto(ctx, id);
  return merged === undefined ? undefined : find(merged);
}

/** The ID of the profile that an anonymous profile became a part of. */
export async function findMergedInto(ctx: Context, id: string): Promise<string | undefined> {
  return (await ctx.find(mergedInto, { id }))?.profile_id;
}

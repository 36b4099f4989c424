import type { User } from '@usher/domain';
import type { Context } from '../../../context.ts';

/**
 * Finds administrators of the account by their IDs, with their names and emails. Removed administrators are found too.
 */
export async function loadUsers(ctx: Context, ids: readonly (string | null)[]): Promise<Map<string, User>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('admins')
    .innerJoin('people', 'people.id', 'admins.person_id')
    .select(['admins.id', 'people.name', 'people.email'])
    .where('admins.account_id', '=', ctx.account.id)
    .where('admins.id', 'in', wanted)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

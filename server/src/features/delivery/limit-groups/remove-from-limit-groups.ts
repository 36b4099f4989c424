import type { Context } from '../../../context.ts';
import { limitGroupsOf } from './queries.ts';

/**
 * Runs in the transaction that deletes an Experience or a Tag and has locked it. A group without others is deleted: an
 * empty list would mean all of them. Returns whether any group changed.
 */
export async function removeFromLimitGroups(
  ctx: Context,
  list: 'experience_ids' | 'tag_ids',
  removedId: string,
): Promise<boolean> {
  const groups = await ctx.dialect.lockRows(limitGroupsOf(ctx).orderBy('id')).execute();
  const changed = groups.filter((group) => group[list].includes(removedId));
  for (const { id, ...group } of changed) {
    const others = group[list].filter((other) => other !== removedId);
    if (others.length === 0)
      await ctx.db.deleteFrom('limit_groups').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    else
      await ctx.db
        .updateTable('limit_groups')
        .set({ updated_at: ctx.now(), [list]: JSON.stringify(others) })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
  }
  return changed.length > 0;
}

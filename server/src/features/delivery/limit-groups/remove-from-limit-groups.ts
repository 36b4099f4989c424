import type { Context } from '../../../context.ts';
import { limitGroupsOf } from './queries.ts';

/**
 * Runs in the transaction that deletes an Experience and has locked it. A group without other Experiences is deleted:
 * an empty list would mean all of them.
 */
export async function removeFromLimitGroups(ctx: Context, experienceId: string): Promise<void> {
  const groups = ctx.dialect.lockRows(limitGroupsOf(ctx).orderBy('id'));
  for (const { id, experience_ids } of await groups.execute()) {
    if (!experience_ids.includes(experienceId)) continue;
    const others = experience_ids.filter((other) => other !== experienceId);
    if (others.length === 0)
      await ctx.db.deleteFrom('limit_groups').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    else
      await ctx.db
        .updateTable('limit_groups')
        .set({ updated_at: ctx.now(), experience_ids: JSON.stringify(others) })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
  }
}

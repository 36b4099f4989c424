import type { Context } from '../../../context.ts';

const tables = ['alert_groups', 'limit_groups'] as const;

/**
 * Runs in the transaction that deletes an Experience or a Tag and has locked it. A group without others is deleted: an
 * empty list would mean all of them. Returns whether any group changed.
 */
export async function removeFromGroups(
  ctx: Context,
  list: 'experience_ids' | 'tag_ids',
  removedId: string,
): Promise<boolean> {
  const changed = [];
  for (const table of tables) changed.push(await removeFrom(ctx, table, list, removedId));
  return changed.includes(true);
}

async function removeFrom(
  ctx: Context,
  name: (typeof tables)[number],
  list: 'experience_ids' | 'tag_ids',
  removedId: string,
): Promise<boolean> {
  // The type of one table stands for both: each has these columns.
  const table = name as 'limit_groups';
  const rows = ctx.db.selectFrom(table).select(['id', list]).where('account_id', '=', ctx.account.id).orderBy('id');
  const groups = await ctx.dialect.lockRows(rows).execute();
  const changed = groups.filter((group) => group[list].includes(removedId));
  for (const { id, ...group } of changed) {
    const others = group[list].filter((other) => other !== removedId);
    if (others.length === 0)
      await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
    else
      await ctx.db
        .updateTable(table)
        .set({ updated_at: ctx.now(), [list]: JSON.stringify(others) })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
  }
  return changed.length > 0;
}

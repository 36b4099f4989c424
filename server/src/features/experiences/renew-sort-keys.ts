import { compareByPosition } from '@usher/domain';
import type { Context } from '../../context.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';

/** Every few moves to the same place make a key longer. Indexes and cursors contain the key, so it must stay short. */
export const MAX_SORT_KEY = 200;

/**
 * Gives all Experiences at a position new keys in their current order. Two of them can have the same key: one was
 * moved, went to another position, and came back after the other had been moved to its place.
 */
export async function renewSortKeys(ctx: Context, position: number): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const query = ctx.db
      .selectFrom('experiences')
      .select(['id', 'position', 'sort_key as sortKey'])
      .where('account_id', '=', ctx.account.id)
      .where('position', '=', position)
      .orderBy('id');
    const rows = await ctx.dialect.lockRows(query).execute();
    await ctx.clock();
    const width = rows.length.toString(36).length;
    for (const [index, { id }] of rows.sort(compareByPosition).entries()) {
      // New Experiences have their ID as key and must come last. No ID begins with 0, and these keys do.
      const sort_key = `0${(index + 1).toString(36).padStart(width, '0')}i`;
      await ctx.db
        .updateTable('experiences')
        .set({ sort_key })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
    }
    await bumpPublishedVersion(ctx);
  });
}

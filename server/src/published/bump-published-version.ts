import type { Context } from '../context.ts';

/**
 * Called in each transaction that changes what page loads read. Every node finds the new version with its next page load, and
 * loads the account again.
 */
export async function bumpPublishedVersion(ctx: Pick<Context, 'account' | 'clock' | 'db'>): Promise<void> {
  // The update locks the row until the transaction ends. Every transaction takes the account clock first, so that no
  // two can deadlock.
  await ctx.clock();
  await ctx.db
    .insertInto('published_versions')
    .values({ account_id: ctx.account.id, version: 1 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ version: eb('published_versions.version', '+', 1) })),
    )
    .execute();
}

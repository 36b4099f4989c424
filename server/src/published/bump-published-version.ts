import type { Context } from '../context.ts';

/** In the transaction that changes what page loads read: every node finds the new version with its next page load. */
export async function bumpPublishedVersion(ctx: Context): Promise<void> {
  // Its row is locked until the transaction ends: everyone locks the clock first.
  await ctx.clock();
  await ctx.db
    .insertInto('published_versions')
    .values({ account_id: ctx.account.id, version: 1 })
    .onConflict((known) =>
      known.column('account_id').doUpdateSet((eb) => ({ version: eb('published_versions.version', '+', 1) })),
    )
    .execute();
}

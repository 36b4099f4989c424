import type { Context } from '../context.ts';

/** In the transaction that changes what page loads read: every node finds the new version with its next page load. */
export async function liveChanged(ctx: Context): Promise<void> {
  // Its row is locked until the transaction ends: everyone locks the clock first.
  await ctx.clock();
  await ctx.db
    .insertInto('lives')
    .values({ account_id: ctx.account.id, version: 1 })
    .onConflict((known) => known.column('account_id').doUpdateSet((eb) => ({ version: eb('lives.version', '+', 1) })))
    .execute();
}

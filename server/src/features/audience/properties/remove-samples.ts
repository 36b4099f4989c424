import type { RegisteredKind } from '@usher/domain';
import type { Context } from '../../../context.ts';

/** Removes the sample values of owners that are being deleted. */
export async function removeSamples(
  ctx: Context,
  kinds: readonly RegisteredKind[],
  owners: readonly string[],
): Promise<void> {
  const deleted = new Set(owners);
  // Transactions that register Properties take the clock before the rows, so this one does too: otherwise they could wait
  // for each other.
  await ctx.clock();
  const query = ctx.db
    .selectFrom('properties')
    .select(['id', 'samples'])
    .where('account_id', '=', ctx.account.id)
    .where('kind', 'in', kinds)
    .orderBy('id');
  for (const { id, samples } of await ctx.dialect.lockRows(query).execute()) {
    const kept = samples.filter(({ of }) => !deleted.has(of));
    if (kept.length === samples.length) continue;
    await ctx.db
      .updateTable('properties')
      .set({ samples: JSON.stringify(kept) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
  }
}

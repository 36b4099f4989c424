import type { RegisteredKind } from '@usher/domain';
import type { Context } from '../../context.ts';

/** Takes out the sample values that came from rows which are being deleted. */
export async function removeSamples(
  ctx: Context,
  kinds: readonly RegisteredKind[],
  owners: readonly string[],
): Promise<void> {
  const gone = new Set(owners);
  // Whoever makes Properties has the clock before their rows: here too, so that no two wait for each other.
  await ctx.clock();
  const query = ctx.db
    .selectFrom('properties')
    .select(['id', 'samples'])
    .where('account_id', '=', ctx.account.id)
    .where('kind', 'in', kinds)
    .orderBy('id');
  for (const { id, samples } of await ctx.dialect.lockRows(query).execute()) {
    const kept = samples.filter(({ of }) => !gone.has(of));
    if (kept.length === samples.length) continue;
    await ctx.db
      .updateTable('properties')
      .set({ samples: JSON.stringify(kept) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
  }
}

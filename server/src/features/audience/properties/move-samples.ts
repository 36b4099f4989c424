import type { Context } from '../../../context.ts';

/** Gives the sample values of one owner to another one. The transaction holds the clock, as everyone who changes samples does. */
export async function moveSamples(ctx: Context, from: string, to: string): Promise<void> {
  const query = ctx.db
    .selectFrom('properties')
    .select(['id', 'samples'])
    .where('account_id', '=', ctx.account.id)
    .where('kind', 'in', ['profile', 'event', 'event_name'])
    .orderBy('id');
  for (const { id, samples } of await ctx.dialect.lockRows(query).execute()) {
    if (!samples.some(({ of }) => of === from)) continue;
    await ctx.db
      .updateTable('properties')
      .set({ samples: JSON.stringify(samples.map((sample) => (sample.of === from ? { ...sample, of: to } : sample))) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
  }
}

import type { Context } from '../../../context.ts';

/**
 * Takes the IDs of profiles, and of what they own, out of used idempotency keys, before these are deleted. The keys stay
 * for the rest of their day: without them, a client that repeats its request would create the profile again.
 */
export async function detachIdempotencyKeys(ctx: Context, profileIds: readonly string[]): Promise<void> {
  const owned = (table: 'deliveries' | 'events' | 'picks') =>
    ctx.db
      .selectFrom(table)
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('profile_id', 'in', profileIds);
  await ctx.db
    .updateTable('idempotency_keys')
    .set({ record_id: null })
    .where('account_id', '=', ctx.account.id)
    .where(({ eb, or }) =>
      or([
        eb('record_id', 'in', profileIds),
        ...(['deliveries', 'events', 'picks'] as const).map((table) => eb('record_id', 'in', owned(table))),
      ]),
    )
    .execute();
}

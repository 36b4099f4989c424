import type { Context } from '../../context.ts';

/**
 * Takes out the names of events that only these users have had, before what they did is deleted: such a name may say who
 * they were.
 */
export async function removeEventNames(ctx: Context, profileIds: readonly string[]): Promise<void> {
  const { account, db } = ctx;
  const names = await db
    .selectFrom('profile_events')
    .select('name')
    .distinct()
    .where('account_id', '=', account.id)
    .where('profile_id', 'in', profileIds)
    .orderBy('name')
    .execute();
  for (const { name } of names) {
    const other = await db
      .selectFrom('profile_events')
      .select('name')
      .where('account_id', '=', account.id)
      .where('name', '=', name)
      .where('profile_id', 'not in', profileIds)
      .limit(1)
      .executeTakeFirst();
    if (other) continue;
    await db
      .deleteFrom('properties')
      .where('account_id', '=', account.id)
      .where('kind', '=', 'event_name')
      .where('prop', '=', name)
      .execute();
  }
}

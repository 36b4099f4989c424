import type { Context } from '../../../context.ts';

/** Finds the names of events that only these users have had. Call it before their events are deleted. */
export async function findEventNamesOnlyOf({ account, db }: Context, profileIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('profile_events')
    .select('name')
    .distinct()
    .where('account_id', '=', account.id)
    .where('profile_id', 'in', profileIds)
    .orderBy('name')
    .execute();
  const names: string[] = [];
  for (const { name } of rows) {
    const other = await db
      .selectFrom('profile_events')
      .select('name')
      .where('account_id', '=', account.id)
      .where('name', '=', name)
      .where('profile_id', 'not in', profileIds)
      .limit(1)
      .executeTakeFirst();
    if (!other) names.push(name);
  }
  return names;
}

/** Deletes names that only deleted users have had, because such a name can identify them. */
export async function removeEventNames(ctx: Context, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  // The transactions that register names take the clock before the rows of properties, so this one does too.
  await ctx.clock();
  await ctx.db
    .deleteFrom('properties')
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', 'event_name')
    .where('prop', 'in', names)
    .where('definition', 'is', null)
    .execute();
}

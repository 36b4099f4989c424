import type { Context } from '../../context.ts';

/** Whether the account allows texts to show values of the page. */
export async function allowsGlobals(ctx: Context): Promise<boolean> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select('allow_globals')
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  return account.allow_globals;
}

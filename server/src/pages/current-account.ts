import type { Context } from '../context.ts';
import { FixedQuery } from '../db/prepared-query.ts';
import { forbidden } from '../errors.ts';
import type { LiveAccount } from '../published/published-cache.ts';

const versionOf = new FixedQuery((db, account) =>
  db.selectFrom('lives').select('version').where('account_id', '=', account),
);

/** The account as it is now: loaded anew when something was published or changed since. */
export async function currentAccount(ctx: Context, { id }: Pick<LiveAccount, 'id'>): Promise<LiveAccount> {
  const [row] = await ctx.run(versionOf, {});
  const account = await ctx.live.fresh(id, row?.version ?? 0);
  if (!account) throw forbidden('This account is gone');
  return account;
}

import type { Context } from '../context.ts';
import { PreparedQuery } from '../db/prepared-query.ts';
import { forbidden } from '../errors.ts';
import type { PublishedAccount } from '../published/published-account.ts';

const versionOf = new PreparedQuery((db, account) =>
  db.selectFrom('published_versions').select('version').where('account_id', '=', account),
);

/** The account in its current version. It is loaded again if something was published or changed since. */
export async function currentAccount(ctx: Context, { id }: Pick<PublishedAccount, 'id'>): Promise<PublishedAccount> {
  const [row] = await ctx.run(versionOf, {});
  const account = await ctx.app.publishedCache.atVersion(id, row?.version ?? 0);
  if (!account) throw forbidden('This account is gone');
  return account;
}

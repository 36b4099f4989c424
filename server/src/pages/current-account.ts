import type { Context } from '../context.ts';
import { PreparedStatement } from '../db/prepared-statement.ts';
import { forbidden } from '../errors.ts';
import type { PublishedAccount } from '../published/published-account.ts';

const versionOf = new PreparedStatement<{ version: number }>(
  'select version from published_versions where account_id = :account',
);

/** The account in its current version. It is loaded again if something was published or changed since. */
export async function currentAccount(ctx: Context, { id }: Pick<PublishedAccount, 'id'>): Promise<PublishedAccount> {
  const [row] = await ctx.run(versionOf, {});
  const account = await ctx.app.publishedCache.atVersion(id, row?.version ?? 0);
  if (!account) throw forbidden('This account is gone');
  return account;
}

import type { Account, UpdateAccount } from '@usher/domain';
import type { Context } from '../../context.ts';
import { conflict, forbidden } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { presentAccount, selectAccount } from './show-account.ts';

export async function updateAccount(ctx: Context, params: UpdateAccount): Promise<Account> {
  if (ctx.actor.role !== 'owner') throw forbidden('Only owners may change the account');
  const row = await ctx.transaction(async (ctx) => {
    // Transactions that create records take the clock before they read the account, so this one does too.
    await ctx.clock();
    const before = await ctx.dialect.lockRows(selectAccount(ctx)).executeTakeFirstOrThrow();
    const keys = Object.keys(params) as (keyof UpdateAccount)[];
    if (keys.every((key) => before[key] === params[key])) return before;
    if (params.require_uid_hash && before.uid_secret === null)
      throw conflict(
        'There is nothing yet to make `uid_hash` with: make a secret by `POST /v3/edit/account/uid_secret`, have your product send `uid_hash`, then require it',
      );
    const after = await ctx.db
      .updateTable('accounts')
      .set({ ...params, updated_at: ctx.now() })
      .where('id', '=', ctx.account.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await bumpPublishedVersion(ctx);
    return after;
  });
  return presentAccount(ctx, row);
}

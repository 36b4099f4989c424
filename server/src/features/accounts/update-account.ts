import type { Account, UpdateAccount } from '@usher/domain';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { presentAccount, selectAccount } from './show-account.ts';

export async function updateAccount(ctx: Context, given: UpdateAccount): Promise<Account> {
  if (ctx.actor.role !== 'owner') throw forbidden('Only owners may change the account');
  return ctx.transaction(async (ctx) => {
    const before = await ctx.lockRows(selectAccount(ctx)).executeTakeFirstOrThrow();
    const keys = Object.keys(given) as (keyof UpdateAccount)[];
    if (keys.every((key) => before[key] === given[key])) return presentAccount(before);
    const row = await ctx.db
      .updateTable('accounts')
      .set({ ...given, updated_at: ctx.now() })
      .where('id', '=', ctx.account.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentAccount(row);
  });
}

import type { Account, UpdateAccount } from '@usher/domain';
import type { Selectable } from 'kysely';
import { checkSeen } from '../../check-seen.ts';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { conflict } from '../../errors.ts';
import { requireConfirmation } from '../../http/check-caller.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { presentAccount, selectAccount } from './show-account.ts';

export async function updateAccount(ctx: Context, params: UpdateAccount): Promise<Account> {
  // After the commit: `presentAccount` waits for a write of its own, which on SQLite would wait for this transaction.
  return presentAccount(ctx, await changeAccount(ctx, params));
}

/** Like `updateAccount`, also as a part of a transaction. */
export function changeAccount(
  ctx: Context,
  { updated_at: seen, ...params }: UpdateAccount,
): Promise<Selectable<Schema['accounts']>> {
  return ctx.transaction(async (ctx) => {
    if (turnsOn(params)) requireConfirmation(ctx.actor, ctx.now());
    // Transactions that create records take the clock before they read the account, so this one does too.
    await ctx.clock();
    const before = await ctx.dialect.lockRows(selectAccount(ctx)).executeTakeFirstOrThrow();
    checkSeen(seen, before, 'account');
    const keys = Object.keys(params) as (keyof typeof params)[];
    if (keys.every((key) => before[key] === params[key])) return before;
    if (params.require_uid_hash && before.uid_secret === null)
      throw conflict(
        'There is nothing yet to make `uid_hash` with: make a secret by `POST /v3/edit/account/uid_secret`, have your product send `uid_hash`, then require it',
      );
    const after = await ctx.db
      .updateTable('accounts')
      .set({ ...params, updated_at: Math.max(ctx.now(), before.updated_at + 1) })
      .where('id', '=', ctx.account.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (params.record_paths === false)
      await ctx.db.deleteFrom('visited_paths').where('account_id', '=', ctx.account.id).execute();
    await bumpPublishedVersion(ctx);
    const changed = keys.filter((key) => before[key] !== params[key]);
    const details = Object.fromEntries(changed.map((key) => [key, [before[key], after[key]]]));
    await recordAudit(ctx, 'account.update', { type: 'account', id: after.id }, details);
    return after;
  });
}

/** Whether it turns something on by which somebody could run code in customers' pages, or change data of their users. */
function turnsOn({ allow_scripts, trust_pages }: UpdateAccount): boolean {
  return allow_scripts === true || trust_pages === true;
}

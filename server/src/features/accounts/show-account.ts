import { type Account, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';

export async function showAccount(ctx: Context): Promise<Account> {
  return presentAccount(await selectAccount(ctx).executeTakeFirstOrThrow());
}

export function selectAccount(ctx: Context) {
  return ctx.db.selectFrom('accounts').selectAll().where('id', '=', ctx.account.id);
}

/** Without the key of its hashes. */
export function presentAccount({
  id,
  updated_at,
  name,
  token,
  allow_scripts,
}: Selectable<Schema['accounts']>): Account {
  return {
    id,
    created_at: toTimestamp(timeOfId(id)),
    updated_at: toTimestamp(updated_at),
    name,
    token,
    allow_scripts,
  };
}

import type { Context } from '../../../context.ts';

export function eventNamesOf(ctx: Context) {
  return ctx.db
    .selectFrom('properties')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', 'event_name');
}

import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { PickRow } from '../../../pages/pick-token.ts';

export function picksOf(ctx: Context) {
  return ctx.db.selectFrom('picks').selectAll().where('account_id', '=', ctx.account.id);
}

/** Finds a pick of the administrator of the request. Others cannot see it. */
export async function getPick(ctx: Context, id: string): Promise<PickRow> {
  const row = await picksOf(ctx).where('id', '=', id).where('admin_id', '=', ctx.actor.id).executeTakeFirst();
  if (!row) throw notFound('pick');
  return row;
}

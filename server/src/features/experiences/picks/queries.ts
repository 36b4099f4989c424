import { type PickOutput, pickStateOf, timeOfId, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { PickRow } from '../../../pages/pick-token.ts';

export function picksOf(ctx: Context) {
  return ctx.db.selectFrom('picks').selectAll().where('account_id', '=', ctx.account.id);
}

/** Finds a pick of the administrator who asks. Others cannot see it. */
export async function getPick(ctx: Context, id: string): Promise<PickRow> {
  const row = await picksOf(ctx).where('id', '=', id).where('admin_id', '=', ctx.actor.id).executeTakeFirst();
  if (!row) throw notFound('pick');
  return row;
}

export function presentPick(ctx: Pick<Context, 'now'>, row: PickRow): PickOutput {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    purpose: row.purpose,
    state: pickStateOf(row, ctx.now()),
    experience_id: row.experience_id,
    step_id: row.step_id,
    href: row.href,
    page: row.page,
    result: row.result,
    expires_at: toTimestamp(row.expires_at),
  };
}

import { isPickOver, pickStateOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PickRow } from '../../../pages/pick-token.ts';

/** Ends a pick, so that its key, its code and its token open nothing any more. A pick that is over stays as it is. */
export async function endPick(ctx: Context, row: PickRow): Promise<PickRow> {
  const now = ctx.now();
  if (isPickOver(pickStateOf(row, now))) return row;
  await ctx.transaction((ctx) =>
    ctx.db
      .updateTable('picks')
      .set({ ended_at: now })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', row.id)
      .where('ended_at', 'is', null)
      .execute(),
  );
  ctx.app.pickStreams.wake(row.id);
  return { ...row, ended_at: now };
}

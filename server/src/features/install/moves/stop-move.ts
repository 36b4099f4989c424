import type { Move } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { getMove } from './queries.ts';
import { presentMove } from './show-move.ts';

/** The process that works on it finds with its next page that it may not go on. What is stored stays. */
export async function stopMove(ctx: Context): Promise<Move> {
  await ctx.transaction(async (ctx) => {
    const move = await getMove(ctx, { lock: true });
    if (move.claim === null) return;
    await ctx.db
      .updateTable('moves')
      .set({ claim: null, claimed_at: null, error: 'Somebody has stopped it', updated_at: ctx.now() })
      .where('account_id', '=', ctx.account.id)
      .execute();
  });
  return presentMove(ctx, await getMove(ctx));
}

import type { Move } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { getMove, isClaimed } from './queries.ts';
import { presentMove } from './show-move.ts';

/** From now on, the imported webhooks send. */
export async function releaseMove(ctx: Context): Promise<Move> {
  await ctx.transaction(async (ctx) => {
    await ctx.clock();
    const move = await getMove(ctx, { lock: true });
    if (isClaimed(move, ctx.app.now())) throw conflict('The move is still running: release it when it is finished');
    if (move.finished_at === null) throw conflict('The move is not complete yet: continue it first');
    const { heldWebhooks } = move.progress;
    if (heldWebhooks.length > 0)
      await ctx.db
        .updateTable('webhooks')
        .set({ enabled: true, updated_at: ctx.now() })
        .where('account_id', '=', ctx.account.id)
        .where('id', 'in', heldWebhooks)
        .execute();
    await ctx.db
      .updateTable('moves')
      .set({
        released_at: move.released_at ?? ctx.now(),
        updated_at: ctx.now(),
        progress: JSON.stringify({ ...move.progress, heldWebhooks: [] }),
      })
      .where('account_id', '=', ctx.account.id)
      .execute();
    await bumpPublishedVersion(ctx);
    await recordAudit(ctx, 'move.release', null, { source: move.source });
  });
  ctx.app.webhooks.wake(ctx.account.id);
  return presentMove(ctx, await getMove(ctx));
}

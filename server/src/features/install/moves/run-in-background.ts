import { setTimeout as pause } from 'node:timers/promises';
import { type Move, problemOfTarget, type StartMove } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { continueMove, startMove, withSharedLimit } from './run-move.ts';
import { createSafeSender } from './senders.ts';
import { presentMove } from './show-move.ts';
import { SourceFailure, SourceRejection } from './source.ts';

const REQUESTS_PER_MINUTE = 60;

/**
 * Starts a move, or continues it, and returns when the other service has accepted the secret. This process then works on it. The secret is
 * in its memory only, so after a restart somebody gives it again.
 */
export async function runInBackground(ctx: Context, { source, secret, verification_secret }: StartMove): Promise<Move> {
  const { allowNetworks, denyNetworks } = ctx.app.webhooks;
  const address = source.replace(/\/+$/, '');
  const problem = problemOfTarget(address, allowNetworks, { denied: denyNetworks, ownUrl: ctx.app.publicUrl });
  if (problem !== undefined) throw invalid(`\`source\` ${problem}`);
  const sender = createSafeSender(ctx.app);
  const options = withSharedLimit({
    source: {
      ...{
        address,
        secret,
        send: sender.send,
        readFile: sender.readFile,
        requestsPerMinute: REQUESTS_PER_MINUTE,
        now: Date.now,
      },
      wait: (time) => pause(time, undefined, { ref: false }),
    },
    only: [],
    secrets: { verification: verification_secret, webhooks: new Map() },
  });
  try {
    const move = await startMove(ctx, { ...options, source: { ...options.source, maxTries: 1 } });
    // Why it has stopped is stored with the move.
    const own = createContext(ctx.app, { account: ctx.account, actor: ctx.actor });
    void continueMove(own, move, options)
      .catch(() => {})
      .finally(() => sender.close());
    return await presentMove(ctx, move);
  } catch (error) {
    sender.close();
    if (error instanceof ApiError) throw error;
    if (error instanceof SourceFailure || error instanceof SourceRejection) throw invalid(error.message);
    throw error;
  }
}

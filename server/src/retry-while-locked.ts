import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from './context.ts';
import { limited } from './errors.ts';

const MAX_WAIT_MS = 4000;
const MAX_PAUSE_MS = 20;

/**
 * Runs a transaction that does not wait for locks, and retries it while a row is locked. Unlike waiting inside the
 * database, this occupies no connection in the meantime. Inside a transaction, the one who began it retries. Only the
 * locks of Deliveries are not waited for.
 */
export async function retryWhileLocked<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.isInTransaction) return work(ctx);
  for (const deadline = ctx.now() + MAX_WAIT_MS; ; await pause(Math.random() * MAX_PAUSE_MS)) {
    try {
      return await ctx.transaction(work);
    } catch (error) {
      if (!ctx.dialect.isLocked(error)) throw error;
      if (ctx.now() >= deadline)
        throw limited(
          'deliveries',
          'Only one Delivery at a time can be created for a profile: try again in a moment',
          1,
        );
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { limited } from '../../errors.ts';

const WAITING_MS = 4000;
const MAX_PAUSE_MS = 20;

/**
 * Runs a transaction that waits for nothing, again and again until what it needs is free. Unlike one that waits inside
 * the database, it keeps no connection from others meanwhile.
 */
export async function oneAtATime<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  for (const until = ctx.now() + WAITING_MS; ; await pause(Math.random() * MAX_PAUSE_MS)) {
    try {
      return await ctx.transaction(work);
    } catch (error) {
      if (!ctx.dialect.isLocked(error)) throw error;
      if (ctx.now() >= until)
        throw limited('Only one Delivery at a time can be created for a profile: try again in a moment', 1);
    }
  }
}

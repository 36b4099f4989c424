import { isRecent, MAX_CLOCK_SKEW_MS, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';

/**
 * A process that was not seen for so long has died, and another one may count. With less, the claim of a node whose clock is
 * behind would look old right away.
 */
const MAX_CLAIM_MS: Millis = 2 * MAX_CLOCK_SKEW_MS;

/** How much of the profiles was looked at, from 0 to 1; undefined if the Segments are not being counted. */
export async function readRun(ctx: Context): Promise<number | undefined> {
  const run = await runsOf(ctx).executeTakeFirst();
  return run && isClaimed(ctx, run) ? run.share : undefined;
}

/** Lets one process at a time count the Segments of an account. Returns whether it is this one. */
export async function claimRun(ctx: Context, claim: string): Promise<boolean> {
  const values = { claim, claimed_at: ctx.now(), share: 0 };
  return ctx.transaction(async (ctx) => {
    const { numInsertedOrUpdatedRows = 0n } = await ctx.db
      .insertInto('segment_count_runs')
      .values({ account_id: ctx.account.id, ...values })
      .onConflict((existing) => existing.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows > 0n) return true;
    const run = await ctx.dialect.lockRows(runsOf(ctx)).executeTakeFirst();
    if (run === undefined || isClaimed(ctx, run)) return false;
    await ctx.db.updateTable('segment_count_runs').where('account_id', '=', ctx.account.id).set(values).execute();
    return true;
  });
}

function runsOf(ctx: Context) {
  return ctx.db
    .selectFrom('segment_count_runs')
    .select(['claimed_at', 'share'])
    .where('account_id', '=', ctx.account.id);
}

function isClaimed(ctx: Context, { claimed_at }: { claimed_at: Millis }): boolean {
  return isRecent(Number(claimed_at), ctx.now(), MAX_CLAIM_MS);
}

/** Returns false if another process has taken over. */
export async function keepRun(ctx: Context, claim: string, share: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.transaction((ctx) =>
    ctx.db
      .updateTable('segment_count_runs')
      .where('account_id', '=', ctx.account.id)
      .where('claim', '=', claim)
      .set({ claimed_at: ctx.now(), share })
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

export async function endRun(ctx: Context, claim: string): Promise<void> {
  await ctx.transaction((ctx) =>
    ctx.db
      .deleteFrom('segment_count_runs')
      .where('account_id', '=', ctx.account.id)
      .where('claim', '=', claim)
      .execute(),
  );
}

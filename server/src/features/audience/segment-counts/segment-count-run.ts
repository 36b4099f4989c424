import { isRecent, type Millis } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** A process that was not seen for so long has died, and another one may count. */
const MAX_CLAIM_MS: Millis = 30_000;

/** How much of the profiles was looked at, from 0 to 1; undefined if the Segments are not being counted. */
export async function readRun(ctx: Context): Promise<number | undefined> {
  const run = await ctx.db
    .selectFrom('segment_count_runs')
    .select(['claimed_at', 'share'])
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  return run && isRecent(Number(run.claimed_at), ctx.now(), MAX_CLAIM_MS) ? run.share : undefined;
}

/** Lets one process at a time count the Segments of an account. Returns whether it is this one. */
export async function claimRun(ctx: Context, claim: string): Promise<boolean> {
  const now = ctx.now();
  const claimed = await ctx.transaction((ctx) =>
    ctx.db
      .insertInto('segment_count_runs')
      .values({ account_id: ctx.account.id, claim, claimed_at: now, share: 0 })
      .onConflict((existing) =>
        existing
          .column('account_id')
          .doUpdateSet({ claim, claimed_at: now, share: 0 })
          // A time of a clock that was ahead does not keep others from counting.
          .where(sql<boolean>`abs(segment_count_runs.claimed_at - ${now}) >= ${MAX_CLAIM_MS}`),
      )
      .returning('claim')
      .execute(),
  );
  return claimed.length > 0;
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

import { isRecent, MAX_CLOCK_SKEW_MS, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { DayCount } from './count-goals.ts';

/** A process that was not seen for so long has died, and another one may count. */
const MAX_CLAIM_MS: Millis = 2 * MAX_CLOCK_SKEW_MS;
const ROWS_PER_WRITE = 500;

export interface GoalRun {
  fingerprint: string | null;
  counted_at: Millis | null;
  took_ms: Millis | null;
  /** How far the count is that goes on now; undefined if none does. */
  share: number | undefined;
}

export async function readGoalRun(ctx: Context, experienceId: string): Promise<GoalRun | undefined> {
  const run = await runsOf(ctx, experienceId).executeTakeFirst();
  if (!run) return undefined;
  const { fingerprint, took_ms } = run;
  const counted_at = run.counted_at === null ? null : Number(run.counted_at);
  return { fingerprint, took_ms, counted_at, share: isClaimed(ctx, run) ? run.share : undefined };
}

function runsOf(ctx: Context, experienceId: string) {
  return ctx.db
    .selectFrom('goal_count_runs')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId);
}

function isClaimed(ctx: Context, { claim, claimed_at }: { claim: string | null; claimed_at: Millis }): boolean {
  return claim !== null && isRecent(Number(claimed_at), ctx.now(), MAX_CLAIM_MS);
}

/** Whether the Experience is there, and stays until the transaction ends. Its counts are deleted after it, so none can be left. */
async function keepExperience(ctx: Context, experienceId: string): Promise<boolean> {
  const query = ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', experienceId);
  return (await ctx.dialect.keepRows(query).executeTakeFirst()) !== undefined;
}

/** Lets one process at a time count the goals of an Experience. Returns whether it is this one. */
export async function claimGoalRun(ctx: Context, experienceId: string, claim: string): Promise<boolean> {
  const values = { claim, claimed_at: ctx.now(), share: 0 };
  return ctx.transaction(async (ctx) => {
    if (!(await keepExperience(ctx, experienceId))) return false;
    const { numInsertedOrUpdatedRows = 0n } = await ctx.db
      .insertInto('goal_count_runs')
      .values({ account_id: ctx.account.id, experience_id: experienceId, ...values })
      .onConflict((existing) => existing.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows > 0n) return true;
    const run = await ctx.dialect.lockRows(runsOf(ctx, experienceId)).executeTakeFirst();
    if (run === undefined || isClaimed(ctx, run)) return false;
    await updateRun(ctx, experienceId, values);
    return true;
  });
}

/** Returns false if another process has taken over. */
export async function keepGoalRun(ctx: Context, experienceId: string, claim: string, share: number): Promise<boolean> {
  const values = { claimed_at: ctx.now(), share };
  return (await ctx.transaction((ctx) => updateRun(ctx, experienceId, values, claim))) > 0n;
}

export async function endGoalRun(ctx: Context, experienceId: string, claim: string): Promise<void> {
  await ctx.transaction((ctx) => updateRun(ctx, experienceId, { claim: null }, claim));
}

/** Replaces the counts of an Experience, unless another process has taken over. */
export async function storeGoalCounts(
  ctx: Context,
  experienceId: string,
  claim: string,
  counts: readonly DayCount[],
  values: { fingerprint: string; counted_at: Millis; took_ms: Millis },
): Promise<void> {
  const of = { account_id: ctx.account.id, experience_id: experienceId };
  await ctx.transaction(async (ctx) => {
    if (!(await keepExperience(ctx, experienceId))) return;
    if ((await updateRun(ctx, experienceId, values, claim)) === 0n) return;
    await ctx.db
      .deleteFrom('goal_counts')
      .where('account_id', '=', ctx.account.id)
      .where('experience_id', '=', experienceId)
      .execute();
    for (let start = 0; start < counts.length; start += ROWS_PER_WRITE)
      await ctx.db
        .insertInto('goal_counts')
        .values(counts.slice(start, start + ROWS_PER_WRITE).map((count) => ({ ...of, ...count })))
        .execute();
  });
}

async function updateRun(
  ctx: Context,
  experienceId: string,
  values: Partial<{ claim: string | null; claimed_at: Millis; share: number; fingerprint: string; counted_at: Millis }>,
  claim?: string,
): Promise<bigint> {
  let query = ctx.db
    .updateTable('goal_count_runs')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .set(values);
  if (claim !== undefined) query = query.where('claim', '=', claim);
  return (await query.executeTakeFirst()).numUpdatedRows;
}

import { isStepFailing, STEP_HEALTH_MS, type TargetProblem, toTarget } from '@usher/domain';
import type { AppContext, Context } from '../../../context.ts';
import { anonymous, createContext } from '../../../create-context.ts';
import { recordTargetsMissing } from '../../../webhooks/events/record-targets-missing.ts';
import { countByPart, type FailingStepRow, failingStepsOf, findLiveExperience, findWorstPlace } from './queries.ts';

/** What was counted for a step. If no user missed the step, there is no place. */
type CountedStep = Omit<FailingStepRow, 'account_id' | 'experience_id' | 'is_failing'>;

/**
 * Checks which steps of an Experience fail, and stores changes together with their webhook items. Users are counted before the
 * transaction, because that may take long. Several nodes may check the same Experience: the row of a step decides which node
 * sends.
 */
export async function checkSteps(app: AppContext, accountId: string, experienceId: string): Promise<void> {
  const ctx = createContext(app, { account: { id: accountId }, actor: anonymous });
  const live = await findLiveExperience(ctx, experienceId);
  if (!live) return;
  const targets = listTargets(live.id, live.document);
  const counted = (await countSteps(ctx, experienceId, live.publishedAt)).filter(({ part_id }) => targets.has(part_id));
  const known = new Map((await failingStepsOf(ctx, experienceId).execute()).map((row) => [row.part_id, row]));
  const changed = counted.filter((step) => known.get(step.part_id)?.is_failing || isFailing(undefined, step));
  if (changed.length === 0) return;
  const toSend = await ctx.transaction(async (ctx) => {
    const begun = await storeSteps(ctx, experienceId, changed);
    const problems = begun.map((step) => ({ partId: step.part_id, problem: toProblem(step, targets) }));
    return recordTargetsMissing(ctx, live, problems);
  });
  if (toSend) app.webhooks.wake(accountId);
}

/** How pages look for the element of each part that has one. */
function listTargets(id: string, document: NonNullable<Awaited<ReturnType<typeof findLiveExperience>>>['document']) {
  const { steps, trigger_type, trigger } = document;
  const targets = new Map(
    steps.filter(({ elements }) => elements.length > 0).map((step) => [step.id, step.elements.map(toTarget)]),
  );
  if (trigger_type === 'element') targets.set(id, [{ selector: trigger ?? null, text: null, shadow_selector: null }]);
  return targets;
}

async function countSteps(ctx: Context, experienceId: string, publishedAt: number): Promise<CountedStep[]> {
  const checked_at = ctx.now();
  const from = Math.max(checked_at - STEP_HEALTH_MS, publishedAt);
  const counted: CountedStep[] = [];
  for (const { part_id, all, missed, since } of await countByPart(ctx, experienceId, from)) {
    // Most steps are found by almost everybody, and need no second query.
    const place = 2 * missed >= all ? await findWorstPlace(ctx, experienceId, part_id, from) : undefined;
    counted.push({
      ...{ part_id, users_count: missed, total_users_count: all, since: since ?? checked_at, checked_at },
      ...(place ?? { path: '', browser: 'other' }),
    });
  }
  return counted.sort((one, other) => (one.part_id < other.part_id ? -1 : 1));
}

function isFailing(row: FailingStepRow | undefined, { users_count, total_users_count }: CountedStep): boolean {
  return isStepFailing(row?.is_failing ?? false, { missed: users_count, all: total_users_count });
}

/** Returns the steps that have begun to fail. Rows are locked in the order of their IDs, so that two nodes do not deadlock. */
async function storeSteps(ctx: Context, experience_id: string, steps: CountedStep[]): Promise<CountedStep[]> {
  const locked = await ctx.dialect.lockRows(failingStepsOf(ctx, experience_id)).execute();
  const rows = new Map(locked.map((row) => [row.part_id, row]));
  const begun: CountedStep[] = [];
  for (const step of steps) {
    const row = rows.get(step.part_id);
    const is_failing = isFailing(row, step);
    if (row ? row.checked_at >= step.checked_at : !is_failing) continue;
    const hasBegun = row ? !row.is_failing && is_failing : await insertStep(ctx, experience_id, step);
    if (row) await updateStep(ctx, row, { ...step, is_failing });
    if (hasBegun) begun.push(step);
  }
  return begun;
}

/** Returns false if another node has just inserted the row. */
async function insertStep({ account, db }: Context, experience_id: string, step: CountedStep): Promise<boolean> {
  const inserted = await db
    .insertInto('failing_steps')
    .values({ account_id: account.id, experience_id, is_failing: true, ...step })
    .onConflict((existing) => existing.doNothing())
    .returning('part_id')
    .execute();
  return inserted.length > 0;
}

async function updateStep(
  { account, db }: Context,
  { experience_id, part_id, ...row }: FailingStepRow,
  {
    is_failing,
    since,
    users_count,
    total_users_count,
    path,
    browser,
    checked_at,
  }: CountedStep & { is_failing: boolean },
): Promise<void> {
  const counts = { users_count, total_users_count, checked_at };
  await db
    .updateTable('failing_steps')
    .set(
      is_failing
        ? { ...counts, is_failing, path, browser, since: row.is_failing ? row.since : since }
        : { ...counts, is_failing },
    )
    .where('account_id', '=', account.id)
    .where('experience_id', '=', experience_id)
    .where('part_id', '=', part_id)
    .execute();
}

function toProblem(
  { part_id, path, browser, users_count, total_users_count, since }: CountedStep,
  targets: ReturnType<typeof listTargets>,
): TargetProblem {
  return { elements: targets.get(part_id) ?? [], path, browser, users_count, total_users_count, since };
}

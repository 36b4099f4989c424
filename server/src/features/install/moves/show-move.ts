import { type Move, type MoveProblem, moveStages, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { getMove, isClaimed, type MoveRow } from './queries.ts';
import { listUnplacedSteps } from './unplaced-steps.ts';

export async function showMove(ctx: Context): Promise<Move> {
  return presentMove(ctx, await getMove(ctx));
}

export async function presentMove(ctx: Context, row: MoveRow): Promise<Move> {
  const { progress } = row;
  const stages = moveStages.flatMap((stage) => {
    const found = progress.stages[stage];
    if (!found) return [];
    const { done, total, isFinished, problems } = found;
    return [{ stage, done, total, finished: isFinished, problems_count: problems }];
  });
  const isRunning = isClaimed(row, ctx.app.now());
  return {
    source: row.source,
    source_account_id: row.source_account_id,
    state: isRunning
      ? 'running'
      : row.finished_at === null || row.error !== null
        ? 'stopped'
        : row.released_at === null
          ? 'finished'
          : 'released',
    started_at: toTimestamp(row.started_at),
    updated_at: toTimestamp(row.updated_at),
    finished_at: toTimestampOrNull(row.finished_at),
    released_at: toTimestampOrNull(row.released_at),
    error: row.error,
    requests_count: progress.requests,
    seconds_left: isRunning ? progress.secondsLeft : null,
    stages,
    problems_count: stages.reduce((sum, { problems_count }) => sum + problems_count, 0),
    unplaced_steps_count: (await listUnplacedSteps(ctx)).length,
  };
}

const MAX_PROBLEMS = 1000;

export async function listProblems(ctx: Context): Promise<MoveProblem[]> {
  return ctx.db
    .selectFrom('move_problems')
    .select(['stage', 'record_id', 'message'])
    .where('account_id', '=', ctx.account.id)
    .orderBy('stage')
    .orderBy('record_id')
    .orderBy('position')
    .limit(MAX_PROBLEMS)
    .execute();
}

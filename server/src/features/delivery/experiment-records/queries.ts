import type { ExperimentState, RunningExperiment } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';

export type ExperimentRow = Selectable<Schema['experiments']>;

export function experimentsOf(ctx: Pick<Context, 'db' | 'account'>) {
  return ctx.db.selectFrom('experiments').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getExperiment(ctx: Context, id: string): Promise<ExperimentRow> {
  const row = await experimentsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('experiment');
  return row;
}

export async function lockExperiment(ctx: Context, id: string): Promise<ExperimentRow> {
  const row = await ctx.dialect.lockRows(experimentsOf(ctx).where('id', '=', id)).executeTakeFirst();
  if (!row) throw notFound('experiment');
  return row;
}

export function stateOfExperiment({ started_at, ended_at }: ExperimentRow): ExperimentState {
  if (ended_at !== null) return 'ended';
  return started_at === null ? 'draft' : 'running';
}

function runningOf(ctx: Pick<Context, 'db' | 'account'>): Promise<ExperimentRow[]> {
  return experimentsOf(ctx).where('started_at', 'is not', null).where('ended_at', 'is', null).orderBy('id').execute();
}

/** The experiments that run and have one of these Experiences as a variant. */
export async function listRunningWith(
  ctx: Pick<Context, 'db' | 'account'>,
  experienceIds: readonly string[],
): Promise<ExperimentRow[]> {
  return (await runningOf(ctx)).filter(({ variants }) =>
    variants.some(({ experience_id }) => experience_id !== null && experienceIds.includes(experience_id)),
  );
}

/** The experiments for the users of a Segment. An experiment that has ended does not need it any more. */
export async function listExperimentsUsingSegment(ctx: Context, segmentId: string): Promise<ExperimentRow[]> {
  const rows = await experimentsOf(ctx).where('ended_at', 'is', null).orderBy('id').execute();
  return rows.filter(({ segment_ids }) => segment_ids.includes(segmentId));
}

/** The experiments that have a goal, also after their end: their results need it. */
export async function listExperimentsUsingGoal(ctx: Context, goalId: string): Promise<ExperimentRow[]> {
  const rows = await experimentsOf(ctx).orderBy('id').execute();
  return rows.filter((row) => row.goal_ids.includes(goalId) || row.guardrail_goal_ids.includes(goalId));
}

/** The IDs of the Experiences of an experiment. */
export function experienceIdsOf({ variants }: Pick<RunningExperiment, 'variants'>): string[] {
  return variants.flatMap(({ experience_id }) => experience_id ?? []);
}

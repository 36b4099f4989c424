import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { notFound } from '../../errors.ts';

export type GoalRow = Selectable<Schema['goals']>;

export function goalsOf(ctx: Context) {
  return ctx.db.selectFrom('goals').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getGoal(ctx: Context, id: string): Promise<GoalRow> {
  const row = await goalsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('goal');
  return row;
}

/** The shared goals with these IDs, by their ID. */
export async function loadGoals(ctx: Context, ids: readonly string[]): Promise<Map<string, GoalRow>> {
  if (ids.length === 0) return new Map();
  const rows = await goalsOf(ctx).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The shared goals that are this Segment. An account has few goals. */
export async function goalsOfSegment(ctx: Context, segmentId: string): Promise<GoalRow[]> {
  const rows = await goalsOf(ctx).orderBy('id').execute();
  return rows.filter(({ definition }) => definition.segment_id === segmentId);
}

/** The shared goals that are a state of this Experience. */
export async function goalsOfExperience(ctx: Context, experienceId: string): Promise<GoalRow[]> {
  const rows = await goalsOf(ctx).orderBy('id').execute();
  return rows.filter(({ definition }) => definition.experience_id === experienceId);
}

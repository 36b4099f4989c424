import { type GoalRule, listSegmentReferences, type Millis, readGoalRule } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { experiencesOf } from '../queries.ts';
import type { GoalRow } from '../shared-goals.ts';

/** The columns of a goal that a request can change. */
type GoalValues = Pick<GoalRow, 'name' | 'description' | 'archived_at' | 'definition'>;

interface GoalInput extends Partial<GoalRule> {
  name?: string;
  description?: string | null;
  archived_at?: Millis | null;
}

/** Reads a request to create a goal, or to change the one before, and checks what it names. */
export async function writeGoal(
  ctx: Context,
  before: GoalRow | undefined,
  { name, description, archived_at, ...rule }: GoalInput,
  { isMoved = false }: { isMoved?: boolean } = {},
): Promise<GoalValues> {
  const problems: string[] = [];
  const definition = readGoalRule({ ...before?.definition, ...withoutUndefined(rule) }, '', problems);
  if (problems.length > 0) throw invalid(...problems);
  // An Experience comes from another service after the goals.
  await checkGoal(ctx, isMoved ? { ...definition, experience_id: null } : definition);
  return {
    name: name ?? before?.name ?? '',
    description: description === undefined ? (before?.description ?? null) : description,
    archived_at: archived_at === undefined ? (before?.archived_at ?? null) : archived_at,
    definition,
  };
}

function withoutUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Rejects a goal that names an unknown Segment or Experience. The rows are locked, so that neither is deleted meanwhile. */
async function checkGoal(ctx: Context, { segment_id, experience_id, filters }: GoalRule): Promise<void> {
  const segments = [
    ...(segment_id === null ? [] : [segment_id]),
    ...listSegmentReferences(filters, '').map((one) => one.id),
  ];
  if (segments.length > 0) {
    const rows = ctx.db.selectFrom('segments').select('id').where('account_id', '=', ctx.account.id);
    const found = await ctx.dialect.lockRows(rows.where('id', 'in', segments).orderBy('id')).execute();
    if (found.length < new Set(segments).size)
      throw new ApiError(404, ['`segment_id` is the ID of no Segment in this account']);
  }
  if (experience_id === null) return;
  const found = await ctx.dialect.lockRows(experiencesOf(ctx).where('id', '=', experience_id)).executeTakeFirst();
  if (!found) throw new ApiError(404, ['`experience_id` is the ID of no Experience in this account']);
}

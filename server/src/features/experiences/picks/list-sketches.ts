import { type ExperienceKind, type StepSketch, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { getExperience } from '../queries.ts';

/** Lists the sketches that are kept for the steps of a draft. */
export async function listSketches(ctx: Context, kind: ExperienceKind, id: string): Promise<StepSketch[]> {
  const { draft } = await getExperience(ctx, kind, id);
  const rows = await ctx.db
    .selectFrom('step_sketches')
    .select(['step_id', 'updated_at', 'elements', 'sketch'])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .execute();
  const byStep = new Map(rows.map((row) => [row.step_id, row]));
  return draft.steps.flatMap((step) => {
    const row = byStep.get(step.id);
    return row ? [{ ...row, updated_at: toTimestamp(row.updated_at), sketch: sortSketch(row.sketch) }] : [];
  });
}

/** PostgreSQL changes the order of JSON keys. */
const sortSketch = ({ width, height, colors, target, boxes }: StepSketch['sketch']): StepSketch['sketch'] => ({
  ...{ width, height, colors, target, boxes },
});

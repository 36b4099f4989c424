import { type PickResult, type StepSketch, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import { getAnyExperience, lockExperience } from '../queries.ts';
import { getPick } from './queries.ts';

/** Keeps the sketch of the page of a pick for the preview of its step. The previous one of the step is replaced. */
export async function keepSketch(ctx: Context, id: string): Promise<StepSketch> {
  const { purpose, experience_id, step_id, result } = await getPick(ctx, id);
  if (purpose !== 'pick' || step_id === null) throw invalid('This pick is not for a step, so no sketch can be kept');
  const { elements, sketch } = (result as PickResult | null) ?? {};
  if (!elements || !sketch) throw invalid('This pick has no sketch of a page: pick the element first');
  return ctx.transaction(async (ctx) => {
    const { kind } = await getAnyExperience(ctx, experience_id);
    // Without the lock, the Experience could be deleted before its sketch is stored.
    const { draft } = await lockExperience(ctx, kind, experience_id);
    const stepIds = draft.steps.map((step) => step.id);
    if (!stepIds.includes(step_id)) throw notFound('step');
    await ctx.db
      .deleteFrom('step_sketches')
      .where('account_id', '=', ctx.account.id)
      .where('experience_id', '=', experience_id)
      .where('step_id', 'not in', stepIds)
      .execute();
    const kept = { updated_at: ctx.now(), elements: JSON.stringify(elements), sketch: JSON.stringify(sketch) };
    await ctx.db
      .insertInto('step_sketches')
      .values({ account_id: ctx.account.id, experience_id, step_id, ...kept })
      .onConflict((known) => known.columns(['account_id', 'experience_id', 'step_id']).doUpdateSet(kept))
      .execute();
    return { step_id, updated_at: toTimestamp(kept.updated_at), elements, sketch };
  });
}

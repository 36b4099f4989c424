import type { UnplacedStep } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';

/** The steps that came as texts only, and have no element yet. */
export async function listUnplacedSteps(ctx: Context): Promise<UnplacedStep[]> {
  const rows = await ctx.db
    .selectFrom('unplaced_steps')
    .innerJoin('experiences', (join) =>
      join
        .onRef('experiences.account_id', '=', 'unplaced_steps.account_id')
        .onRef('experiences.id', '=', 'unplaced_steps.experience_id'),
    )
    .select(['experiences.id', 'experiences.kind', 'experiences.draft', 'unplaced_steps.step_id'])
    .where('unplaced_steps.account_id', '=', ctx.account.id)
    .orderBy('experiences.id', 'desc')
    .execute();
  const listed = rows.flatMap(({ id, kind, draft, step_id }) => {
    const step_index = draft.steps.findIndex((step) => step.id === step_id);
    const step = draft.steps[step_index];
    if (!step || step.elements.length > 0) return [];
    return [
      {
        experience_id: id,
        experience_kind: kind,
        experience_name: draft.name,
        step_id,
        step_index,
        step_title: step.title,
      },
    ];
  });
  return listed.toSorted((one, other) =>
    one.experience_id === other.experience_id ? one.step_index - other.step_index : 0,
  );
}

/** Takes a step off the list that needs no element. */
export async function dismissStep(ctx: Context, stepId: string): Promise<UnplacedStep> {
  const step = (await listUnplacedSteps(ctx)).find(({ step_id }) => step_id === stepId);
  if (!step) throw notFound('step');
  await ctx.transaction((ctx) =>
    ctx.db
      .deleteFrom('unplaced_steps')
      .where('account_id', '=', ctx.account.id)
      .where('experience_id', '=', step.experience_id)
      .where('step_id', '=', stepId)
      .execute(),
  );
  return step;
}

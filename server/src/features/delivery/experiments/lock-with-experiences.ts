import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { type ExperienceRow, experiencesOf } from '../../experiences/queries.ts';
import { type ExperimentRow, experienceIdsOf, getExperiment, lockExperiment } from '../experiment-records/queries.ts';

/** Locks the Experiences of an experiment, in the order in which others lock them, and then the experiment. */
export async function lockWithExperiences(
  ctx: Context,
  id: string,
): Promise<{ row: ExperimentRow; experiences: Map<string, ExperienceRow> }> {
  const ids = experienceIdsOf(await getExperiment(ctx, id));
  const query = experiencesOf(ctx)
    .where('id', 'in', ['', ...ids])
    .orderBy('id');
  const experiences = await ctx.dialect.lockRows(query).execute();
  const row = await lockExperiment(ctx, id);
  if (JSON.stringify(experienceIdsOf(row)) !== JSON.stringify(ids))
    throw new ApiError(409, ['Somebody has changed the variants of this experiment right now: load it again']);
  return { row, experiences: new Map(experiences.map((experience) => [experience.id, experience])) };
}

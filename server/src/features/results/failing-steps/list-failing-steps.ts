import { type Document, type ExperienceKind, type FailingStep, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { publicationColumns, publishedVersionOf } from '../../../published/publication.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { type FailingStepRow, liveSince } from './queries.ts';

export interface FailingExperienceStep {
  kind: ExperienceKind;
  draft: Document;
  step: FailingStep;
}

/**
 * Lists the failing steps of live Experiences. The step that the most users missed comes first. After an Experience was
 * published again, its steps are left out until somebody has used the new version.
 */
export async function listFailingSteps(
  ctx: Context,
  { experience_id }: { experience_id?: string } = {},
): Promise<FailingExperienceStep[]> {
  if (experience_id !== undefined && !(await experiencesOf(ctx).where('id', '=', experience_id).executeTakeFirst()))
    throw notFound('Experience');
  let query = ctx.db
    .selectFrom('failing_steps as failing')
    .innerJoin('experiences', (join) =>
      join.on('experiences.account_id', '=', ctx.account.id).onRef('experiences.id', '=', 'failing.experience_id'),
    )
    .selectAll('failing')
    .select(['experiences.kind', 'experiences.draft'])
    .select(publicationColumns.map((column) => `experiences.${column}` as const))
    .where('failing.account_id', '=', ctx.account.id)
    .where('failing.is_failing', '=', true);
  if (experience_id !== undefined) query = query.where('failing.experience_id', '=', experience_id);
  const rows = await query
    .orderBy('failing.users_count', 'desc')
    .orderBy('failing.experience_id')
    .orderBy('failing.part_id')
    .execute();
  const now = ctx.now();
  return rows
    .filter((row) => publishedVersionOf(row, now) !== null && row.checked_at >= liveSince(row, now))
    .map((row) => ({ kind: row.kind, draft: row.draft, step: presentFailingStep(row) }));
}

function presentFailingStep(row: FailingStepRow): FailingStep {
  const { users_count, total_users_count } = row;
  return {
    experience_id: row.experience_id,
    step_id: row.part_id,
    users_count,
    total_users_count,
    share: users_count / total_users_count,
    since: toTimestamp(row.since),
    path: row.path,
    browser: row.browser,
    checked_at: toTimestamp(row.checked_at),
  };
}

import { findPeopleProblems, type ResultPeople } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid, notFound } from '../../../errors.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { listCountedSteps } from '../stats/list-counted-steps.ts';

export async function checkPeople(ctx: Context, row: ExperienceRow, params: ResultPeople): Promise<void> {
  const problems = findPeopleProblems(params);
  if (problems.length > 0) throw invalid(...problems);
  const { part_id } = params;
  if (part_id === undefined) return;
  const steps = await listCountedSteps(ctx, row);
  const isKnown = steps.some(({ id, buttons }) => id === part_id || buttons.some((button) => button.id === part_id));
  if (!isKnown) throw notFound('step, button or item');
}

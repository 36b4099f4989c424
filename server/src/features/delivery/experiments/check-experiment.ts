import { type ExperimentValues, experienceKinds } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';

/**
 * Rejects Experiences, Segments and goals that are not in this account. They are locked, before any experiment: so nobody deletes them
 * meanwhile. What an experiment has named before may have been deleted since.
 */
export async function checkExperiment(
  ctx: Context,
  before: ExperimentValues | undefined,
  after: ExperimentValues,
): Promise<void> {
  const problems: string[] = [];
  const check = async (
    table: 'experiences' | 'segments' | 'goals',
    noun: string,
    named: readonly { id: string; path: string }[],
    known: readonly (string | null)[],
  ) => {
    const added = named.filter(({ id }) => !known.includes(id));
    if (added.length === 0) return;
    // The type of one table stands for all: each has these columns.
    const rows = ctx.db
      .selectFrom(table as 'segments')
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', [...new Set(added.map(({ id }) => id))])
      .orderBy('id');
    const found = new Set((await ctx.dialect.lockRows(rows).execute()).map(({ id }) => id));
    for (const { id, path } of added)
      if (!found.has(id)) problems.push(`\`${path}\` is the ID of no ${noun} in this account`);
  };
  await check(
    'experiences',
    experienceKinds.join(', ').replace(/, (?=[^,]*$)/, ' or '),
    after.variants.flatMap(({ experience_id: id }, at) =>
      id === null ? [] : [{ id, path: `variants[${at}].experience_id` }],
    ),
    before?.variants.map(({ experience_id }) => experience_id) ?? [],
  );
  await check('segments', 'Segment', toPaths(after.segment_ids, 'segment_ids'), before?.segment_ids ?? []);
  const goals = [...toPaths(after.goal_ids, 'goal_ids'), ...toPaths(after.guardrail_goal_ids, 'guardrail_goal_ids')];
  await check('goals', 'goal', goals, before ? [...before.goal_ids, ...before.guardrail_goal_ids] : []);
  if (problems.length > 0) throw new ApiError(404, problems);
}

function toPaths(ids: readonly string[], name: string) {
  return ids.map((id, at) => ({ id, path: `${name}[${at}]` }));
}

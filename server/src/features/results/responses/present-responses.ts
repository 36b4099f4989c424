import { type Expand, type Response, toResponseFields, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentOwned } from '../../audience/profiles/present-owned.ts';
import { answersById, type ResponseRow } from './queries.ts';

export async function presentResponses(
  ctx: Context,
  rows: readonly ResponseRow[],
  expand: Expand,
): Promise<Response[]> {
  const answers = await answersById(
    ctx,
    rows.map(({ id }) => id),
  );
  return presentOwned(ctx, rows, expand, (row) => ({
    survey_id: row.experience_id,
    profile_id: row.profile_id,
    href: row.href,
    ...toResponseFields(answers.get(row.id) ?? []),
    finished_at: row.finished_at === null ? null : toTimestamp(row.finished_at),
  }));
}

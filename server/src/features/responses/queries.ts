import { type Expand, type Response, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { embedById } from '../profiles/embed-by-id.ts';

type ResponseRow = Selectable<Schema['responses']>;

export async function presentResponses(
  ctx: Context,
  rows: readonly ResponseRow[],
  expand: Expand,
): Promise<Response[]> {
  const ids = rows.map(({ profile_id }) => profile_id);
  const profiles = await embedById(ctx, ids, expand);
  return rows.flatMap((row) => {
    const profile = profiles.get(row.profile_id);
    if (!profile) return [];
    return {
      id: row.id,
      created_at: toTimestamp(timeOfId(row.id)),
      updated_at: toTimestamp(row.updated_at),
      survey_id: row.experience_id,
      step_id: row.step_id,
      button_id: row.button_id,
      button_index: row.button_index,
      value: row.value,
      input: row.input,
      profile,
    };
  });
}

import type { Expand, Response } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { presentOwned } from '../profiles/present-owned.ts';

type ResponseRow = Selectable<Schema['responses']>;

export function presentResponses(ctx: Context, rows: readonly ResponseRow[], expand: Expand): Promise<Response[]> {
  return presentOwned(ctx, rows, expand, (row) => ({
    survey_id: row.experience_id,
    step_id: row.step_id,
    button_id: row.button_id,
    button_index: row.button_index,
    value: row.value,
    input: row.input,
  }));
}

import type { StoredAnswer } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

export type ResponseRow = Selectable<Schema['responses']>;

/** With more IDs, PostgreSQL without statistics reads the whole account. */
const BATCH_SIZE = 50;

export async function answersById(ctx: Context, ids: readonly string[]): Promise<Map<string, StoredAnswer[]>> {
  const byId = new Map<string, StoredAnswer[]>(ids.map((id) => [id, []]));
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const rows = await ctx.db
      .selectFrom('answers')
      .selectAll()
      .where('account_id', '=', ctx.account.id)
      .where('response_id', 'in', ids.slice(at, at + BATCH_SIZE))
      .orderBy('response_id')
      .orderBy('question_order')
      .orderBy('step_id')
      .execute();
    for (const row of rows) byId.get(row.response_id)?.push(row);
  }
  return byId;
}

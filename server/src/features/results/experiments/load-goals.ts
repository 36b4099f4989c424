import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

/** The shared goals with these IDs, by their ID. */
export async function loadGoals(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Selectable<Schema['goals']>>> {
  if (ids.length === 0) return new Map();
  const goals = ctx.db.selectFrom('goals').selectAll().where('account_id', '=', ctx.account.id);
  return new Map((await goals.where('id', 'in', ids).execute()).map((row) => [row.id, row]));
}

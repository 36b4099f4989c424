import { type ShownLimitGroup, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Schema } from '../../db/schema.ts';
import { ApiError, notFound } from '../../errors.ts';

export type LimitGroupRow = Selectable<Schema['limit_groups']>;

export function presentLimitGroup(row: LimitGroupRow): ShownLimitGroup {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    max_count: row.max_count,
    period_hours: row.period_hours,
    experience_ids: row.experience_ids,
  };
}

export function limitGroupsOf(ctx: Context) {
  return ctx.db.selectFrom('limit_groups').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getLimitGroup(ctx: Context, id: string): Promise<LimitGroupRow> {
  const row = await limitGroupsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('limit group');
  return row;
}

/**
 * Refuses what is no tour or survey. Those that are there are held, before any limit group: whoever deletes one of them
 * either finds the group, or was first and it is not there.
 */
export async function checkExperiences(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const query = ctx.db
    .selectFrom('experiences')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...ids])
    .where('kind', 'in', ['tour', 'survey'])
    .orderBy('id');
  const found = new Set((await ctx.dialect.lockRows(query).execute()).map(({ id }) => id));
  const problems = ids.flatMap((id, at) =>
    found.has(id) ? [] : [`\`experience_ids[${at}]\` is the ID of no tour or survey in this account`],
  );
  if (problems.length > 0) throw new ApiError(404, problems);
}

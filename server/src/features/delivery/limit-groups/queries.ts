import { listKindsWith, type ShownLimitGroup, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { notFound } from '../../../errors.ts';
import { checkExperienceIds } from '../../experiences/ids/check-experience-ids.ts';

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
 * Rejects everything but tours and surveys. They are locked before any limit group, as when one of them is deleted: so
 * either the deletion finds the group, or the Experience is not found here.
 */
export function checkLimitedExperiences(ctx: Context, ids: readonly string[]): Promise<void> {
  return checkExperienceIds(ctx, ids, { kinds: listKindsWith('isExclusive'), lock: true });
}

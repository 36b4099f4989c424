import { createdAtOf, readGoalRule, type SharedGoal, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { dashboardUrl } from '../../../dashboard-url.ts';
import type { GoalRow } from '../shared-goals.ts';

export function presentGoal(ctx: Context, row: GoalRow): SharedGoal {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    // PostgreSQL reorders the keys of JSON.
    ...readGoalRule({ ...row.definition }, '', []),
    description: row.description,
    archived_at: toTimestampOrNull(row.archived_at),
    dashboard_url: dashboardUrl(ctx, `settings/goals?goal=${row.id}`),
  };
}

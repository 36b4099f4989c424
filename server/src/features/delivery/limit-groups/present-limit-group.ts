import { type ShownLimitGroup, timeOfId, toTimestamp } from '@usher/domain';
import type { LimitGroupRow } from './queries.ts';

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

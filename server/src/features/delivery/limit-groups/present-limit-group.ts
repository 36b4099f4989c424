import { createdAtOf, periodWordOf, readMemberKind, type ShownLimitGroup, toTimestamp } from '@usher/domain';
import type { LimitGroupRow } from './queries.ts';

export function presentLimitGroup(row: LimitGroupRow): ShownLimitGroup {
  const { max_count, period_hours, max_steps, max_seconds, experience_ids, tag_ids } = row;
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    description: row.description,
    kind: readMemberKind(row),
    rate_limit_size: max_count,
    rate_limit_kind: periodWordOf(period_hours),
    tag_ids,
    campaign_ids: experience_ids,
    max_count,
    period_hours,
    max_steps,
    max_seconds,
    experience_ids,
  };
}

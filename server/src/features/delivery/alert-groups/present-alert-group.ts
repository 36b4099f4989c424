import { createdAtOf, readMemberKind, type ShownAlertGroup, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { AlertGroupRow } from './queries.ts';

export function presentAlertGroup(row: AlertGroupRow): ShownAlertGroup {
  const { experience_ids, tag_ids } = row;
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    kind: readMemberKind(row),
    interval: row.interval_days,
    style: row.style,
    published_at: toTimestampOrNull(row.published_at),
    last_notified_at: toTimestampOrNull(row.last_notified_at),
    tag_ids,
    campaign_ids: experience_ids,
    experience_ids,
  };
}

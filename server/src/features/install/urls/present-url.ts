import { createdAtOf, toTimestamp, toTimestampOrNull, type Url } from '@usher/domain';
import type { UrlRow } from './queries.ts';

export function presentUrl(row: UrlRow): Url {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    url_group_id: row.url_group_id,
    host: row.host,
    domain: row.domain,
    enabled: row.enabled,
    installed_at: toTimestampOrNull(row.installed_at),
    first_seen_at: toTimestampOrNull(row.first_seen_at),
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    unlisted: row.archived_at !== null,
    archived_at: toTimestampOrNull(row.archived_at),
  };
}

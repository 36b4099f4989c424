import { createdAtOf, toTimestamp, toTimestampOrNull, type UrlGroup } from '@usher/domain';
import type { UrlGroupRow } from './queries.ts';

export function presentUrlGroup(row: UrlGroupRow): UrlGroup {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    archived_at: toTimestampOrNull(row.archived_at),
    name: row.name,
    description: row.description,
    short_name: row.short_name,
    style_short_name_color: row.style_short_name_color,
  };
}

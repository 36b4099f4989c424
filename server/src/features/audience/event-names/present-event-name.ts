import {
  createdAtOf,
  describeDefinition,
  type EventName,
  toEventSource,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { dashboardUrl } from '../../../dashboard-url.ts';
import type { EventNameRow } from './queries.ts';

export function presentEventName(ctx: Context, row: EventNameRow): EventName {
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    description: row.description,
    uid: row.prop,
    kind: row.definition ? 'custom' : 'tracked',
    source: toEventSource(row.integration),
    published_at: toTimestampOrNull(row.published_at),
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    filters: [],
    content_summary: row.definition && describeDefinition(row.definition),
    dashboard_url: dashboardUrl(ctx, `events/${row.id}`),
    definition: row.definition,
    hidden: row.hidden,
  };
}

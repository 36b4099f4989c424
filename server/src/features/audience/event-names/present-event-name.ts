import { type EventName, timeOfId, toEventSource, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';

export function presentEventName(ctx: Context, row: Selectable<Schema['properties']>): EventName {
  return {
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    name: row.name,
    description: row.description,
    uid: row.prop,
    // Names that administrators create in a dashboard are `custom`; there is no endpoint for them.
    kind: 'tracked',
    source: toEventSource(row.integration),
    published_at: null,
    last_seen_at: toTimestampOrNull(row.last_seen_at),
    filters: [],
    content_summary: null,
    dashboard_url: `${ctx.app.publicUrl}/event_names/${row.id}`,
    hidden: row.hidden,
  };
}

import { createdAtOf, type EventName, type Filter, toEventSource, toTimestamp, toTimestampOrNull } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import { dashboardUrl } from '../../../dashboard-url.ts';
import type { Schema } from '../../../db/schema.ts';

export function presentEventName(ctx: Context, row: Selectable<Schema['properties']>): EventName {
  const filter: Filter = { kind: 'event', op: 'ex', value: row.prop };
  return {
    id: row.id,
    created_at: toTimestamp(createdAtOf(row)),
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
    // It has no page of its own: the list of people shows those who did it.
    dashboard_url: dashboardUrl(ctx, 'people', { filters: JSON.stringify([filter]) }),
    hidden: row.hidden,
  };
}

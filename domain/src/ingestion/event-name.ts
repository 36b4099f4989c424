import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject, standardFields, Text, Timestamp } from '../basics/schema.ts';
import { type Integration, UpdateProperty } from './property.ts';

const sources = { api: 'api_v3', browser: 'api_js', import: 'import' } as const satisfies Record<Integration, string>;

/** The name of an event, registered when the first event with it is tracked. */
export const EventName = OutputObject({
  ...standardFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  uid: Type.String(),
  kind: OneOf(['tracked', 'custom']),
  source: Nullable(Type.String()),
  published_at: Nullable(Timestamp),
  last_seen_at: Nullable(Timestamp),
  filters: Type.Array(Type.Unknown()),
  content_summary: Nullable(Type.String()),
  dashboard_url: Type.String(),
  /** Hidden ones are left out of the list. */
  hidden: Type.Boolean(),
});
export type EventName = Static<typeof EventName>;

export const UpdateEventName = Type.Object({
  ...UpdateProperty.properties,
  name: Type.Optional(Text('the name of the event')),
});

/** The source of the first event, in the words of the API. */
export function toEventSource(integration: string | null): string | null {
  return integration === null ? null : (sources[integration as Integration] ?? integration);
}

import Type, { type Static } from 'typebox';
import { Nullable, notInFiles, OneOf, OutputObject, standardFields, Text, Time, Timestamp } from '../basics/schema.ts';
import { type Integration, UpdateProperty } from '../ingestion/property.ts';
import { EventDefinitionParameter, ShownEventDefinition } from './event-definition.ts';

const sources = { api: 'api_v3', browser: 'api_js', import: 'import' } as const satisfies Record<Integration, string>;

export const eventNameKinds = ['tracked', 'custom'] as const;

/** The name of an event, registered when the first event with it is tracked. */
export const EventName = OutputObject({
  ...standardFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  uid: Type.String(),
  kind: OneOf(eventNameKinds),
  source: Nullable(Type.String()),
  published_at: Nullable(Timestamp),
  last_seen_at: Nullable(Timestamp),
  filters: Type.Array(Type.Unknown()),
  content_summary: Nullable(Type.String()),
  dashboard_url: Type.String(),
  /** What people do for it, if it is counted without code: its kind is `custom`. */
  definition: ShownEventDefinition,
  /** Hidden ones are left out of the list. */
  hidden: Type.Boolean(),
});
export type EventName = Static<typeof EventName>;

export const UpdateEventName = Type.Object({
  ...UpdateProperty.properties,
  name: Type.Optional(Text('the name of the event')),
  description: Type.Optional(Nullable(Text('a description', 2000))),
  definition: Type.Optional(EventDefinitionParameter),
  published_at: Type.Optional(notInFiles(Nullable(Time))),
});
export type UpdateEventName = Static<typeof UpdateEventName>;

export const CreateEventName = Type.Object({
  name: Text('the name of the event'),
  description: Type.Optional(Nullable(Text('a description', 2000))),
  definition: EventDefinitionParameter,
  published_at: Type.Optional(notInFiles(Nullable(Time))),
});
export type CreateEventName = Static<typeof CreateEventName>;

/** How many events of an account can be counted without code, and how many exist as drafts or published. */
export const MAX_PUBLISHED_EVENTS = 100;
export const MAX_CUSTOM_EVENTS = 500;

/** The source of the first event, in the words of the API. */
export function toEventSource(integration: string | null): string | null {
  return integration === null ? null : (sources[integration as Integration] ?? integration);
}

import { CreateEventName, EventName, OutputObject, UpdateEventName } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { createEventName } from './create-event-name.ts';
import { updateEventName } from './update-event-name.ts';

/** Writing Event Names. What pages count without code is published as Experiences are. */
export const customEventRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/event_names',
    summary: 'Make an event that pages count without code',
    description:
      'People click an element (`definition.kind` = `click`), or open a page (`page`). Pages count it while it has a `published_at`. An event that you track in code needs no request: it is registered with the first one.',
    parameters: CreateEventName,
    example: {
      name: 'Pricing opened',
      definition: { kind: 'page', quantifier_urls: [{ url: '/pricing/*', match_type: 'simple' }] },
    },
    inFiles: { kind: 'custom', hidden: false },
    status: 201,
    // The definition may name Environments.
    errors: [404, 409],
    output: OutputObject({ event_name: EventName }),
    run: async (ctx, params) => ({ event_name: await createEventName(ctx, params) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/event_names/:id',
    summary: 'Rename, describe or hide the name of an event, or change what pages count',
    description: '`definition` and `published_at` are for events that pages count without code; null unpublishes.',
    parameters: UpdateEventName,
    example: { description: 'A report was downloaded' },
    output: OutputObject({ event_name: EventName }),
    run: async (ctx, { id, ...params }) => ({ event_name: await updateEventName(ctx, id, params) }),
  }),
];

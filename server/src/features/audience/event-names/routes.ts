import { Cursor, EventName, listHidden, OutputObject, pageParameters, UpdateEventName } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listEventNames } from './list-event-names.ts';
import { showEventName } from './show-event-name.ts';
import { updateEventName } from './update-event-name.ts';

export const eventNameRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/event_names',
    summary: 'List the names of tracked events',
    parameters: Type.Object({ ...pageParameters, hidden: listHidden }),
    output: OutputObject({ event_names: Type.Array(EventName), cursor: Cursor }),
    run: listEventNames,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/event_names/:id',
    summary: 'Show the name of an event',
    output: OutputObject({ event_name: EventName }),
    run: async (ctx, { id }) => ({ event_name: await showEventName(ctx, id) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/event_names/:id',
    summary: 'Rename, describe or hide the name of an event',
    parameters: UpdateEventName,
    example: { description: 'A report was downloaded' },
    output: OutputObject({ event_name: EventName }),
    run: async (ctx, { id, ...params }) => ({ event_name: await updateEventName(ctx, id, params) }),
  }),
];

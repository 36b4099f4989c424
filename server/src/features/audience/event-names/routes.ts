import { Cursor, EventName, eventNameKinds, listHidden, OneOf, OutputObject, pageParameters } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listEventNames } from './list-event-names.ts';
import { showEventName } from './show-event-name.ts';

export const eventNameRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/event_names',
    summary: 'List the names of events',
    parameters: Type.Object({ ...pageParameters, hidden: listHidden, kind: Type.Optional(OneOf(eventNameKinds)) }),
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
];

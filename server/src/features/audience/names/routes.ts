import { EventName, OutputObject, Property, propertyKinds } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { presentEventName } from '../event-names/present-event-name.ts';
import { presentProperty } from '../properties/present-property.ts';
import { deleteName } from './delete-name.ts';

/** Deleting Properties and Event Names, which are stored together. It needs to know everything that can use them. */
export const nameRoutes = [
  route({
    methods: ['DELETE'],
    path: '/v3/edit/properties/:id',
    summary: 'Delete a Property, but no values',
    description:
      'Values that were sent stay with their users. 409 while a Segment, a goal or a text uses the Property; the response says which.',
    errors: [409],
    output: OutputObject({ property: Property }),
    run: async (ctx, { id }) => ({
      property: presentProperty(await deleteName(ctx, { kinds: propertyKinds, what: 'Property' }, id)),
    }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/event_names/:id',
    summary: 'Delete the name of an event, but no events',
    description: 'Events that were tracked stay. 409 while a Segment or a goal uses the name.',
    errors: [409],
    output: OutputObject({ event_name: EventName }),
    run: async (ctx, { id }) => ({
      event_name: presentEventName(ctx, await deleteName(ctx, { kinds: ['event_name'], what: 'Event Name' }, id)),
    }),
  }),
];

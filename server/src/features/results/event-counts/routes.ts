import {
  CountedEventName,
  Cursor,
  EVENT_COUNT_DAYS,
  EVENT_TREND_DAYS,
  EventNameDetails,
  EventOccurrences,
  listHidden,
  OutputObject,
  pageParameters,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listCountedEventNames } from './list-counted-event-names.ts';
import { listOccurrences } from './list-occurrences.ts';
import { showCountedEventName } from './show-counted-event-name.ts';

export const eventCountRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/event_names',
    summary: 'List Event Names with how often their events were tracked',
    description:
      '`counts` and `days` leave out test users. `days` are the last 30 days in the time zone of the account, with today. `sources` says from where events came, `properties` which keys they had, and `uses` how many Segments and Experiences use them.',
    operation: 'listEventNamesWithCounts',
    parameters: Type.Object({ ...pageParameters, hidden: listHidden }),
    output: OutputObject({ event_names: Type.Array(CountedEventName), cursor: Cursor }),
    run: listCountedEventNames,
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/event_names/:id',
    summary: 'Show an Event Name with its counts by day, and what uses it',
    operation: 'getEventNameWithCounts',
    parameters: Type.Object({
      days: Type.Integer({
        minimum: 1,
        maximum: EVENT_COUNT_DAYS,
        default: EVENT_TREND_DAYS,
        description: `a number of days from 1 to ${EVENT_COUNT_DAYS}`,
      }),
    }),
    output: OutputObject({ event_name: EventNameDetails }),
    run: async (ctx, params) => ({ event_name: await showCountedEventName(ctx, params) }),
  }),
  route({
    methods: ['GET'],
    path: '/v3/analyze/event_names/:id/occurrences',
    showsPeople: true,
    summary: 'List the latest events of a name, and the Properties of its events',
    description: 'Up to ten events, without those of test users. Values of Properties are of all events.',
    operation: 'listEventOccurrences',
    output: EventOccurrences,
    run: (ctx, { id }) => listOccurrences(ctx, id),
  }),
];

import { BatchEventInput, EventInput, Id, OutputObject, toEventItem } from '@usher/domain';
import Type from 'typebox';
import { BatchOutput } from '../../../batches/run-batch.ts';
import { hook } from '../../../http/route.ts';
import { trackEvent } from './track-event.ts';
import { trackEventBatch } from './track-event-batch.ts';

/** Clients use both the plural and the singular. */
const singleEventRoutes = ['events', 'event'].flatMap((path) =>
  hook({
    path,
    summary: 'Track an event of a user',
    description:
      path === 'events'
        ? 'The user is found by `id` or `uid`; an unknown `uid` makes a new user. All keys but these and `name` become properties of the event.'
        : 'The same as `/v3/observe/hooks/events`, for senders that know this path.',
    operation: path === 'events' ? 'sendEvent' : 'sendEventToSingularPath',
    parameters: EventInput,
    example: { uid: '18821', name: 'Report exported', format: 'pdf', idempotency_key: 'export-5512' },
    output: OutputObject({ event: OutputObject({ id: Id }) }),
    run: async (ctx, params) => {
      const toItem = (problems: string[]) => toEventItem(params, problems, ctx.now());
      const { id } = await trackEvent(ctx, toItem, { integration: 'api', source: 'api_v3' });
      return { event: { id } };
    },
  }),
);

export const eventRoutes = [
  ...singleEventRoutes,
  ...hook({
    path: 'events/batch',
    summary: 'Track many events, of now or of the last 365 days',
    description:
      'Each event is as the body of `/v3/observe/hooks/events`, with `occurred_at` if it was not now. An `idempotency_key` in an event lets you send it again without counting it twice.',
    operation: 'sendEvents',
    parameters: Type.Object({ events: Type.Array(BatchEventInput) }),
    example: { events: [{ uid: '18821', name: 'Report exported', format: 'pdf', idempotency_key: 'export-5512' }] },
    batch: 'events',
    status: 202,
    output: BatchOutput,
    run: (ctx, _params, items) => trackEventBatch(ctx, items),
  }),
];

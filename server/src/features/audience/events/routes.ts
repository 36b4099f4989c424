import { EventInput, Id, OutputObject } from '@usher/domain';
import { hook } from '../../../http/route.ts';
import { trackEvent } from './track-event.ts';

/** Clients use both the plural and the singular. */
export const eventRoutes = ['events', 'event'].flatMap((path) =>
  hook({
    path,
    summary: 'Track an event of a user',
    parameters: EventInput,
    example: { uid: '18821', name: 'Report exported', format: 'pdf' },
    output: OutputObject({ event: OutputObject({ id: Id }) }),
    run: async (ctx, params) => ({ event: await trackEvent(ctx, params, { integration: 'api' }) }),
  }),
);

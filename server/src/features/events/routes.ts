import { Answer, EventInput, Id } from '@usher/domain';
import { hook } from '../../http/route.ts';
import { trackEvent } from './track-event.ts';

/** In the singular too: both are in use. */
export const eventRoutes = ['events', 'event'].flatMap((path) =>
  hook({
    path,
    summary: 'Track an event of a user',
    parameters: EventInput,
    example: { uid: '18821', name: 'Report exported', format: 'pdf' },
    answer: Answer({ event: Answer({ id: Id }) }),
    run: async (ctx, given) => ({ event: await trackEvent(ctx, given, 'api') }),
  }),
);

import { Id, Nullable, OutputObject, PageEventInput } from '@usher/domain';
import Type from 'typebox';
import { pageRoute } from '../../../pages/page-route.ts';
import { trackPageEvent } from './track-page-event.ts';

export const eventPageRoutes = [
  pageRoute({
    path: '/v3/observe/events',
    runsOnFullDisk: true,
    summary: 'Track an event of the user of a page',
    operation: 'trackEvent',
    needs: 'visit',
    logsAs: 'event',
    parameters: PageEventInput,
    example: {
      visit_token: 'the-token-of-the-visit',
      name: 'Report exported',
      idempotency_key: '2796421383,881042217',
      properties: { format: 'pdf' },
    },
    /** Null if the event was not stored, because the pages of the account have sent too many today. */
    output: OutputObject({
      event: Nullable(OutputObject({ id: Id })),
      /** Only when an Experience, or an item of a checklist, waits for this event: the page sends a visit, which starts or completes it. */
      starts: Type.Optional(Type.Boolean()),
    }),
    run: trackPageEvent,
  }),
];

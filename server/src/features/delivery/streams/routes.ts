import { Text } from '@usher/domain';
import Type from 'typebox';
import { EventStream } from '../../../http/event-stream.ts';
import { pageRoute } from '../../../pages/page-route.ts';

export const streamRoutes = [
  pageRoute({
    methods: ['GET'],
    path: '/v3/observe/stream',
    summary: 'Wait for events of the user: a stream of server-sent events',
    description:
      '`wake` says that the page should send a visit, because something waits for an event that has come. `ticket` comes now and then. The data of both is the ticket for the next stream. After `over` there is nothing to wait for.',
    operation: 'followEvents',
    needs: 'ticket',
    parameters: Type.Object({
      ticket: Type.Optional(Text('the `stream` of the last visit, or the last ticket', 1000)),
    }),
    example: { ticket: 'the-ticket-of-the-visit' },
    output: Type.Unknown(),
    mediaTypes: ['text/event-stream'],
    run: async ({ ctx, account, ticket, ip }) =>
      new EventStream(ctx.app.pageStreams.open(ticket, account.visitKey, ip)),
  }),
];

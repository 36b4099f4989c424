import { OutputObject, Queue, QueueInput } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { showQueue } from './show-queue.ts';

export const queueRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/profiles/:id/queue',
    showsPeople: true,
    summary: 'Show what a user would see next on a page, in order, and why not the rest',
    description: 'Nothing is shown and nothing is recorded: it says what a page load at this address would decide.',
    operation: 'explainQueue',
    permission: 'read',
    parameters: QueueInput,
    example: { href: 'https://app.example.com/dashboard' },
    output: OutputObject({ queue: Queue }),
    run: async (ctx, { id, href }) => ({ queue: await showQueue(ctx, id, href) }),
  }),
];

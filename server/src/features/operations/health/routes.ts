import { Health, HealthInput, OutputObject } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { showHealth } from './show-health.ts';

export const healthRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/health',
    summary:
      'Show the version of the server, the state of its database and its queues, and what needs attention; for owners',
    permission: 'own',
    parameters: HealthInput,
    output: OutputObject({ health: Health }),
    run: async (ctx, { full }) => ({ health: await showHealth(ctx, full) }),
  }),
];

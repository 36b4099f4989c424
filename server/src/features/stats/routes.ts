import { GetStats, OutputObject, Stats } from '@usher/domain';
import { route } from '../../http/route.ts';
import { readKind } from '../experiences/kind.ts';
import { showStats } from './show-stats.ts';

export const statsRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/:kind/:id/stats',
    summary: 'Count the users who saw, started, finished and answered an Experience, day by day in UTC',
    parameters: GetStats,
    output: OutputObject({ stats: Stats }),
    run: async (ctx, { kind, id, ...params }) => ({ stats: await showStats(ctx, readKind(kind), id, params) }),
  }),
];

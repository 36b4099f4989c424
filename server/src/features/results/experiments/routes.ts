import { ExperimentResults, OutputObject } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { showResults } from './show-results.ts';

export const experimentResultRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/experiments/:id/results',
    summary: 'Show what an experiment has found, with intervals that are right whenever you look',
    description:
      'Everybody whose days to reach the goals are over is compared, in the arm that they were in first. Test users are left out.',
    operation: 'getExperimentResults',
    output: OutputObject({ results: ExperimentResults }),
    run: async (ctx, { id }) => ({ results: await showResults(ctx, id) }),
  }),
];

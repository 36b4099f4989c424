import { Live } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { listLive } from './list-live.ts';

export const liveRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/live',
    summary: 'List the Experiences that users see now, with how many people saw them in the last 7 days',
    operation: 'listLiveExperiences',
    output: Live,
    run: listLive,
  }),
];

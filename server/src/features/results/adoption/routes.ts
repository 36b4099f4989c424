import { Adoption, GetAdoption, OutputObject } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { showAdoption } from './show-adoption.ts';

export const adoptionRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/event_names/:id/adoption',
    summary: 'Count by day how often an event was tracked, and by how many people for the first time',
    description:
      '`adopters` are the people who have ever tracked it. `count` is null before `counted_from`, because counts of more than 90 days are deleted. `marks` are publications of Experiences that use the event. Test users are left out.',
    operation: 'getEventNameAdoption',
    parameters: GetAdoption,
    output: OutputObject({ adoption: Adoption }),
    run: async (ctx, { id, ...params }) => ({ adoption: await showAdoption(ctx, id, params) }),
  }),
];

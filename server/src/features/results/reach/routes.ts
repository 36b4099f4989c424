import { GetReach, OutputObject, ReachResults } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { showReach } from './show-reach.ts';

export const reachRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/reach',
    summary: 'Count the people whom all Experiences reached, day by day in the time zone of the account',
    description:
      'A person counts once, whatever number of Experiences they saw; `is_distinct` says whether that is so. With `url_group_id`, people count who were first in the range on this Environment. Test users are left out. Without `from` and `until`, these are the last 30 days.',
    operation: 'getReach',
    parameters: GetReach,
    output: OutputObject({ reach: ReachResults }),
    run: async (ctx, params) => ({ reach: await showReach(ctx, params) }),
  }),
];

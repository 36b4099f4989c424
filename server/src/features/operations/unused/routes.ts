import { ListUnused, Unused } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { listUnused } from './list-unused.ts';

export const unusedRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/unused',
    summary: 'List what nothing uses, and Experiences that no one sees',
    description:
      'Each of them can be deleted, archived (Experiences) or hidden (Properties). What a draft, a version that users see, a Segment, a theme, a goal, an experiment, a group, a webhook, an import, an open proposal, a saved report or a saved view names is never listed. Pictures are looked through once a day.',
    operation: 'listUnused',
    parameters: ListUnused,
    example: { kind: 'segments' },
    output: Unused,
    run: listUnused,
  }),
];

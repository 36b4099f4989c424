import { Cursor, OutputObject, TimelineEntry, TimelineInput } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listTimeline } from './list-timeline.ts';

export const timelineRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/profiles/:id/timeline',
    showsPeople: true,
    summary: 'List what a user did and saw, newest first',
    operation: 'listPersonTimeline',
    parameters: TimelineInput,
    example: { kinds: ['seen', 'answered'] },
    output: OutputObject({ entries: Type.Array(TimelineEntry), cursor: Cursor }),
    run: async (ctx, { id, ...params }) => listTimeline(ctx, id, params),
  }),
];

import { Id, OutputObject } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listSegmentsOf } from './list-segments-of.ts';

export const profileSegmentRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/profiles/:id/segments',
    showsPeople: true,
    summary: 'List the Segments that a user is in',
    output: OutputObject({ segments: Type.Array(OutputObject({ id: Id, name: Type.String() })) }),
    run: async (ctx, { id }) => ({ segments: await listSegmentsOf(ctx, id) }),
  }),
];

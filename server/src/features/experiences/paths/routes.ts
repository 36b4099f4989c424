import { ListPaths, OutputObject, VisitedPath } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listPaths } from './list-paths.ts';

export const pathRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/paths',
    showsPeople: true,
    summary: 'List the paths that users visited in the last 14 days',
    parameters: ListPaths,
    example: { search: '/settings' },
    output: OutputObject({ paths: Type.Array(VisitedPath) }),
    run: async (ctx, params) => ({ paths: await listPaths(ctx, params) }),
  }),
];

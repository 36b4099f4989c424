import { Cursor, Experience, OneOf, OutputObject, pageParameters, ShownLimitGroup } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { listLimitedExperiences } from './list-limited-experiences.ts';

export const limitedExperienceRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/limit_groups/:id/experiences',
    summary: 'List what a limit group limits',
    parameters: Type.Object({ ...pageParameters, filter: OneOf(['all', 'published_at'], { default: 'all' }) }),
    output: OutputObject({
      experiences: Type.Array(Experience),
      limit_group: ShownLimitGroup,
      cursor: Cursor,
    }),
    run: (ctx, { id, ...params }) => listLimitedExperiences(ctx, id, params),
  }),
];

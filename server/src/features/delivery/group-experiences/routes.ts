import {
  Cursor,
  Experience,
  OneOf,
  OutputObject,
  pageParameters,
  ShownAlertGroup,
  ShownLimitGroup,
} from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { presentAlertGroup } from '../alert-groups/present-alert-group.ts';
import { getAlertGroup } from '../alert-groups/queries.ts';
import { presentLimitGroup } from '../limit-groups/present-limit-group.ts';
import { getLimitGroup } from '../limit-groups/queries.ts';
import { listGroupExperiences } from './list-group-experiences.ts';

const parameters = Type.Object({ ...pageParameters, filter: OneOf(['all', 'published_at'], { default: 'all' }) });

export const groupExperienceRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/limit_groups/:id/experiences',
    summary: 'List what a limit group limits',
    parameters,
    output: OutputObject({ experiences: Type.Array(Experience), limit_group: ShownLimitGroup, cursor: Cursor }),
    run: async (ctx, { id, ...params }) => {
      const group = await getLimitGroup(ctx, id);
      const { experiences, cursor } = await listGroupExperiences(ctx, group, params);
      return { experiences, limit_group: presentLimitGroup(group), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/alert_groups/:id/experiences',
    summary: 'List what an alert group watches',
    parameters,
    output: OutputObject({ experiences: Type.Array(Experience), alert_group: ShownAlertGroup, cursor: Cursor }),
    run: async (ctx, { id, ...params }) => {
      const group = await getAlertGroup(ctx, id);
      const { experiences, cursor } = await listGroupExperiences(ctx, group, params);
      return { experiences, alert_group: presentAlertGroup(group), cursor };
    },
  }),
];

import { CreateAlertGroup, OutputObject, ShownAlertGroup, UpdateAlertGroup } from '@usher/domain';
import { listRoute } from '../../../http/list-route.ts';
import { route } from '../../../http/route.ts';
import { createAlertGroup } from './create-alert-group.ts';
import { deleteAlertGroup } from './delete-alert-group.ts';
import { presentAlertGroup } from './present-alert-group.ts';
import { alertGroupsOf, getAlertGroup } from './queries.ts';
import { updateAlertGroup } from './update-alert-group.ts';

const OneAlertGroup = OutputObject({ alert_group: ShownAlertGroup });

export const alertGroupRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/alert_groups',
    summary: 'Watch live Experiences that no one sees, or that no one completes',
    parameters: CreateAlertGroup,
    example: { name: 'Not seen for a week', interval: 7, style: 'unseen', published_at: '$now' },
    status: 201,
    output: OneAlertGroup,
    run: async (ctx, params) => ({ alert_group: await createAlertGroup(ctx, params) }),
  }),
  listRoute({
    path: '/v3/edit/alert_groups',
    summary: 'List alert groups',
    name: 'alert_groups',
    item: ShownAlertGroup,
    query: alertGroupsOf,
    present: presentAlertGroup,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/alert_groups/:id',
    summary: 'Show an alert group',
    output: OneAlertGroup,
    run: async (ctx, { id }) => ({ alert_group: presentAlertGroup(await getAlertGroup(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/alert_groups/:id',
    summary: 'Change an alert group',
    parameters: UpdateAlertGroup,
    example: { interval: 14 },
    errors: [409],
    output: OneAlertGroup,
    run: async (ctx, { id, ...params }) => ({ alert_group: await updateAlertGroup(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/alert_groups/:id',
    summary: 'Delete an alert group',
    output: OneAlertGroup,
    run: async (ctx, { id }) => ({ alert_group: await deleteAlertGroup(ctx, id) }),
  }),
];

import {
  CreateLimitGroup,
  joinNames,
  listKindsWith,
  OutputObject,
  pathOfKind,
  ShownLimitGroup,
  UpdateLimitGroup,
} from '@usher/domain';
import { listRoute } from '../../../http/list-route.ts';
import { route } from '../../../http/route.ts';
import { createLimitGroup } from './create-limit-group.ts';
import { deleteLimitGroup } from './delete-limit-group.ts';
import { presentLimitGroup } from './present-limit-group.ts';
import { getLimitGroup, limitGroupsOf } from './queries.ts';
import { updateLimitGroup } from './update-limit-group.ts';

const OneLimitGroup = OutputObject({ limit_group: ShownLimitGroup });

export const limitGroupRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/limit_groups',
    summary: `Limit how many ${joinNames(listKindsWith('isExclusive').map(pathOfKind), 'and')} may begin for one user by themselves`,
    parameters: CreateLimitGroup,
    example: { name: 'One a day', max_count: 1, period_hours: 24 },
    inFiles: true,
    status: 201,
    output: OneLimitGroup,
    run: async (ctx, params) => ({ limit_group: await createLimitGroup(ctx, params) }),
  }),
  listRoute({
    path: '/v3/edit/limit_groups',
    summary: 'List limit groups',
    name: 'limit_groups',
    item: ShownLimitGroup,
    query: limitGroupsOf,
    present: presentLimitGroup,
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/limit_groups/:id',
    summary: 'Show a limit group',
    output: OneLimitGroup,
    run: async (ctx, { id }) => ({ limit_group: presentLimitGroup(await getLimitGroup(ctx, id)) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/limit_groups/:id',
    summary: 'Change a limit group',
    parameters: UpdateLimitGroup,
    example: { max_count: 2 },
    errors: [409],
    output: OneLimitGroup,
    run: async (ctx, { id, ...params }) => ({ limit_group: await updateLimitGroup(ctx, id, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/limit_groups/:id',
    summary: 'Delete a limit group',
    output: OneLimitGroup,
    run: async (ctx, { id }) => ({ limit_group: await deleteLimitGroup(ctx, id) }),
  }),
];

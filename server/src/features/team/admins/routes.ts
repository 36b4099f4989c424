import { Admin, Cursor, OutputObject, pageParameters, Role, Secret } from '@usher/domain';
import Type from 'typebox';
import { listPage } from '../../../db/pagination/list-page.ts';
import { route } from '../../../http/route.ts';
import { presentAdmin } from './present-admin.ts';
import { adminsOf } from './queries.ts';
import { removeAdmin } from './remove-admin.ts';
import { updateAdmin } from './update-admin.ts';

const page = Type.Object(pageParameters);
export const adminRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/admins',
    summary: 'List the administrators of the account; for owners',
    permission: 'own',
    parameters: page,
    output: OutputObject({ admins: Type.Array(Admin), cursor: Cursor }),
    run: async (ctx, params) => {
      const { rows, cursor } = await listPage(adminsOf(ctx), params, 'admins.id');
      return { admins: rows.map((row) => presentAdmin(ctx, row)), cursor };
    },
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/admins/:id',
    runsOnFullDisk: true,
    summary: 'Change the role of an administrator, who has to sign in again; for owners',
    permission: 'own',
    parameters: Type.Object({ role: Role }),
    example: { role: 'viewer' },
    errors: [409],
    output: OutputObject({ admin: Admin }),
    run: (ctx, { id, role }) => updateAdmin(ctx, id, role),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/admins/:id',
    summary: 'Remove an administrator and revoke their secrets, which the response lists; for owners',
    description: '409 for the last owner.',
    operation: 'removeAdmin',
    permission: 'own',
    errors: [409],
    output: OutputObject({ admin: Admin, secrets: Type.Array(Secret) }),
    run: (ctx, { id }) => removeAdmin(ctx, id),
  }),
];

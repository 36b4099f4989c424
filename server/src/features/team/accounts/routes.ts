import { Account, OutputObject, UpdateAccount } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../../http/route.ts';
import { createUidSecret } from './create-uid-secret.ts';
import { showAccount } from './show-account.ts';
import { updateAccount } from './update-account.ts';

const OneAccount = OutputObject({ account: Account });

export const accountRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/account',
    summary: 'Show the account',
    output: OneAccount,
    run: async (ctx) => ({ account: await showAccount(ctx) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/account',
    runsOnFullDisk: true,
    summary: 'Change the name and the settings of the account; for owners',
    permission: 'own',
    parameters: UpdateAccount,
    example: { name: 'Acme' },
    errors: [409],
    output: OneAccount,
    run: async (ctx, params) => ({ account: await updateAccount(ctx, params) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/account/uid_secret',
    runsOnFullDisk: true,
    summary: 'Make a new secret for `uid_hash`, which is shown this once; for owners',
    description:
      'Your backend signs user IDs with it. The secret before this one ends immediately, and with it every `uid_hash` that it has signed.',
    operation: 'createUidSecret',
    permission: 'own',
    status: 201,
    output: OutputObject({ uid_secret: Type.String() }),
    showsSecret: true,
    run: async (ctx) => ({ uid_secret: await createUidSecret(ctx) }),
  }),
];

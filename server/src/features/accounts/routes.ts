import { Account, Answer, UpdateAccount } from '@usher/domain';
import Type from 'typebox';
import { route } from '../../http/route.ts';
import { createUidSecret } from './create-uid-secret.ts';
import { showAccount } from './show-account.ts';
import { updateAccount } from './update-account.ts';

const OneAccount = Answer({ account: Account });

export const accountRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/account',
    summary: 'Show the account',
    answer: OneAccount,
    run: async (ctx) => ({ account: await showAccount(ctx) }),
  }),
  route({
    methods: ['PUT', 'PATCH'],
    path: '/v3/edit/account',
    summary: 'Change the name and the settings of the account; for owners',
    parameters: UpdateAccount,
    example: { name: 'Acme' },
    errors: [409],
    answer: OneAccount,
    run: async (ctx, given) => ({ account: await updateAccount(ctx, given) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/account/uid_secret',
    summary: 'Make a new secret for `uid_hash`, which is shown this once; for owners',
    status: 201,
    answer: Answer({ uid_secret: Type.String() }),
    run: async (ctx) => ({ uid_secret: await createUidSecret(ctx) }),
  }),
];

import { Account, Answer, UpdateAccount } from '@usher/domain';
import { route } from '../../http/route.ts';
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
    summary: 'Rename the account, or allow Experiences to run code; for owners',
    parameters: UpdateAccount,
    example: { name: 'Acme' },
    answer: OneAccount,
    run: async (ctx, given) => ({ account: await updateAccount(ctx, given) }),
  }),
];

import { Answer, Id } from '@usher/domain';
import { route } from '../../http/route.ts';

export const rootRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/',
    summary: 'Check an account secret',
    access: 'read',
    answer: Answer({ account: Answer({ id: Id }), user: Answer({ id: Id }) }),
    run: async ({ account, actor }) => ({ account: { id: account.id }, user: { id: actor.id } }),
  }),
];

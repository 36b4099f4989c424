import { Id, OutputObject } from '@usher/domain';
import { route } from '../../../http/route.ts';

export const rootRoutes = [
  route({
    methods: ['GET', 'POST'],
    path: '/',
    summary: 'Check an account secret',
    description: 'Returns whose secret it is. Clients call this to check their configuration.',
    operation: 'checkSecret',
    permission: null,
    runsOnFullDisk: true,
    output: OutputObject({ account: OutputObject({ id: Id }), user: OutputObject({ id: Id }) }),
    run: async ({ account, actor }) => ({ account: { id: account.id }, user: { id: actor.id } }),
  }),
];

import {
  CreateSecret,
  Cursor,
  OutputObject,
  pageParameters,
  RevokeSecret,
  Secret,
  type SecretWithValue,
  SecretWithValue as WithValue,
} from '@usher/domain';
import Type from 'typebox';
import type { Context } from '../../../context.ts';
import { listPage } from '../../../db/pagination/list-page.ts';
import { notFound } from '../../../errors.ts';
import { route } from '../../../http/route.ts';
import { deleteSecret } from './delete-secret.ts';
import { issueSecret } from './issue-secret.ts';
import { presentSecrets, secretsOf } from './queries.ts';

export const secretRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/secrets',
    summary: 'List the secrets of the account, without their values; for owners',
    permission: 'own',
    parameters: Type.Object(pageParameters),
    output: OutputObject({ secrets: Type.Array(Secret), cursor: Cursor }),
    run: async (ctx, params) => {
      const { rows, cursor } = await listPage(secretsOf(ctx), params);
      return { secrets: await presentSecrets(ctx, rows), cursor };
    },
  }),
  route({
    methods: ['GET'],
    path: '/v3/edit/secrets/:id',
    summary: 'Show a secret of the account, without its value; for owners',
    permission: 'own',
    output: OutputObject({ secret: Secret }),
    run: async (ctx, { id }) => ({ secret: await showSecret(ctx, id) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/secrets',
    summary: 'Make a secret, which is shown this once; for owners',
    description:
      'It can be limited by `scope`, `networks` and `expires_at`. A secret that another secret makes can never do more than that one.',
    permission: 'own',
    parameters: CreateSecret,
    example: { name: 'Nightly export', scope: 'read', expires_at: '+90d', networks: ['192.0.2.0/24'] },
    status: 201,
    errors: [409],
    output: OutputObject({ secret: WithValue }),
    showsSecret: true,
    run: async (ctx, params) => ({ secret: await createAndShow(ctx, params) }),
  }),
  route({
    methods: ['DELETE'],
    path: '/v3/edit/secrets/:id',
    summary: 'Revoke a secret immediately, and the secrets that it has made, which the response lists; for owners',
    description: 'With `keep_children`, the secrets that it has made stay.',
    operation: 'revokeSecret',
    permission: 'own',
    parameters: RevokeSecret,
    errors: [409],
    output: OutputObject({ secret: Secret, children: Type.Array(Secret) }),
    run: (ctx, { id, keep_children }) => deleteSecret(ctx, id, keep_children),
  }),
];

async function createAndShow(ctx: Context, params: CreateSecret): Promise<SecretWithValue> {
  const { id, secret } = await issueSecret(ctx, params);
  return { ...(await showSecret(ctx, id)), secret };
}

async function showSecret(ctx: Context, id: string): Promise<Secret> {
  const [shown] = await presentSecrets(ctx, await secretsOf(ctx).where('id', '=', id).execute());
  if (!shown) throw notFound('secret');
  return shown;
}

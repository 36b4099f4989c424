import { DebugToken, DebugTokenInput, OutputObject } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { createDebugToken } from './create-debug-token.ts';

export const debugTokenRoutes = [
  route({
    methods: ['POST'],
    path: '/v3/edit/debug_tokens',
    runsOnFullDisk: true,
    summary: 'Make a token for `usher.debug(token)`, with which a page may ask why something does not show',
    parameters: DebugTokenInput,
    example: { ttl: 3600 },
    status: 201,
    output: OutputObject({ debug_token: DebugToken }),
    showsSecret: true,
    run: async (ctx, params) => ({ debug_token: await createDebugToken(ctx, params) }),
  }),
];

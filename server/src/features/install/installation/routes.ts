import { CheckIdentity, IdentityCheck, Installation, OutputObject, ShowInstallation } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { checkIdentity } from './check-identity.ts';
import { showInstallation } from './show-installation.ts';
import { watchInstallation } from './watch-installation.ts';

export const installationRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/analyze/installation',
    showsPeople: true,
    summary: 'Show whether the script works in your pages, and with `watch` what they do at the moment',
    parameters: ShowInstallation,
    output: OutputObject({ installation: Installation }),
    run: async (ctx, { watch }) => {
      if (watch) await watchInstallation(ctx);
      return { installation: await showInstallation(ctx) };
    },
  }),
  route({
    methods: ['POST'],
    path: '/v3/analyze/identity_checks',
    runsOnFullDisk: true,
    summary: 'Check a `uid_hash` or an `identity_hash`, and say what is wrong with it',
    description: 'For finding out why pages of a signed-in user are rejected. Nothing is recorded.',
    operation: 'checkIdentity',
    permission: 'edit',
    parameters: CheckIdentity,
    example: { uid: '18821', uid_hash: `${'0'.repeat(64)}-1700000000` },
    output: OutputObject({ identity_check: IdentityCheck }),
    run: async (ctx, params) => ({ identity_check: await checkIdentity(ctx, params) }),
  }),
];

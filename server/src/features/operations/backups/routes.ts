import { Backups, OutputObject } from '@usher/domain';
import { route } from '../../../http/route.ts';
import { showBackups } from './show-backups.ts';
import { startBackup } from './start-backup.ts';

const output = OutputObject({ backups: Backups });

export const backupRoutes = [
  route({
    methods: ['GET'],
    path: '/v3/edit/backups',
    summary: 'Show the backups of the installation; for owners of the account that was created first',
    permission: 'own',
    forSession: true,
    output,
    run: async (ctx) => ({ backups: await showBackups(ctx) }),
  }),
  route({
    methods: ['POST'],
    path: '/v3/edit/backups',
    summary: 'Begin a backup of the installation now; for owners of the account that was created first',
    operation: 'startBackup',
    permission: 'own',
    forSession: true,
    status: 202,
    errors: [409],
    output,
    run: async (ctx) => ({ backups: await startBackup(ctx) }),
  }),
];

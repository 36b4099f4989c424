import type { Millis } from '@usher/domain';
import type { StorageAddress } from '../db/storage.ts';

/** The names of scheduled backups. Their order is that of their times. */
export const backupNames = {
  create: (at: Millis, address: StorageAddress): string => {
    const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
    return `usher-${time}Z.${'databaseUrl' in address ? 'dump' : 'db'}`;
  },
  matches: (name: string): boolean => /^usher-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(db|dump)$/.test(name),
};

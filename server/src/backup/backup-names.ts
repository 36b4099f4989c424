import type { Millis } from '@usher/domain';

/** The names of scheduled backups. Sorting the names sorts the backups by time. */
export const backupNames = {
  create: (at: Millis, end: 'db' | 'dump'): string => {
    const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
    return `usher-${time}Z.${end}`;
  },
  matches: (name: string): boolean => /^usher-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.(db|dump)$/.test(name),
};

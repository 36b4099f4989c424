import type { Millis } from '@usher/domain';

const pattern = /^usher-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.(?:db|dump)$/;

/** The names of scheduled backups. Sorting the names sorts the backups by time. */
export const backupNames = {
  create: (at: Millis, end: 'db' | 'dump'): string => {
    const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
    return `usher-${time}Z.${end}`;
  },
  matches: (name: string): boolean => pattern.test(name),
  /** Returns when a backup was made; undefined if it is the name of another file. */
  timeOf: (name: string): Millis | undefined => {
    const [, day, hours, minutes, seconds] = pattern.exec(name) ?? [];
    return day === undefined ? undefined : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  },
};

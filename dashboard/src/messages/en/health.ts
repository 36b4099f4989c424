import { titles } from './titles.ts';

/** Texts of the page "Version and health". */
export const health = {
  title: titles.health,
  intro: 'The server that answered just now, and its database.',
  good: 'All is well',
  attention: (count: number) => (count === 1 ? '1 value needs attention' : `${count} values need attention`),
  states: { good: 'Good', attention: 'Attention' },
  refresh: 'Check again',
  names: {
    version: 'Usher',
    node: 'Node',
    engine: 'Database',
    schema: 'Schema',
    database: 'Size of the database',
    disk: 'Free disk space',
    connections: 'Connections',
    webhooks: 'Webhook queue',
    batches: 'Batches',
    sweep: 'Last cleanup',
    backups: 'Last backup',
  },
  engines: { sqlite: 'SQLite', postgres: 'PostgreSQL' },
  uptime: 'started',
  queue: (due: string, waiting: string) => `${due} due, ${waiting} wait for a later attempt`,
  oldest: 'oldest',
  batches: (running: string, waiting: string) => `${running} running, ${waiting} waiting`,
  connections: (open: string, max: string) => `${open} of ${max}`,
  noBackup: { none: 'None', notYet: 'Not yet' },
  notYet: 'Not yet: the first is an hour after the start',
};

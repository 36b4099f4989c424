import { titles } from './titles.ts';

/** Texts of the audit log. */
export const auditLog = {
  title: titles.auditLog,
  intro: 'Who signed in, changed the team, secrets and settings, and published. Entries are only added, never changed.',
  columns: { what: 'What', via: 'Via', network: 'Network', when: 'When' },
  /** The text for an action that this version of the dashboard does not know. */
  unknown: (action: string) => `did ${action}`,
  commandLine: 'Command line',
  noNetwork: 'None',
  via: {
    session: 'Dashboard',
    secret: (name: string) => `Secret “${name}”`,
    revokedSecret: 'Revoked secret',
    commandLine: 'Command line',
  },
  filters: {
    action: 'Action',
    person: 'Person',
    allActions: 'All actions',
    everybody: 'Everybody',
    former: 'Somebody who left',
    clear: 'Clear filters',
  },
  export: { open: 'Download', label: 'Download audit log', csv: 'As CSV', json: 'As JSON', fileName: 'audit-log' },
  more: 'Load more',
  count: (count: string, isOne: boolean, hasMore: boolean) =>
    `${count} ${isOne ? 'entry' : 'entries'}${hasMore ? ' so far' : ''}`,
  empty: { title: 'Nothing is recorded yet', description: 'Sign-ins and changes of the team will be listed here.' },
  nothingFound: { title: 'No entry matches', description: 'Choose another action or person.' },
  details: {
    title: 'Entry of the audit log',
    what: 'What',
    who: 'Who',
    when: 'When',
    network: 'Network',
    via: 'Via',
    action: 'Action in the API',
    target: 'Changed',
    nothing: 'none',
    change: (before: string, after: string) => `${before} → ${after}`,
  },
};

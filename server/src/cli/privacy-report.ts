import { FAILED_ROWS_KEPT_MS, IMPORT_FILE_KEPT_MS, timeOfId, toTimestamp } from '@usher/domain';
import { describeTarget } from '../backup/store.ts';
import type { AppContext } from '../context.ts';
import type { Schema } from '../db/schema.ts';
import type { Settings } from '../settings/settings.ts';
import { version } from '../settings/version.ts';

type Retention = 'person' | 'events' | 'activities' | 'findings' | 'imports' | 'short' | 'account' | 'always';
const DAY_MS = 24 * 60 * 60_000;

interface Stored {
  what: string;
  tables: (keyof Schema)[];
  kept: Retention;
}

/** What is stored about people, by table. A test compares it with the schema. */
export const stored: readonly Stored[] = [
  { what: 'users: ID, email, Company, custom properties, browser, visits', tables: ['profiles'], kept: 'person' },
  { what: 'Companies: ID and custom properties', tables: ['companies'], kept: 'person' },
  { what: 'anonymous IDs that became a part of a user', tables: ['merged_profiles'], kept: 'person' },
  { what: 'tracked events, one by one', tables: ['events'], kept: 'events' },
  { what: 'how often each user did something, first and last', tables: ['profile_events'], kept: 'person' },
  { what: 'the state of each Experience for each user', tables: ['interactions'], kept: 'person' },
  { what: 'what users saw and clicked, by day', tables: ['activities'], kept: 'activities' },
  {
    what: 'how many tours and surveys started automatically for each user, by day',
    tables: ['interruption_days'],
    kept: 'activities',
  },
  { what: 'which arm of an experiment a user is in', tables: ['exposures'], kept: 'person' },
  { what: 'Responses to surveys, with Tags', tables: ['responses', 'answers', 'response_tags'], kept: 'person' },
  { what: 'Experiences triggered for one user', tables: ['deliveries'], kept: 'person' },
  { what: 'pages on which a step was found or not', tables: ['findings'], kept: 'findings' },
  {
    what: 'items for webhooks, until they were sent',
    tables: ['outbox', 'webhook_events', 'webhook_attempts'],
    kept: 'short',
  },
  {
    what: 'page loads that an administrator watches during the installation',
    tables: ['installation_entries'],
    kept: 'short',
  },
  { what: 'a few values of each Property, as samples', tables: ['properties'], kept: 'person' },
  {
    what: 'files of imports, and their rows that failed',
    tables: ['import_pieces', 'import_failures'],
    kept: 'imports',
  },
  { what: 'pages that an administrator picks elements on', tables: ['picks'], kept: 'short' },
  {
    what: 'people who sign in to the dashboard: email, name, password as a hash',
    tables: ['people', 'admins', 'sessions', 'links'],
    kept: 'account',
  },
  {
    what: 'what they did: the audit log, with the network that they were in',
    tables: ['audit_entries'],
    kept: 'always',
  },
];

/** `usher privacy-report`: what is stored about people and where, for how long, and where it is sent. It changes nothing. */
export async function createPrivacyReport(app: AppContext, settings: Settings): Promise<PrivacyReport> {
  const db = app.storage.reader(null);
  const accounts = await db.selectFrom('accounts').select(['id', 'name']).orderBy('id').execute();
  const describeAccount = async ({ id, name }: { id: string; name: string }) => {
    const reader = app.storage.reader(id);
    const webhooks = await reader.selectFrom('webhooks').select('uid').where('account_id', '=', id).execute();
    const deletions = await reader
      .selectFrom('deletions')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
      .where('account_id', '=', id)
      .executeTakeFirst();
    const forgotten = {
      count: Number(deletions?.count ?? 0),
      last_at: deletions?.last ? toTimestamp(timeOfId(deletions.last)) : null,
    };
    return { ...{ id, name, forgotten }, webhooks_send_to: [...new Set(webhooks.map(({ uid }) => new URL(uid).host))] };
  };
  const { origin, host } = new URL(settings.pageUrl);
  return {
    made_at: toTimestamp(app.now()),
    version,
    place:
      settings.databaseUrl === undefined
        ? `SQLite: ${settings.sqliteFile}`
        : `PostgreSQL: ${new URL(settings.databaseUrl).host}`,
    encrypted:
      'the keys that sign and prove, with the master key, which is not in the database; secrets and passwords are hashes',
    stored: stored.map(({ what, tables, kept }) => ({ what, tables, kept: describeRetention(kept, settings) })),
    backups: settings.backup
      ? {
          to: describeTarget(settings.backup.to),
          kept: settings.backup.keep,
          hours_between: settings.backup.everyMs / 3_600_000,
        }
      : null,
    exports: settings.export ? { to: describeTarget(settings.export.to) } : null,
    accounts: await Promise.all(accounts.map(describeAccount)),
    pages: {
      cookies: 'none',
      storage: 'entries of the local and session storage of the page whose names begin with "usher:"',
      before_consent:
        'nothing is stored, and only the address of the page is sent, if the page calls usher.consent("pending")',
      requests_to: host,
      content_security_policy: `script-src ${origin}; connect-src ${origin}; img-src ${origin}`,
    },
    addresses: 'IP addresses are neither stored with users nor logged',
    telemetry: 'none',
    subprocessors: [],
  };
}

function describeRetention(kept: Retention, { eventsDays, activitiesDays, findingsDays }: Settings): string {
  const days = (count: number | undefined) => (count === undefined ? 'until the user is deleted' : `${count} days`);
  return {
    person: 'until the user is deleted',
    events: days(eventsDays),
    activities: days(activitiesDays),
    findings: days(findingsDays),
    imports: `the file ${IMPORT_FILE_KEPT_MS / DAY_MS} days, failed rows ${FAILED_ROWS_KEPT_MS / DAY_MS} days`,
    short: 'days',
    account: 'until they are removed from all accounts',
    always: 'as long as the account',
  }[kept];
}

export interface PrivacyReport {
  made_at: string;
  version: string;
  place: string;
  encrypted: string;
  stored: { what: string; tables: string[]; kept: string }[];
  backups: { to: string; kept: number; hours_between: number } | null;
  exports: { to: string } | null;
  accounts: {
    id: string;
    name: string;
    forgotten: { count: number; last_at: string | null };
    webhooks_send_to: string[];
  }[];
  pages: Record<'cookies' | 'storage' | 'before_consent' | 'requests_to' | 'content_security_policy', string>;
  addresses: string;
  telemetry: string;
  subprocessors: string[];
}

/** As Markdown, for a record of processing activities. */
export function printPrivacyReport(report: PrivacyReport): string {
  const { backups, exports, pages } = report;
  const lines = [
    `# Privacy report of this Usher`,
    '',
    `Made ${report.made_at} by Usher ${report.version}. It describes the installation as it is set now.`,
    '',
    '## Where data is',
    '',
    `- Database: ${report.place}`,
    `- Encrypted in it: ${report.encrypted}`,
    `- Backups: ${backups ? `${backups.to}, every ${backups.hours_between} hours, the last ${backups.kept} are kept` : 'none that Usher makes'}`,
    `- Exports: ${exports ? exports.to : 'none'}`,
    '',
    '## What is stored about people',
    '',
    '| what | tables | how long |',
    '|---|---|---|',
    ...report.stored.map(({ what, tables, kept }) => `| ${what} | ${tables.join(', ')} | ${kept} |`),
    '',
    `${report.addresses}.`,
    '',
    '## What pages get',
    '',
    `- Cookies: ${pages.cookies}`,
    `- Storage of the browser: ${pages.storage}`,
    `- Before consent: ${pages.before_consent}`,
    `- Requests go to: ${pages.requests_to}`,
    `- What a content security policy must allow: ${pages.content_security_policy}`,
    '',
    '## Where data is sent',
    '',
    `- Telemetry: ${report.telemetry}. Subprocessors of Usher: none.`,
    ...report.accounts.map(
      ({ name, id, webhooks_send_to }) => `- Webhooks of ${name} (${id}): ${webhooks_send_to.join(', ') || 'none'}`,
    ),
    '',
    '## Proofs of deletion',
    '',
    ...report.accounts.map(
      ({ name, id, forgotten }) =>
        `- ${name} (${id}): ${forgotten.count} forgotten users and Companies${forgotten.last_at ? `, the last ${forgotten.last_at}` : ''}`,
    ),
    '',
  ];
  return lines.join('\n');
}

/*
 * The audit log in sentences. Only its page needs these texts, so they are not in the file that every page loads.
 */

/** The values of an entry of the audit log that its sentence is made of. */
interface Entry {
  /** The name of what was changed, if it still has one. */
  target: string | null;
  /** What was changed: `tour`, `secret`, … */
  type: string | null;
  details: Record<string, unknown>;
}

/**
 * The rest of a sentence that begins with the administrator; or the whole sentence, if its subject is somebody else.
 */
type Sentence = (entry: Entry) => string | { subject: string; rest: string };

const quoted = (name: unknown) => `“${String(name)}”`;
const named = (noun: string, name: unknown) =>
  name === null || name === undefined ? `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}` : `the ${noun} ${quoted(name)}`;
const words = (key: string) => key.replaceAll('_', ' ');
const list = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
const experience = ({ type, target }: Entry) => named(type ?? 'Experience', target);
const pair = (value: unknown): readonly [unknown, unknown] | undefined =>
  Array.isArray(value) && value.length === 2 ? [value[0], value[1]] : undefined;

const settings: Record<string, string> = {
  name: 'the name',
  allow_scripts: 'code in Experiences',
  allow_globals: 'values of the page in texts',
  allow_percent: 'percent of users in pages',
  delivery_ids_limit: 'how many Deliveries can be pending',
  require_uid_hash: 'proof of identity',
  trust_pages: 'trust in pages',
  anonymous_users: 'users who have not signed in',
  anonymous_days: 'how long users who have not signed in are kept',
  who_may_publish: 'who may publish',
  test_emails: 'who is a test user',
};

const scopes: Record<string, string> = {
  read: 'reads',
  ingest: 'sends data',
  propose: 'proposes',
  edit: 'edits',
  all: 'everything',
};

const testUserSentences: Record<string, string> = {
  true: 'marked a user as a test user',
  false: 'marked a user as no test user',
  null: 'let the email patterns say whether a user is a test user',
};

/** A sentence for every action that the server records. A test compares the two lists. */
export const auditSentences: Record<string, Sentence> = {
  'session.create': () => 'signed in',
  'backup.create': () => 'began a backup of the installation',
  'session.reject': ({ target, details: { count } }) => ({
    subject: 'Somebody',
    rest: `tried ${count === 1 ? 'a wrong password' : `${count ?? 'several'} wrong passwords`} for ${target ?? 'an administrator'}`,
  }),
  'session.switch': () => 'switched to this account',
  'session.delete': () => 'signed out a device',
  'person.update': ({ details: { fields } }) =>
    `changed their own ${Array.isArray(fields) && fields.length > 0 ? list(fields.map(String)) : 'profile'}`,
  'person.create_reset_link': () => 'created a link to choose a new password',
  'person.reset_password': () => 'chose a new password with a link',
  'admin.create': ({ target, details }) => ({
    subject: target ?? 'Somebody',
    rest: `${details.invitation_id === undefined ? 'was added' : 'joined by an invitation'} as ${details.role}`,
  }),
  'admin.update': ({ target, details: { role } }) =>
    `changed the role of ${target ?? 'somebody'}${pair(role) ? ` from ${pair(role)?.[0]} to ${pair(role)?.[1]}` : ''}`,
  'admin.delete': ({ target }) => `removed ${target ?? 'somebody'} from the account`,
  'invitation.create': ({ details: { role } }) => `created an invitation as ${role}`,
  'invitation.delete': ({ details: { role } }) => `withdrew an invitation as ${role}`,
  'secret.create': ({ details: { name, scope } }) =>
    `created ${named('API secret', name)} (${scopes[String(scope)] ?? String(scope)})`,
  'secret.delete': ({ details: { name } }) => `revoked ${named('API secret', name)}`,
  'proposal.create': ({ details: { name } }) => `proposed ${named('Experience', name)}`,
  'proposal.approve': ({ details: { name, publish } }) =>
    `${publish === false ? 'approved as a draft' : 'approved and published'} ${named('proposal', name)}`,
  'proposal.reject': ({ details: { name } }) => `rejected ${named('proposal', name)}`,
  'account.create': () => 'set up the account',
  'account.update': ({ details }) =>
    `changed in the settings: ${list(Object.keys(details).map((key) => settings[key] ?? words(key))) || 'nothing'}`,
  'account.create_uid_secret': () => 'created a new secret for the proof of identity',
  'url.create': ({ details: { host } }) => `added ${named('domain', host)}`,
  'url.update': ({ details: { hosts, host, count } }) =>
    typeof count === 'number' && count > 1
      ? `changed ${count} domains`
      : `changed ${named('domain', host ?? (Array.isArray(hosts) ? hosts[0] : undefined))}`,
  'url.move': ({ target, details: { host } }) => `moved ${named('domain', host ?? target)} to another Environment`,
  'url_group.create': ({ target, details: { name } }) => `created ${named('Environment', name ?? target)}`,
  'url_group.update': ({ target, details: { name } }) =>
    `changed ${named('Environment', target ?? pair(name)?.[1] ?? null)}`,
  'language.create': ({ details: { code } }) => `added ${named('language', code)}`,
  'language.delete': ({ details: { code } }) => `deleted ${named('language', code)}`,
  'alert_group.create': ({ details: { name } }) => `created ${named('alert group', name)}`,
  'alert_group.update': ({ details: { name } }) => `changed ${named('alert group', name)}`,
  'alert_group.delete': ({ details: { name } }) => `deleted ${named('alert group', name)}`,
  'experiment.create': ({ details: { name } }) => `created ${named('experiment', name)}`,
  'experiment.update': ({ details: { name } }) => `changed ${named('experiment', name)}`,
  'experiment.delete': ({ details: { name } }) => `deleted ${named('experiment', name)}`,
  'experiment.start': ({ details: { name } }) => `started ${named('experiment', name)}`,
  'experiment.end': ({ details: { name } }) => `ended ${named('experiment', name)}`,
  'experiment.publish_winner': ({ details: { name } }) => `published the winner of ${named('experiment', name)}`,
  'experiment.undo_winner': ({ details: { name } }) => `undid the end of ${named('experiment', name)}`,
  'limit_group.create': ({ details: { name } }) => `created ${named('limit group', name)}`,
  'limit_group.update': ({ details: { name } }) => `changed ${named('limit group', name)}`,
  'limit_group.delete': ({ details: { name } }) => `deleted ${named('limit group', name)}`,
  'report.create': ({ details: { name } }) => `saved ${named('report', name)}`,
  'report.update': ({ details: { name } }) => `changed ${named('report', name)}`,
  'report.delete': ({ details: { name } }) => `deleted ${named('report', name)}`,
  'webhook.create': ({ details: { host } }) => `created a webhook to ${host ?? 'an address'}`,
  'webhook.update': ({ details: { host } }) => `changed the webhook to ${host ?? 'an address'}`,
  'webhook.delete': ({ details: { host } }) => `deleted the webhook to ${host ?? 'an address'}`,
  'webhook.rotate': ({ target }) => `created a new secret for ${named('webhook', target || null)}`,
  'experience.publish': (entry) => `published ${experience(entry)}`,
  'experience.unpublish': (entry) => `unpublished ${experience(entry)}`,
  'experience.schedule': (entry) => `changed when ${experience(entry)} ends`,
  'experience.archive': (entry) => `archived ${experience(entry)}, which was published`,
  'experience.restore': (entry) => `restored ${experience(entry)} from the archive`,
  'experience.delete': (entry) => `deleted ${experience(entry)}, which was published`,
  'event_name.publish': ({ details: { name } }) => `published ${named('event', name)}`,
  'event_name.unpublish': ({ details: { name } }) => `unpublished ${named('event', name)}`,
  'event_name.update': ({ details: { name } }) => `changed what counts as ${named('event', name)}, which is published`,
  'event_name.delete': ({ details: { name } }) => `deleted ${named('event', name)}, which was published`,
  'theme.publish': ({ target }) => `published ${named('theme', target)}`,
  'theme.unpublish': ({ target }) => `unpublished ${named('theme', target)}`,
  'theme.set_default': ({ target, details }) =>
    details.default
      ? `made ${named('theme', target)} the default`
      : `made ${named('theme', target)} no longer the default`,
  'theme.delete': ({ details: { name } }) => `deleted ${named('theme', name)}, which was published`,
  'debug_token.create': () => 'created a debug token, which explains to a page what shows',
  'pick.create': (entry) => `${pickSentence(entry, 'asked')} on ${entry.details.host ?? 'a page'}`,
  'pick.open': (entry) => `${pickSentence(entry, 'opened')} on ${entry.details.host ?? 'a page'}`,
  'profile.export': () => 'exported everything about a user',
  'profile.clear': () => 'cleared a user, who is new again',
  'profile.forget': () => 'forgot a user, with everything about them',
  'profile.update': ({ details: { test } }) =>
    testUserSentences[String(pair(test)?.[1])] ?? 'changed who is a test user',
  'import.start': ({ details: { kind, dry_run } }) =>
    `${dry_run ? 'tried' : 'started'} an import that ${importVerbs[String(kind).split('_')[0] ?? ''] ?? 'changes'} records`,
  'import.delete': () => 'deleted an import, with its file',
  'sample_data.load': () => 'loaded the sample data',
  'sample_data.remove': () => 'removed the sample data',
  'move.start': () => 'started to import from another service',
  'move.release': () => 'released the imported webhooks',
};

const importVerbs: Record<string, string> = { update: 'updates', tag: 'tags', delete: 'deletes' };

function pickSentence(entry: Entry, did: 'asked' | 'opened'): string {
  const isAsked = did === 'asked';
  if (entry.details.purpose === 'theme')
    return `${isAsked ? 'asked to take' : 'opened the picker for'} ${named('theme', entry.target)}`;
  if (entry.details.purpose === 'event')
    return `${isAsked ? 'asked to pick an element for' : 'opened the picker for'} an event`;
  if (entry.details.purpose === 'try') return `${isAsked ? 'asked to try' : 'opened a try of'} ${experience(entry)}`;
  return `${isAsked ? 'asked to pick an element for' : 'opened the picker for'} ${experience(entry)}`;
}

/** The names of actions in the filter of the audit log. */
export const auditActionNames: Record<string, string> = {
  'session.create': 'Signed in',
  'session.reject': 'Wrong passwords',
  'session.switch': 'Switched to this account',
  'session.delete': 'Signed out',
  'person.update': 'Changed own profile',
  'person.create_reset_link': 'Link for a new password',
  'person.reset_password': 'New password by link',
  'admin.create': 'Joined',
  'admin.update': 'Changed a role',
  'admin.delete': 'Removed somebody',
  'invitation.create': 'Created an invitation',
  'invitation.delete': 'Withdrew an invitation',
  'secret.create': 'Created an API secret',
  'secret.delete': 'Revoked an API secret',
  'proposal.create': 'Proposed an Experience',
  'proposal.approve': 'Approved a proposal',
  'proposal.reject': 'Rejected a proposal',
  'account.create': 'Set up the account',
  'account.update': 'Changed settings',
  'account.create_uid_secret': 'New secret for identity',
  'url.create': 'Added a domain',
  'url.update': 'Changed a domain',
  'url.move': 'Moved a domain',
  'url_group.create': 'Created an Environment',
  'url_group.update': 'Changed an Environment',
  'language.create': 'Added a language',
  'language.delete': 'Deleted a language',
  'alert_group.create': 'Created an alert group',
  'alert_group.update': 'Changed an alert group',
  'alert_group.delete': 'Deleted an alert group',
  'experiment.create': 'Created an experiment',
  'experiment.update': 'Changed an experiment',
  'experiment.delete': 'Deleted an experiment',
  'experiment.start': 'Started an experiment',
  'experiment.end': 'Ended an experiment',
  'experiment.publish_winner': 'Published the winner of an experiment',
  'experiment.undo_winner': 'Undid the end of an experiment',
  'limit_group.create': 'Created a limit group',
  'limit_group.update': 'Changed a limit group',
  'limit_group.delete': 'Deleted a limit group',
  'backup.create': 'Began a backup',
  'report.create': 'Saved a report',
  'report.update': 'Changed a report',
  'report.delete': 'Deleted a report',
  'webhook.create': 'Created a webhook',
  'webhook.update': 'Changed a webhook',
  'webhook.delete': 'Deleted a webhook',
  'webhook.rotate': 'New secret of a webhook',
  'experience.publish': 'Published',
  'experience.unpublish': 'Unpublished',
  'experience.schedule': 'Changed an end',
  'experience.archive': 'Archived',
  'experience.restore': 'Restored',
  'experience.delete': 'Deleted an Experience',
  'event_name.publish': 'Published an event',
  'event_name.unpublish': 'Unpublished an event',
  'event_name.update': 'Changed a published event',
  'event_name.delete': 'Deleted a published event',
  'theme.publish': 'Published a theme',
  'theme.unpublish': 'Unpublished a theme',
  'theme.set_default': 'Changed the default theme',
  'theme.delete': 'Deleted a theme',
  'debug_token.create': 'Created a debug token',
  'pick.create': 'Asked to pick or try on a page',
  'pick.open': 'Opened the picker on a page',
  'profile.export': 'Exported a user',
  'profile.clear': 'Cleared a user',
  'profile.forget': 'Forgot a user',
  'profile.update': 'Marked a test user',
  'import.start': 'Started an import',
  'import.delete': 'Deleted an import',
  'sample_data.load': 'Loaded sample data',
  'sample_data.remove': 'Removed sample data',
  'move.start': 'Started an import',
  'move.release': 'Released imported webhooks',
};

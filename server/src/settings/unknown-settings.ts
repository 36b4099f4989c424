const names = [
  'USHER_ACME_CA',
  'USHER_ACME_DIRECTORY',
  'USHER_ACME_EMAIL',
  'USHER_ACTIVITIES_DAYS',
  'USHER_BACKUP_BEFORE_UPDATE',
  'USHER_BACKUP_EVERY',
  'USHER_BACKUP_KEEP',
  'USHER_BACKUP_TO',
  'USHER_BASE_PATH',
  'USHER_BODY_TIMEOUT',
  'USHER_BOOTSTRAP_EMAIL',
  'USHER_BOOTSTRAP_PASSWORD',
  'USHER_BOOTSTRAP_SECRET',
  'USHER_BOOTSTRAP_TOKEN',
  'USHER_CHANGES_DAYS',
  'USHER_CONNECTIONS',
  'USHER_CONNECTIONS_PER_ADDRESS',
  'USHER_STREAMS',
  'USHER_STREAMS_PER_ACCOUNT',
  'USHER_STREAMS_PER_ADDRESS',
  'USHER_DASHBOARD_TOUR',
  'USHER_DATA',
  'USHER_DATABASE_CONNECTIONS',
  'USHER_DATABASE_REPLICA_URL',
  'USHER_DATABASE_REPLICA_URL_FILE',
  'USHER_DEMO',
  'USHER_DOMAIN',
  'USHER_DRAIN',
  'USHER_EVENTS_DAYS',
  'USHER_EXPORT_EVERY',
  'USHER_EXPORT_FORMAT',
  'USHER_EXPORT_ROWS',
  'USHER_EXPORT_TO',
  'USHER_FINDINGS_DAYS',
  'USHER_FIRST_SECRET_FILE',
  'USHER_HEADERS_TIMEOUT',
  'USHER_HTTP_PORT',
  'USHER_KEEP_ALIVE_TIMEOUT',
  'USHER_LIMIT_PER_ADDRESS',
  'USHER_LIMIT_PER_SECRET',
  'USHER_LIMIT_REPORTS',
  'USHER_LIMIT_SIGN_INS',
  'USHER_LIMIT_WRONG_SECRETS',
  'USHER_LOG_LEVEL',
  'USHER_MASTER_KEY',
  'USHER_MASTER_KEY_FILE',
  'USHER_MIN_FREE_DISK',
  'USHER_OPERATIONS_PORT',
  'USHER_OPERATIONS_SECRET',
  'USHER_PAGE_EVENTS_PER_DAY',
  'USHER_PAGE_HOSTS_PER_DAY',
  'USHER_PAGE_MEGABYTES_PER_DAY',
  'USHER_PAGE_PROBLEMS_PER_DAY',
  'USHER_PAGE_PROFILES_PER_DAY',
  'USHER_PAGE_RESPONSES_PER_DAY',
  'USHER_PAGE_URL',
  'USHER_PUBLIC_URL',
  'USHER_PICTURE_STORAGE',
  'USHER_IMPORT_STORAGE',
  'USHER_PUBLISHED_CACHE',
  'USHER_REQUESTS_PER_CONNECTION',
  'USHER_REQUEST_TIMEOUT',
  'USHER_REQUIRE_HTTPS',
  'USHER_S3_ACCESS_KEY',
  'USHER_S3_ENDPOINT',
  'USHER_S3_REGION',
  'USHER_S3_SECRET_KEY',
  'USHER_SEND_TIMEOUT',
  'USHER_SCRIPT_ALIAS',
  'USHER_TLS_CERT',
  'USHER_TLS_KEY',
  'USHER_TRUST_PROXY',
  'USHER_WEBHOOK_ALLOW_NETWORKS',
  'USHER_WEBHOOK_DENY_NETWORKS',
  'USHER_WEBHOOK_SOURCE_ADDRESSES',
  'USHER_WORKERS',
];
/** The settings of commands that call a server, of workers, and of the build and its tests. */
const others = /^USHER_(URL|WORKER|SEED|BROWSER_RETRIES|TEST_.*)$/;
/** Kubernetes sets these variables for a Service with the name `usher`. */
const ofService = /^USHER_(SERVICE_(HOST|PORT)|PORT_\d+)/;

/**
 * Describes the variables that begin like a setting and are none, such as misspelt settings; undefined if there are
 * none.
 */
export function describeUnknownSettings(env: NodeJS.ProcessEnv): string | undefined {
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('USHER_') &&
      !names.includes(name) &&
      !others.test(name) &&
      !ofService.test(name) &&
      !(name === 'USHER_PORT' && env[name]?.startsWith('tcp:')),
  );
  if (unknown.length === 0) return undefined;
  return unknown.length === 1
    ? `${unknown[0]} is no setting and has no effect: docs/running.md lists all settings`
    : `${unknown.sort().join(', ')} are no settings and have no effect: docs/running.md lists all settings`;
}

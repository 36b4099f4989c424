import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { MIN_PASSWORD } from '@usher/domain';
import { messageOf } from '../error-code.ts';
import { type MasterKeySource, readKey } from './master-key-source.ts';
import { type BackupSettings, readBackup, readS3, type S3Settings } from './read-backup-settings.ts';
import { readBasePath } from './read-base-path.ts';
import { type CertificateSettings, readCertificateSettings } from './read-certificate-settings.ts';
import { type ExportSettings, readExport } from './read-export-settings.ts';
import { readScriptAliases, type ScriptAlias } from './read-script-aliases.ts';
import {
  readAddresses,
  readCount,
  readDays,
  readLimit,
  readMegabytes,
  readNetworks,
  readPem,
  readPort,
  readQuota,
  readSeconds,
  readSecret,
  readSwitch,
  readTextFile,
  readWord,
  WrongSetting,
} from './read-setting.ts';

/** Two for requests, one for heavy reads, one for batches. */
const MIN_DATABASE_CONNECTIONS = 4;
const DEFAULT_DATABASE_CONNECTIONS = 24;
const DEFAULT_CONNECTIONS_PER_WORKER = 8;
const MAX_WORKERS = 128;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Settings {
  host: string;
  port: number;
  /** How many processes serve requests. */
  workers: number;
  publicUrl: string;
  /** The public URL, but only if USHER_PUBLIC_URL or USHER_DOMAIN is set. */
  explicitPublicUrl: string | undefined;
  /** The path below which everything that pages load and call is served, too; empty without one. */
  basePath: string;
  /** Where pages reach this server. */
  pageUrl: string;
  explicitPageUrl: string | undefined;
  /** Undefined if the server does not get its certificate itself. */
  certificates: CertificateSettings | undefined;
  /** The separate port of `/metrics` and `/openapi.json`, and the secret that they require. */
  operationsPort: number | undefined;
  operationsHost: string;
  operationsSecret: string | undefined;
  logLevel: (typeof logLevels)[number];
  /** The folder of the SQLite file, uploads and keys. */
  data: string;
  sqliteFile: string;
  databaseUrl: string | undefined;
  /** A standby of the database, which heavy reads use. */
  databaseReplicaUrl: string | undefined;
  /** How many connections to PostgreSQL this process may have, with all its threads. Its workers divide them. */
  databaseConnections: number;
  masterKey: MasterKeySource;
  /** The file that the first secret is written to instead of being printed. */
  firstSecretFile: string | undefined;
  tls: { cert: Buffer; key: Buffer } | undefined;
  trustProxy: boolean | string[];
  requireHttps: boolean;
  /** Below so many free bytes on the disk of the SQLite file nothing is stored that grows it. 0 means no limit. */
  minFreeDisk: number;
  /** How many bytes of published content are kept in memory, in each process. */
  publishedCacheBytes: number;
  /** How many bytes the pictures of an account may have. 0 means no limit. */
  pictureBytes: number;
  /** How many bytes the stored files of imports of an account may have. 0 means no limit. */
  importBytes: number;
  /** Whether the dashboard offers a tour of itself. */
  dashboardTour: boolean;
  /** For how many days single events are kept. */
  eventsDays: number;
  /** For how many days other records are kept; undefined keeps them for good. */
  activitiesDays: number | undefined;
  findingsDays: number | undefined;
  changesDays: number | undefined;
  /** Whether the demo site is served at /demo, and the first account gets its Experiences. */
  demo: boolean;
  /** The limits of requests in a minute: with one secret, from pages at one address, and with wrong secrets or tokens. */
  limitPerSecret: number;
  limitPerAddress: number;
  limitWrongSecrets: number;
  /** How often one network may try to sign in, in a minute. */
  limitSignIns: number;
  /** The limits of open connections, in total and from one address, and of requests on one connection. 0 means no limit. */
  connections: number;
  connectionsPerAddress: number;
  requestsPerConnection: number;
  /** How many streams pages may have open: in total (0 turns them off), of one account, and from one address. */
  streams: { total: number; perAccount: number; perAddress: number };
  /** Milliseconds to receive a whole request, to receive its headers, between two requests, and while a client does not read. */
  requestTimeout: number;
  headersTimeout: number;
  keepAliveTimeout: number;
  sendTimeout: number;
  /** For how many milliseconds a server that stops still accepts requests, while `/readyz` returns 503. */
  drainTime: number;
  /** How much pages without proof can create in one account in a day. 0 means no limit. */
  pageQuotas: Record<'profiles' | 'hosts' | 'events' | 'problems' | 'responses' | 'bytes', number>;
  /** How many reports the pages of one user may send in an hour. */
  limitReports: number;
  /** After how many seconds without data the server stops waiting for the rest of a body. */
  bodyTimeout: number;
  webhookAllowNetworks: string[];
  webhookDenyNetworks: string[];
  webhookSourceAddresses: string[];
  /** Further paths of the browser script, for pages with the snippet of another service. */
  scriptAliases: ScriptAlias[];
  bootstrap: { email?: string; password?: string; secret?: string; token?: string };
  /** Undefined if no backups are made automatically. */
  backup: BackupSettings | undefined;
  /** Undefined if nothing is exported for a warehouse. */
  export: ExportSettings | undefined;
  /** Whether a SQLite database is backed up before this version changes its schema. */
  backupBeforeUpdate: boolean;
  /** Undefined if the settings have no keys for S3. */
  s3: S3Settings | undefined;
  /** The environment of programs that Usher starts, without its own settings and secrets. */
  programEnv: Record<string, string>;
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const certificates = readCertificateSettings(env);
  // A server with a domain is for everybody. `::` is every IPv4 address, too.
  const host = env.HOST || (certificates ? '::' : '127.0.0.1');
  const port = readPort('PORT', env.PORT) ?? (certificates ? 443 : 3400);
  if (certificates?.httpPort === port && port !== 0)
    throw new WrongSetting('USHER_HTTP_PORT must not be the same as PORT');
  const operationsPort = readPort('USHER_OPERATIONS_PORT', env.USHER_OPERATIONS_PORT);
  if (operationsPort === port && port !== 0)
    throw new WrongSetting('USHER_OPERATIONS_PORT must not be the same as PORT');
  const data = resolve(env.USHER_DATA || 'data');
  const databaseUrl = readDatabaseUrl('DATABASE_URL', env.DATABASE_URL, env.DATABASE_URL_FILE);
  const databaseReplicaUrl = readDatabaseUrl(
    'USHER_DATABASE_REPLICA_URL',
    env.USHER_DATABASE_REPLICA_URL,
    env.USHER_DATABASE_REPLICA_URL_FILE,
  );
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined)
    throw new WrongSetting('USHER_DATABASE_REPLICA_URL needs PostgreSQL: set DATABASE_URL too');
  const workers = readWorkers(env.USHER_WORKERS, databaseUrl !== undefined);
  const tls = readTls(env.USHER_TLS_CERT, env.USHER_TLS_KEY);
  const explicitPublicUrl =
    readUrl('USHER_PUBLIC_URL', env.USHER_PUBLIC_URL) ?? (certificates && `https://${certificates.mainDomain}`);
  const explicitPageUrl = readUrl('USHER_PAGE_URL', env.USHER_PAGE_URL);
  const basePath = readBasePath(env.USHER_BASE_PATH);
  const publicUrl =
    explicitPublicUrl ?? `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    host,
    port,
    workers,
    publicUrl,
    explicitPublicUrl,
    basePath,
    pageUrl: explicitPageUrl ?? publicUrl + basePath,
    explicitPageUrl,
    certificates,
    operationsPort,
    // It has no HTTPS with USHER_DOMAIN, so it is for this machine unless HOST says otherwise.
    operationsHost: env.HOST || '127.0.0.1',
    operationsSecret: readSecret('USHER_OPERATIONS_SECRET', env.USHER_OPERATIONS_SECRET),
    logLevel: readWord('USHER_LOG_LEVEL', env.USHER_LOG_LEVEL, logLevels) ?? 'info',
    data,
    sqliteFile: join(data, 'usher.db'),
    databaseUrl,
    databaseReplicaUrl,
    databaseConnections: readDatabaseConnections(env.USHER_DATABASE_CONNECTIONS, workers),
    masterKey: readMasterKey(env.USHER_MASTER_KEY, env.USHER_MASTER_KEY_FILE, join(data, 'master.key')),
    firstSecretFile: env.USHER_FIRST_SECRET_FILE ? resolve(env.USHER_FIRST_SECRET_FILE) : undefined,
    tls,
    trustProxy: readTrustProxy(env.USHER_TRUST_PROXY),
    requireHttps: readSwitch('USHER_REQUIRE_HTTPS', env.USHER_REQUIRE_HTTPS) ?? false,
    minFreeDisk: 1_000_000 * (readMegabytes('USHER_MIN_FREE_DISK', env.USHER_MIN_FREE_DISK) ?? 256),
    pictureBytes: 1_000_000 * (readMegabytes('USHER_PICTURE_STORAGE', env.USHER_PICTURE_STORAGE) ?? 1000),
    importBytes: 1_000_000 * (readMegabytes('USHER_IMPORT_STORAGE', env.USHER_IMPORT_STORAGE) ?? 500),
    dashboardTour: readSwitch('USHER_DASHBOARD_TOUR', env.USHER_DASHBOARD_TOUR) ?? true,
    publishedCacheBytes: 1_000_000 * (readMegabytes('USHER_PUBLISHED_CACHE', env.USHER_PUBLISHED_CACHE) ?? 256),
    eventsDays: readDays('USHER_EVENTS_DAYS', env.USHER_EVENTS_DAYS) ?? 365,
    activitiesDays: readDays('USHER_ACTIVITIES_DAYS', env.USHER_ACTIVITIES_DAYS),
    // A step is called failing by the findings of a week.
    findingsDays: readDays('USHER_FINDINGS_DAYS', env.USHER_FINDINGS_DAYS, 7),
    changesDays: readDays('USHER_CHANGES_DAYS', env.USHER_CHANGES_DAYS),
    demo: readSwitch('USHER_DEMO', env.USHER_DEMO) ?? (isLocal(publicUrl) && !env.USHER_BOOTSTRAP_SECRET),
    limitPerSecret: readLimit('USHER_LIMIT_PER_SECRET', env.USHER_LIMIT_PER_SECRET) ?? 300_000,
    limitPerAddress: readLimit('USHER_LIMIT_PER_ADDRESS', env.USHER_LIMIT_PER_ADDRESS) ?? 60_000,
    limitWrongSecrets: readLimit('USHER_LIMIT_WRONG_SECRETS', env.USHER_LIMIT_WRONG_SECRETS) ?? 1000,
    limitSignIns: readLimit('USHER_LIMIT_SIGN_INS', env.USHER_LIMIT_SIGN_INS, 'sign-ins a minute') ?? 30,
    connections: readCount('USHER_CONNECTIONS', env.USHER_CONNECTIONS) ?? 20_000,
    connectionsPerAddress: readCount('USHER_CONNECTIONS_PER_ADDRESS', env.USHER_CONNECTIONS_PER_ADDRESS) ?? 10_000,
    requestsPerConnection: readCount('USHER_REQUESTS_PER_CONNECTION', env.USHER_REQUESTS_PER_CONNECTION) ?? 10_000,
    streams: {
      total: readCount('USHER_STREAMS', env.USHER_STREAMS) ?? 10_000,
      perAccount: readStreams('USHER_STREAMS_PER_ACCOUNT', env.USHER_STREAMS_PER_ACCOUNT) ?? 5000,
      perAddress: readStreams('USHER_STREAMS_PER_ADDRESS', env.USHER_STREAMS_PER_ADDRESS) ?? 1000,
    },
    ...readTimeouts(env),
    drainTime: 1000 * (readDrainSeconds(env.USHER_DRAIN) ?? 0),
    pageQuotas: {
      profiles: readQuota('USHER_PAGE_PROFILES_PER_DAY', env.USHER_PAGE_PROFILES_PER_DAY) ?? 500_000,
      hosts: readQuota('USHER_PAGE_HOSTS_PER_DAY', env.USHER_PAGE_HOSTS_PER_DAY) ?? 200,
      events: readQuota('USHER_PAGE_EVENTS_PER_DAY', env.USHER_PAGE_EVENTS_PER_DAY) ?? 5_000_000,
      problems: readQuota('USHER_PAGE_PROBLEMS_PER_DAY', env.USHER_PAGE_PROBLEMS_PER_DAY) ?? 50_000,
      responses: readQuota('USHER_PAGE_RESPONSES_PER_DAY', env.USHER_PAGE_RESPONSES_PER_DAY) ?? 50_000,
      bytes: 1_000_000 * (readQuota('USHER_PAGE_MEGABYTES_PER_DAY', env.USHER_PAGE_MEGABYTES_PER_DAY) ?? 900),
    },
    limitReports: readLimit('USHER_LIMIT_REPORTS', env.USHER_LIMIT_REPORTS, 'reports an hour') ?? 1000,
    bodyTimeout: readSeconds('USHER_BODY_TIMEOUT', env.USHER_BODY_TIMEOUT) ?? 10,
    webhookAllowNetworks: readNetworks('USHER_WEBHOOK_ALLOW_NETWORKS', env.USHER_WEBHOOK_ALLOW_NETWORKS),
    webhookDenyNetworks: readNetworks('USHER_WEBHOOK_DENY_NETWORKS', env.USHER_WEBHOOK_DENY_NETWORKS),
    webhookSourceAddresses: readAddresses('USHER_WEBHOOK_SOURCE_ADDRESSES', env.USHER_WEBHOOK_SOURCE_ADDRESSES),
    scriptAliases: readScriptAliases(env.USHER_SCRIPT_ALIAS),
    bootstrap: readBootstrap(env),
    backup: readBackup(env),
    export: readExport(env),
    backupBeforeUpdate: readSwitch('USHER_BACKUP_BEFORE_UPDATE', env.USHER_BACKUP_BEFORE_UPDATE) ?? true,
    s3: readS3(env),
    programEnv: readProgramEnv(env),
  };
}

/** With SQLite one process writes at a time, so more workers would only wait for each other. */
function readWorkers(text: string | undefined, hasPostgres: boolean): number {
  if (!text) return 1;
  if (text === 'auto') return hasPostgres ? availableParallelism() : 1;
  const workers = Number(text);
  if (!/^\d+$/.test(text) || workers < 1 || workers > MAX_WORKERS)
    throw new WrongSetting(
      `USHER_WORKERS (--workers) must be a number from 1 to ${MAX_WORKERS} or auto, not "${text}"`,
    );
  if (workers > 1 && !hasPostgres)
    throw new WrongSetting(
      'USHER_WORKERS (--workers) above 1 needs PostgreSQL (DATABASE_URL): with SQLite one process writes at a time, and others would only wait for it',
    );
  return workers;
}

function readProgramEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const isPassedOn = (name: string) => /^(PATH|HOME|USER|LANG|TZ|TMPDIR)$|^(LC_|LD_|PG|SSL_)/.test(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (isPassedOn(name) && value !== undefined ? [[name, value]] : [])),
  );
}

function readStreams(name: string, text: string | undefined): number | undefined {
  return readCount(name, text) || (text ? Number.POSITIVE_INFINITY : undefined);
}

function readDrainSeconds(text: string | undefined): number | undefined {
  return text === '0' ? 0 : readSeconds('USHER_DRAIN', text);
}

function readTimeouts(
  env: NodeJS.ProcessEnv,
): Pick<Settings, 'requestTimeout' | 'headersTimeout' | 'keepAliveTimeout' | 'sendTimeout'> {
  const timeouts = {
    requestTimeout: 1000 * (readSeconds('USHER_REQUEST_TIMEOUT', env.USHER_REQUEST_TIMEOUT) ?? 120),
    headersTimeout: 1000 * (readSeconds('USHER_HEADERS_TIMEOUT', env.USHER_HEADERS_TIMEOUT) ?? 30),
    // Most proxies close an idle connection sooner. The proxy must close it first, or it could send a request to a closed one.
    keepAliveTimeout: 1000 * (readSeconds('USHER_KEEP_ALIVE_TIMEOUT', env.USHER_KEEP_ALIVE_TIMEOUT) ?? 72),
    sendTimeout: 1000 * (readSeconds('USHER_SEND_TIMEOUT', env.USHER_SEND_TIMEOUT) ?? 30),
  };
  if (timeouts.headersTimeout > timeouts.requestTimeout)
    throw new WrongSetting('USHER_HEADERS_TIMEOUT must not be longer than USHER_REQUEST_TIMEOUT');
  return timeouts;
}

function readUrl(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new WrongSetting(`${name} must be an address such as https://usher.example.com, not "${text}"`);
  }
  return url.href.replace(/\/$/, '');
}

/** The error does not show the value, because it contains a password. */
function readDatabaseUrl(name: string, value: string | undefined, file: string | undefined): string | undefined {
  if (value && file) throw new WrongSetting(`${name} and ${name}_FILE exclude each other: set one`);
  // Files, and secrets that are made from files, often end with a new line.
  const text = (file ? readTextFile(`${name}_FILE`, file) : value)?.trim();
  if (!text) return undefined;
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text) || !isPercentEncoded(text)) {
    throw new WrongSetting(
      `${name}${file ? '_FILE' : ''} must ${file ? 'name a file with' : 'look like'} postgres://user:password@host:5432/database`,
    );
  }
  return text;
}

function readDatabaseConnections(text: string | undefined, workers: number): number {
  if (!text) return Math.max(DEFAULT_DATABASE_CONNECTIONS, DEFAULT_CONNECTIONS_PER_WORKER * workers);
  const count = Number(text);
  const min = MIN_DATABASE_CONNECTIONS * workers;
  if (!/^\d+$/.test(text) || count < min || count > 10_000)
    throw new WrongSetting(
      `USHER_DATABASE_CONNECTIONS must be a number from ${min} to 10000${workers > 1 ? ` with ${workers} workers` : ''}, not "${text}"`,
    );
  return count;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The error does not show the value, because it is secret. */
function readMasterKey(text: string | undefined, file: string | undefined, defaultFile: string): MasterKeySource {
  if (text && file) throw new WrongSetting('USHER_MASTER_KEY and USHER_MASTER_KEY_FILE exclude each other: set one');
  const keys = (text || undefined)?.split(',').map((word) => {
    const key = readKey(word);
    if (!key)
      throw new WrongSetting(
        'USHER_MASTER_KEY must be 32 bytes in base64 or hex, as `openssl rand -base64 32` makes them; several are separated by commas',
      );
    return key;
  });
  return { keys, file: file ? resolve(file) : defaultFile };
}

function readTls(certFile: string | undefined, keyFile: string | undefined): Settings['tls'] {
  if (!certFile && !keyFile) return undefined;
  if (!certFile || !keyFile)
    throw new WrongSetting('USHER_TLS_CERT and USHER_TLS_KEY belong together: set both or none');
  const tls = { cert: readPem('USHER_TLS_CERT', certFile), key: readPem('USHER_TLS_KEY', keyFile) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new WrongSetting(`USHER_TLS_CERT and USHER_TLS_KEY cannot be used together: ${messageOf(error)}`);
  }
  return tls;
}

function readTrustProxy(text: string | undefined): boolean | string[] {
  if (!text || text === 'false') return false;
  if (text === 'true') return true;
  return readNetworks('USHER_TRUST_PROXY', text);
}

/** A server with a local address is probably one that somebody tries out. */
function isLocal(publicUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1?\]|0\.0\.0\.0)$/.test(new URL(publicUrl).hostname);
}

function readBootstrap(env: NodeJS.ProcessEnv): Settings['bootstrap'] {
  const { USHER_BOOTSTRAP_EMAIL: email, USHER_BOOTSTRAP_PASSWORD: password } = env;
  const secret = readSecret('USHER_BOOTSTRAP_SECRET', env.USHER_BOOTSTRAP_SECRET);
  const { USHER_BOOTSTRAP_TOKEN: token } = env;
  if (email && !/^\S+@\S+$/.test(email))
    throw new WrongSetting(`USHER_BOOTSTRAP_EMAIL must be an email address, not "${email}"`);
  if (password && password.length < MIN_PASSWORD)
    throw new WrongSetting(`USHER_BOOTSTRAP_PASSWORD must have ${MIN_PASSWORD} characters or more`);
  if (token && !/^[\w.-]{8,200}$/.test(token)) {
    throw new WrongSetting('USHER_BOOTSTRAP_TOKEN must have 8 characters or more: letters, digits, "_", "-" and "."');
  }
  return { ...(email && { email }), ...(password && { password }), ...(secret && { secret }), ...(token && { token }) };
}

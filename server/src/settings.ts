import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { readNetwork } from '@usher/domain';
import type { MasterKeySource } from './keys/master-key.ts';
import { readKey } from './keys/secret-box.ts';

/** Two for requests, one for heavy reads, one for batches. */
const MIN_DATABASE_CONNECTIONS = 4;
const DEFAULT_DATABASE_CONNECTIONS = 24;
const DEFAULT_CONNECTIONS_PER_WORKER = 8;
const MAX_WORKERS = 128;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type BackupTarget = { folder: string } | { bucket: string; prefix: string };

export interface Settings {
  host: string;
  port: number;
  /** How many processes serve requests. */
  workers: number;
  publicUrl: string;
  /** The public URL, but only if USHER_PUBLIC_URL is set. */
  explicitPublicUrl: string | undefined;
  /** The separate port of `/metrics` and `/openapi.json`, and the secret that they require. */
  operationsPort: number | undefined;
  operationsSecret: string | undefined;
  logLevel: (typeof logLevels)[number];
  /** The folder of the SQLite file, uploads and keys. */
  data: string;
  sqliteFile: string;
  databaseUrl: string | undefined;
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
  /** For how many days single events are kept. */
  eventsDays: number;
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
  /** Milliseconds to receive a whole request, to receive its headers, between two requests, and while a client does not read. */
  requestTimeout: number;
  headersTimeout: number;
  keepAliveTimeout: number;
  sendTimeout: number;
  /** For how many milliseconds a server that stops still accepts requests, while `/readyz` returns 503. */
  drainTime: number;
  /** How much pages without proof can create in one account in a day. 0 means no limit. */
  pageQuotas: { profiles: number; hosts: number; events: number };
  /** How many reports the pages of one user may send in an hour. */
  limitReports: number;
  /** After how many seconds without data the server stops waiting for the rest of a body. */
  bodyTimeout: number;
  webhookAllowNetworks: string[];
  webhookDenyNetworks: string[];
  webhookSourceAddresses: string[];
  bootstrap: { email?: string; password?: string; secret?: string; token?: string };
  /** Where, how often and how many backups are made automatically; undefined for none. */
  backup: { to: BackupTarget; everyMs: number; keep: number } | undefined;
  /** Undefined without keys. */
  s3: { endpoint: string; region: string; accessKey: string; secretKey: string } | undefined;
  /** The environment of programs that Usher starts, without its own settings and secrets. */
  programEnv: Record<string, string>;
}

/** A setting that cannot be used. The server prints this one line and does not start. */
export class WrongSetting extends Error {
  constructor(message: string) {
    super(message.replace(/\s+/g, ' '));
  }
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const host = env.HOST || '127.0.0.1';
  const port = readPort('PORT', env.PORT) ?? 3400;
  const operationsPort = readPort('USHER_OPERATIONS_PORT', env.USHER_OPERATIONS_PORT);
  if (operationsPort === port && port !== 0)
    throw new WrongSetting('USHER_OPERATIONS_PORT must not be the same as PORT');
  const data = resolve(env.USHER_DATA || 'data');
  const databaseUrl = readDatabaseUrl(env.DATABASE_URL, env.DATABASE_URL_FILE);
  const workers = readWorkers(env.USHER_WORKERS, databaseUrl !== undefined);
  const tls = readTls(env.USHER_TLS_CERT, env.USHER_TLS_KEY);
  const explicitPublicUrl = readPublicUrl(env.USHER_PUBLIC_URL);
  const publicUrl =
    explicitPublicUrl ?? `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    host,
    port,
    workers,
    publicUrl,
    explicitPublicUrl,
    operationsPort,
    operationsSecret: readSecret('USHER_OPERATIONS_SECRET', env.USHER_OPERATIONS_SECRET),
    logLevel: readWord('USHER_LOG_LEVEL', env.USHER_LOG_LEVEL, logLevels) ?? 'info',
    data,
    sqliteFile: join(data, 'usher.db'),
    databaseUrl,
    databaseConnections: readDatabaseConnections(env.USHER_DATABASE_CONNECTIONS, workers),
    masterKey: readMasterKey(env.USHER_MASTER_KEY, env.USHER_MASTER_KEY_FILE, join(data, 'master.key')),
    firstSecretFile: env.USHER_FIRST_SECRET_FILE ? resolve(env.USHER_FIRST_SECRET_FILE) : undefined,
    tls,
    trustProxy: readTrustProxy(env.USHER_TRUST_PROXY),
    requireHttps: readSwitch('USHER_REQUIRE_HTTPS', env.USHER_REQUIRE_HTTPS) ?? false,
    minFreeDisk: 1_000_000 * (readMegabytes('USHER_MIN_FREE_DISK', env.USHER_MIN_FREE_DISK) ?? 256),
    eventsDays: readDays('USHER_EVENTS_DAYS', env.USHER_EVENTS_DAYS) ?? 365,
    demo: readSwitch('USHER_DEMO', env.USHER_DEMO) ?? (isLocal(publicUrl) && !env.USHER_BOOTSTRAP_SECRET),
    limitPerSecret: readLimit('USHER_LIMIT_PER_SECRET', env.USHER_LIMIT_PER_SECRET) ?? 300_000,
    limitPerAddress: readLimit('USHER_LIMIT_PER_ADDRESS', env.USHER_LIMIT_PER_ADDRESS) ?? 60_000,
    limitWrongSecrets: readLimit('USHER_LIMIT_WRONG_SECRETS', env.USHER_LIMIT_WRONG_SECRETS) ?? 1000,
    limitSignIns: readLimit('USHER_LIMIT_SIGN_INS', env.USHER_LIMIT_SIGN_INS, 'sign-ins a minute') ?? 30,
    connections: readCount('USHER_CONNECTIONS', env.USHER_CONNECTIONS) ?? 20_000,
    connectionsPerAddress: readCount('USHER_CONNECTIONS_PER_ADDRESS', env.USHER_CONNECTIONS_PER_ADDRESS) ?? 10_000,
    requestsPerConnection: readCount('USHER_REQUESTS_PER_CONNECTION', env.USHER_REQUESTS_PER_CONNECTION) ?? 10_000,
    ...readTimeouts(env),
    drainTime: 1000 * (readDrainSeconds(env.USHER_DRAIN) ?? 0),
    pageQuotas: {
      profiles: readQuota('USHER_PAGE_PROFILES_PER_DAY', env.USHER_PAGE_PROFILES_PER_DAY) ?? 500_000,
      hosts: readQuota('USHER_PAGE_HOSTS_PER_DAY', env.USHER_PAGE_HOSTS_PER_DAY) ?? 200,
      events: readQuota('USHER_PAGE_EVENTS_PER_DAY', env.USHER_PAGE_EVENTS_PER_DAY) ?? 5_000_000,
    },
    limitReports: readLimit('USHER_LIMIT_REPORTS', env.USHER_LIMIT_REPORTS, 'reports an hour') ?? 1000,
    bodyTimeout: readSeconds('USHER_BODY_TIMEOUT', env.USHER_BODY_TIMEOUT) ?? 10,
    webhookAllowNetworks: readNetworks('USHER_WEBHOOK_ALLOW_NETWORKS', env.USHER_WEBHOOK_ALLOW_NETWORKS),
    webhookDenyNetworks: readNetworks('USHER_WEBHOOK_DENY_NETWORKS', env.USHER_WEBHOOK_DENY_NETWORKS),
    webhookSourceAddresses: readAddresses('USHER_WEBHOOK_SOURCE_ADDRESSES', env.USHER_WEBHOOK_SOURCE_ADDRESSES),
    bootstrap: readBootstrap(env),
    backup: readBackup(env),
    s3: readS3(env),
    programEnv: readProgramEnv(env),
  };
}

/** With SQLite one process writes at a time, so that others only wait for it. */
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

const HOUR_MS = 60 * 60_000;

function readBackup(env: NodeJS.ProcessEnv): Settings['backup'] {
  const every = readWhole('USHER_BACKUP_EVERY', env.USHER_BACKUP_EVERY, 'hours', 8760) ?? 24;
  const keep = readWhole('USHER_BACKUP_KEEP', env.USHER_BACKUP_KEEP, 'backups', 10_000) ?? 7;
  const to = env.USHER_BACKUP_TO;
  if (!to) {
    if (env.USHER_BACKUP_EVERY || env.USHER_BACKUP_KEEP)
      throw new WrongSetting(
        'USHER_BACKUP_EVERY and USHER_BACKUP_KEEP need USHER_BACKUP_TO, a folder or s3://bucket/prefix',
      );
    return undefined;
  }
  const backup = { everyMs: every * HOUR_MS, keep };
  if (!/^\w+:\/\//.test(to)) return { to: { folder: resolve(to) }, ...backup };
  const address = readS3Address(to);
  if (!address) throw new WrongSetting(`USHER_BACKUP_TO must be a folder or s3://bucket/prefix, not "${to}"`);
  if (!readS3(env))
    throw new WrongSetting('USHER_BACKUP_TO with s3:// needs USHER_S3_ACCESS_KEY and USHER_S3_SECRET_KEY');
  return { to: address, ...backup };
}

function readWhole(name: string, text: string | undefined, what: string, max: number): number | undefined {
  if (!text) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw new WrongSetting(`${name} must be a number of ${what} from 1 to ${max}, not "${text}"`);
  return value;
}

/** Returns undefined for an address that is none of S3. */
export function readS3Address(text: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(.*))?$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: (prefix ?? '').replace(/^\/+|\/+$/g, '') };
}

/** The errors do not show the keys. */
function readS3(env: NodeJS.ProcessEnv): Settings['s3'] {
  const { USHER_S3_ACCESS_KEY: accessKey, USHER_S3_SECRET_KEY: secretKey } = env;
  if (!accessKey && !secretKey) return undefined;
  if (!accessKey || !secretKey)
    throw new WrongSetting('USHER_S3_ACCESS_KEY and USHER_S3_SECRET_KEY belong together: set both or none');
  const region = env.USHER_S3_REGION || 'us-east-1';
  const endpoint = env.USHER_S3_ENDPOINT || `https://s3.${region}.amazonaws.com`;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new WrongSetting(`USHER_S3_ENDPOINT must be an address such as https://s3.example.com, not "${endpoint}"`);
  return { endpoint: url.href.replace(/\/$/, ''), region, accessKey, secretKey };
}

function readProgramEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const isPassedOn = (name: string) => /^(PATH|HOME|USER|LANG|TZ|TMPDIR)$|^(LC_|LD_|PG|SSL_)/.test(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (isPassedOn(name) && value !== undefined ? [[name, value]] : [])),
  );
}

function readDays(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > 36_500)
    throw new WrongSetting(`${name} must be a number of days from 1 to 36500, not "${text}"`);
  return days;
}

function readMegabytes(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (!/^\d{1,8}$/.test(text))
    throw new WrongSetting(`${name} must be a number of megabytes, or 0 for no limit, not "${text}"`);
  return Number(text);
}

function readSeconds(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > 3600)
    throw new WrongSetting(`${name} must be a number of seconds from 1 to 3600, not "${text}"`);
  return seconds;
}

function readDrainSeconds(text: string | undefined): number | undefined {
  return text === '0' ? 0 : readSeconds('USHER_DRAIN', text);
}

function readLimit(name: string, text: string | undefined, what = 'requests a minute'): number | undefined {
  if (!text) return undefined;
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit > 1_000_000_000)
    throw new WrongSetting(`${name} must be a number of ${what}, or 0 for no limit, not "${text}"`);
  return limit;
}

function readCount(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > 1_000_000_000)
    throw new WrongSetting(`${name} must be a whole number, or 0 for no limit, not "${text}"`);
  return count;
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

function readQuota(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (!/^\d{1,10}$/.test(text))
    throw new WrongSetting(`${name} must be a number a day, or 0 for no limit, not "${text}"`);
  return Number(text);
}

function readPort(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new WrongSetting(`${name} must be a number from 0 to 65535, not "${text}"`);
  return port;
}

function readSecret(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (text.length < 16 || /\s/.test(text))
    throw new WrongSetting(`${name} must have 16 characters or more and no spaces`);
  return text;
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new WrongSetting(`USHER_PUBLIC_URL must be an address such as https://usher.example.com, not "${text}"`);
  }
  return url.href.replace(/\/$/, '');
}

/** The error does not show the value, because it contains a password. */
function readDatabaseUrl(value: string | undefined, file: string | undefined): string | undefined {
  if (value && file) throw new WrongSetting('DATABASE_URL and DATABASE_URL_FILE exclude each other: set one');
  const text = file ? readTextFile('DATABASE_URL_FILE', file).trim() : value;
  if (!text) return undefined;
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text) || !isPercentEncoded(text)) {
    throw new WrongSetting(
      `DATABASE_URL${file ? '_FILE' : ''} must ${file ? 'name a file with' : 'look like'} postgres://user:password@host:5432/database`,
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
    throw new WrongSetting(`USHER_TLS_CERT and USHER_TLS_KEY cannot be used together: ${(error as Error).message}`);
  }
  return tls;
}

function readTextFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new WrongSetting(`${name} names a file that cannot be read: ${file}`);
  }
}

function readPem(name: string, file: string): Buffer {
  const content = Buffer.from(readTextFile(name, file));
  if (!content.includes('-----BEGIN ')) throw new WrongSetting(`${name} must name a PEM file: ${file} is none`);
  return content;
}

function readTrustProxy(text: string | undefined): boolean | string[] {
  if (!text || text === 'false') return false;
  if (text === 'true') return true;
  return readNetworks('USHER_TRUST_PROXY', text);
}

function readSwitch(name: string, text: string | undefined): boolean | undefined {
  const word = readWord(name, text, ['true', 'false'] as const);
  return word && word === 'true';
}

/** A server with a local address is probably one that somebody tries out. */
function isLocal(publicUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1?\]|0\.0\.0\.0)$/.test(new URL(publicUrl).hostname);
}

function readWord<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (!text) return undefined;
  if (!(words as readonly string[]).includes(text))
    throw new WrongSetting(`${name} must be one of ${words.join(', ')}, not "${text}"`);
  return text as Word;
}

function readNetworks(name: string, text: string | undefined): string[] {
  return readList(
    name,
    text,
    (item) => readNetwork(item) !== undefined,
    'addresses or networks such as 10.0.0.0/8, separated by commas',
  );
}

function readAddresses(name: string, text: string | undefined): string[] {
  return readList(name, text, (item) => isIP(item) !== 0, 'IP addresses separated by commas');
}

function readList(name: string, text: string | undefined, isValid: (item: string) => boolean, what: string): string[] {
  const list = (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const wrong = list.find((item) => !isValid(item));
  if (wrong !== undefined) throw new WrongSetting(`${name} must be ${what}, not "${wrong}"`);
  return list;
}

function readBootstrap(env: NodeJS.ProcessEnv): Settings['bootstrap'] {
  const { USHER_BOOTSTRAP_EMAIL: email, USHER_BOOTSTRAP_PASSWORD: password } = env;
  const secret = readSecret('USHER_BOOTSTRAP_SECRET', env.USHER_BOOTSTRAP_SECRET);
  const { USHER_BOOTSTRAP_TOKEN: token } = env;
  if (email && !/^\S+@\S+$/.test(email))
    throw new WrongSetting(`USHER_BOOTSTRAP_EMAIL must be an email address, not "${email}"`);
  if (password && password.length < 8)
    throw new WrongSetting('USHER_BOOTSTRAP_PASSWORD must have 8 characters or more');
  if (token && !/^[\w.-]{8,200}$/.test(token)) {
    throw new WrongSetting('USHER_BOOTSTRAP_TOKEN must have 8 characters or more: letters, digits, "_", "-" and "."');
  }
  return { ...(email && { email }), ...(password && { password }), ...(secret && { secret }), ...(token && { token }) };
}

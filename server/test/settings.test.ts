import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../src/app.ts';
import { runCommand } from '../src/cli/cli.ts';
import { ownPaths } from '../src/settings/read-script-aliases.ts';
import { WrongSetting } from '../src/settings/read-setting.ts';
import { readSettings } from '../src/settings/settings.ts';
import { describeUnknownSettings } from '../src/settings/unknown-settings.ts';

let folder: string;
const file = (name: string) => join(folder, name);
const sourceOf = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

function makeCertificate(name: string): void {
  const flags = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const made = spawnSync('openssl', [
    ...flags,
    ...['-subj', '/CN=localhost', '-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)],
  ]);
  if (made.status !== 0) throw new Error(`openssl failed: ${made.stderr}`);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'usher-settings-'));
  makeCertificate('one');
  makeCertificate('two');
  writeFileSync(file('no.pem'), 'hello');
  writeFileSync(file('broken.pem'), '-----BEGIN CERTIFICATE-----\nhello\n-----END CERTIFICATE-----\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the error message for wrong settings, which is one line. */
function errorFor(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof WrongSetting) return error.message;
    throw error;
  }
  throw new Error(`These settings were accepted: ${JSON.stringify(env)}`);
}

describe('settings', () => {
  it('gets a certificate itself for the domains of USHER_DOMAIN, and listens for everybody', () => {
    const env = { USHER_DOMAIN: 'Usher.example.com, bücher.example', USHER_ACME_EMAIL: 'ann@example.com' };
    expect(readSettings(env)).toMatchObject({
      host: '::',
      port: 443,
      operationsHost: '127.0.0.1',
      publicUrl: 'https://usher.example.com',
      explicitPublicUrl: 'https://usher.example.com',
      demo: false,
      certificates: {
        domains: ['usher.example.com', 'xn--bcher-kva.example'],
        mainDomain: 'usher.example.com',
        directory: 'https://acme-v02.api.letsencrypt.org/directory',
        email: 'ann@example.com',
        httpPort: 80,
      },
    });
    const ports = { HOST: '0.0.0.0', PORT: '3400', USHER_HTTP_PORT: '3480', USHER_PUBLIC_URL: 'https://a.example/' };
    expect(readSettings({ ...env, ...ports })).toMatchObject({
      host: '0.0.0.0',
      port: 3400,
      operationsHost: '0.0.0.0',
      publicUrl: 'https://a.example',
      certificates: { httpPort: 3480 },
    });
    expect(readSettings({}).certificates).toBeUndefined();
  });

  it.each([
    [{ USHER_DOMAIN: 'https://usher.example.com' }, 'USHER_DOMAIN must be a name such as usher.example.com'],
    [{ USHER_DOMAIN: '*.example.com' }, 'without *'],
    [{ USHER_DOMAIN: 'localhost' }, 'USHER_DOMAIN must be a name'],
    [{ USHER_DOMAIN: '192.0.2.1' }, 'USHER_DOMAIN must be a name'],
    [{ USHER_DOMAIN: 'a.example.com,' }, 'USHER_DOMAIN must be a name'],
    [{ USHER_ACME_EMAIL: 'ann@example.com' }, 'USHER_ACME_EMAIL needs USHER_DOMAIN'],
    [{ USHER_DOMAIN: 'a.example.com', USHER_HTTP_PORT: 'http' }, 'USHER_HTTP_PORT must be a number'],
    [{ USHER_DOMAIN: 'a.example.com', USHER_ACME_EMAIL: 'ann' }, 'USHER_ACME_EMAIL must be an email address'],
    [{ USHER_DOMAIN: 'a.example.com', USHER_ACME_DIRECTORY: 'http://ca.example' }, 'USHER_ACME_DIRECTORY must be'],
    [
      { USHER_DOMAIN: 'a.example.com', USHER_ACME_CA: '/nowhere.pem' },
      'USHER_ACME_CA names a file that cannot be read',
    ],
    [{ USHER_DOMAIN: 'a.example.com', PORT: '80' }, 'USHER_HTTP_PORT must not be the same as PORT'],
    [{ USHER_DOMAIN: 'a.example.com', USHER_TLS_CERT: 'a.crt', USHER_TLS_KEY: 'a.key' }, 'exclude each other'],
  ])('rejects %j', (env, message) => {
    expect(errorFor(env as Record<string, string>)).toContain(message);
  });

  it('takes a number of workers on PostgreSQL, and divides at least four connections for each', () => {
    const DATABASE_URL = 'postgres://usher:password@localhost:5432/usher';
    expect(readSettings({}).workers).toBe(1);
    expect(readSettings({ DATABASE_URL, USHER_WORKERS: '6' })).toMatchObject({ workers: 6, databaseConnections: 48 });
    expect(readSettings({ DATABASE_URL, USHER_WORKERS: 'auto' }).workers).toBe(availableParallelism());
    expect(readSettings({ USHER_WORKERS: 'auto' }).workers).toBe(1);
    expect(readSettings({ USHER_WORKERS: '1' }).workers).toBe(1);
    expect(errorFor({ USHER_WORKERS: '2' })).toMatch(/^USHER_WORKERS \(--workers\) above 1 needs PostgreSQL/);
    for (const wrong of ['0', '129', '1.5', 'many'])
      expect(errorFor({ DATABASE_URL, USHER_WORKERS: wrong })).toMatch(/must be a number from 1 to 128 or auto/);
    expect(errorFor({ DATABASE_URL, USHER_WORKERS: '6', USHER_DATABASE_CONNECTIONS: '23' })).toBe(
      'USHER_DATABASE_CONNECTIONS must be a number from 24 to 10000 with 6 workers, not "23"',
    );
  });

  it('lists variables that look like settings and are none', () => {
    expect(describeUnknownSettings({ USHER_DATA: 'x', USHER_URL: 'x', PATH: 'x' })).toBeUndefined();
    expect(describeUnknownSettings({ USHER_DAT: 'x', PATH: 'x' })).toBe(
      'USHER_DAT is no setting and has no effect: docs/running.md lists all settings',
    );
    expect(describeUnknownSettings({ USHER_PORT: '80', USHER_DAT: 'x' })).toMatch(/^USHER_DAT, USHER_PORT are no/);
    const service = { USHER_SERVICE_HOST: '10.0.0.1', USHER_SERVICE_PORT_HTTP: '80', USHER_PORT: 'tcp://10.0.0.1:80' };
    expect(describeUnknownSettings({ ...service, USHER_PORT_80_TCP_ADDR: '10.0.0.1' })).toBeUndefined();
  });

  it('knows and documents every setting that it reads', () => {
    const read = ['settings.ts', 'read-backup-settings.ts', 'read-certificate-settings.ts', 'read-script-aliases.ts']
      .map((name) => sourceOf(`server/src/settings/${name}`))
      .join();
    const names = new Set(read.match(/\bUSHER_[A-Z\d_]+/g));
    expect(names.size).toBeGreaterThan(40);
    expect(describeUnknownSettings(Object.fromEntries([...names].map((name) => [name, 'x'])))).toBeUndefined();
    const page = sourceOf('docs/running.md');
    expect([...names].filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });

  it('has a default for each setting', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 3400,
      publicUrl: 'http://127.0.0.1:3400',
      explicitPublicUrl: undefined,
      basePath: '',
      pageUrl: 'http://127.0.0.1:3400',
      explicitPageUrl: undefined,
      certificates: undefined,
      operationsPort: undefined,
      operationsHost: '127.0.0.1',
      operationsSecret: undefined,
      logLevel: 'info',
      data: resolve('data'),
      sqliteFile: resolve('data', 'usher.db'),
      databaseUrl: undefined,
      databaseReplicaUrl: undefined,
      databaseConnections: 24,
      masterKey: { keys: undefined, file: resolve('data', 'master.key') },
      firstSecretFile: undefined,
      tls: undefined,
      trustProxy: false,
      requireHttps: false,
      minFreeDisk: 256_000_000,
      pictureBytes: 1_000_000_000,
      importBytes: 500_000_000,
      dashboardTour: true,
      publishedCacheBytes: 256_000_000,
      eventsDays: 365,
      activitiesDays: undefined,
      findingsDays: undefined,
      changesDays: undefined,
      demo: true,
      limitPerSecret: 300_000,
      limitPerAddress: 60_000,
      limitWrongSecrets: 1000,
      limitSignIns: 30,
      connections: 20_000,
      streams: { total: 10_000, perAccount: 5000, perAddress: 1000 },
      connectionsPerAddress: 10_000,
      requestsPerConnection: 10_000,
      requestTimeout: 120_000,
      headersTimeout: 30_000,
      keepAliveTimeout: 72_000,
      sendTimeout: 30_000,
      drainTime: 0,
      pageQuotas: {
        ...{ profiles: 500_000, hosts: 200, events: 5_000_000, problems: 50_000, responses: 50_000 },
        bytes: 900_000_000,
      },
      limitReports: 1000,
      bodyTimeout: 10,
      webhookAllowNetworks: [],
      webhookDenyNetworks: [],
      webhookSourceAddresses: [],
      scriptAliases: [],
      bootstrap: {},
      backup: undefined,
      backupBeforeUpdate: true,
      s3: undefined,
      workers: 1,
      programEnv: {},
    });
  });

  it('treats an empty setting as missing', () => {
    const names = ['HOST', 'PORT', 'DATABASE_URL', 'DATABASE_URL_FILE', 'USHER_DATABASE_CONNECTIONS'];
    const own = [
      'DATA',
      'MASTER_KEY',
      'MASTER_KEY_FILE',
      'FIRST_SECRET_FILE',
      'PUBLIC_URL',
      'BASE_PATH',
      'PAGE_URL',
      'LOG_LEVEL',
      'TLS_CERT',
      'TLS_KEY',
      'DOMAIN',
      'ACME_CA',
      'ACME_DIRECTORY',
      'ACME_EMAIL',
      'HTTP_PORT',
      'TRUST_PROXY',
      'REQUIRE_HTTPS',
      'EVENTS_DAYS',
      'ACTIVITIES_DAYS',
      'FINDINGS_DAYS',
      'CHANGES_DAYS',
      'DEMO',
    ];
    const counted = ['PROFILES', 'HOSTS', 'EVENTS', 'PROBLEMS', 'RESPONSES', 'MEGABYTES'];
    const perDay = counted.map((name) => `PAGE_${name}_PER_DAY`);
    const limits = ['LIMIT_PER_SECRET', 'LIMIT_PER_ADDRESS', 'LIMIT_WRONG_SECRETS', 'LIMIT_REPORTS', ...perDay];
    const sockets = ['CONNECTIONS', 'CONNECTIONS_PER_ADDRESS', 'REQUESTS_PER_CONNECTION'];
    const timeouts = ['REQUEST_TIMEOUT', 'HEADERS_TIMEOUT', 'KEEP_ALIVE_TIMEOUT', 'SEND_TIMEOUT'];
    const operations = ['OPERATIONS_PORT', 'OPERATIONS_SECRET'];
    const hooks = ['WEBHOOK_ALLOW_NETWORKS', 'WEBHOOK_DENY_NETWORKS', 'WEBHOOK_SOURCE_ADDRESSES'];
    const backup = [
      'BACKUP_TO',
      'BACKUP_EVERY',
      'BACKUP_KEEP',
      'S3_ENDPOINT',
      'S3_REGION',
      'S3_ACCESS_KEY',
      'S3_SECRET_KEY',
    ];
    const first = ['BOOTSTRAP_EMAIL', 'BOOTSTRAP_PASSWORD', 'BOOTSTRAP_SECRET', 'BOOTSTRAP_TOKEN'];
    const all = [
      ...names,
      ...[...own, ...limits, ...sockets, ...timeouts, ...operations, ...hooks, ...backup, ...first].map(
        (name) => `USHER_${name}`,
      ),
    ];
    expect(readSettings(Object.fromEntries(all.map((name) => [name, ''])))).toEqual(readSettings({}));
  });

  it.each([
    ['HOST', '0.0.0.0', { host: '0.0.0.0', publicUrl: 'http://0.0.0.0:3400' }],
    ['HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:3400' }],
    ['PORT', '8080', { port: 8080, publicUrl: 'http://127.0.0.1:8080' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65535 }],
    ['USHER_DATA', '/var/lib/usher', { data: '/var/lib/usher', sqliteFile: '/var/lib/usher/usher.db' }],
    ['USHER_DATA', 'elsewhere', { data: resolve('elsewhere'), sqliteFile: resolve('elsewhere/usher.db') }],
    ['USHER_MASTER_KEY_FILE', 'the.key', { masterKey: { keys: undefined, file: resolve('the.key') } }],
    ['USHER_FIRST_SECRET_FILE', 'first', { firstSecretFile: resolve('first') }],
    ['USHER_PUBLIC_URL', 'https://usher.example.com', { publicUrl: 'https://usher.example.com' }],
    ['USHER_PUBLIC_URL', 'https://example.com/usher/', { publicUrl: 'https://example.com/usher' }],
    ['USHER_BASE_PATH', '/help', { basePath: '/help', pageUrl: 'http://127.0.0.1:3400/help' }],
    ['USHER_BASE_PATH', '/a.b/c-d_~1/', { basePath: '/a.b/c-d_~1' }],
    ['USHER_BASE_PATH', '/', { basePath: '' }],
    ['USHER_PAGE_URL', 'https://app.example.com/help/', { pageUrl: 'https://app.example.com/help' }],
    ['USHER_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['USHER_LOG_LEVEL', 'trace', { logLevel: 'trace' }],
    ['DATABASE_URL', 'postgres://u:p@db:5432/usher', { databaseUrl: 'postgres://u:p@db:5432/usher' }],
    ['DATABASE_URL', 'postgresql://db/usher', { databaseUrl: 'postgresql://db/usher' }],
    ['DATABASE_URL', 'postgres://u:p%40ss@db/usher', { databaseUrl: 'postgres://u:p%40ss@db/usher' }],
    ['USHER_TRUST_PROXY', 'true', { trustProxy: true }],
    ['USHER_TRUST_PROXY', 'false', { trustProxy: false }],
    ['USHER_TRUST_PROXY', '10.0.0.0/8, 192.0.2.1,::1', { trustProxy: ['10.0.0.0/8', '192.0.2.1', '::1'] }],
    ['USHER_REQUIRE_HTTPS', 'true', { requireHttps: true }],
    ['USHER_REQUIRE_HTTPS', 'false', { requireHttps: false }],
    ['USHER_DEMO', 'false', { demo: false }],
    ['USHER_PUBLIC_URL', 'http://localhost:8080', { demo: true }],
    ['USHER_BOOTSTRAP_SECRET', 'set-by-a-machine', { demo: false }],
    ['USHER_MIN_FREE_DISK', '1000', { minFreeDisk: 1_000_000_000 }],
    ['USHER_PICTURE_STORAGE', '5', { pictureBytes: 5_000_000 }],
    ['USHER_IMPORT_STORAGE', '5', { importBytes: 5_000_000 }],
    ['USHER_DASHBOARD_TOUR', 'false', { dashboardTour: false }],
    ['USHER_PUBLISHED_CACHE', '64', { publishedCacheBytes: 64_000_000 }],
    ['USHER_EVENTS_DAYS', '30', { eventsDays: 30 }],
    ['USHER_ACTIVITIES_DAYS', '400', { activitiesDays: 400 }],
    ['USHER_FINDINGS_DAYS', '90', { findingsDays: 90 }],
    ['USHER_CHANGES_DAYS', '730', { changesDays: 730 }],
    ['USHER_BACKUP_TO', 'there', { backup: { to: { folder: resolve('there') }, everyMs: 86_400_000, keep: 7 } }],
    ['USHER_LIMIT_PER_SECRET', '600', { limitPerSecret: 600 }],
    ['USHER_LIMIT_PER_SECRET', '0', { limitPerSecret: 0 }],
    ['USHER_LIMIT_PER_ADDRESS', '1000000000', { limitPerAddress: 1_000_000_000 }],
    ['USHER_LIMIT_PER_ADDRESS', '0', { limitPerAddress: 0 }],
    ['USHER_LIMIT_WRONG_SECRETS', '1', { limitWrongSecrets: 1 }],
    ['USHER_LIMIT_WRONG_SECRETS', '0', { limitWrongSecrets: 0 }],
    ['USHER_OPERATIONS_PORT', '9400', { operationsPort: 9400 }],
    ['USHER_OPERATIONS_SECRET', 'sixteen-characte', { operationsSecret: 'sixteen-characte' }],
    ['USHER_CONNECTIONS', '0', { connections: 0 }],
    ['USHER_DATABASE_CONNECTIONS', '4', { databaseConnections: 4 }],
    ['USHER_CONNECTIONS_PER_ADDRESS', '500', { connectionsPerAddress: 500 }],
    ['USHER_STREAMS', '20', { streams: { total: 20, perAccount: 5000, perAddress: 1000 } }],
    ['USHER_STREAMS_PER_ACCOUNT', '0', { streams: { total: 10_000, perAccount: Infinity, perAddress: 1000 } }],
    ['USHER_STREAMS_PER_ADDRESS', '9', { streams: { total: 10_000, perAccount: 5000, perAddress: 9 } }],
    ['USHER_REQUESTS_PER_CONNECTION', '1000', { requestsPerConnection: 1000 }],
    ['USHER_REQUEST_TIMEOUT', '600', { requestTimeout: 600_000 }],
    ['USHER_HEADERS_TIMEOUT', '10', { headersTimeout: 10_000 }],
    ['USHER_KEEP_ALIVE_TIMEOUT', '5', { keepAliveTimeout: 5000 }],
    ['USHER_SEND_TIMEOUT', '3600', { sendTimeout: 3_600_000 }],
    ['USHER_DRAIN', '0', { drainTime: 0 }],
    ['USHER_DRAIN', '15', { drainTime: 15_000 }],
    ['USHER_LIMIT_REPORTS', '50', { limitReports: 50 }],
    ['USHER_LIMIT_REPORTS', '0', { limitReports: 0 }],
    ['USHER_WEBHOOK_DENY_NETWORKS', '192.0.2.7, fd00::/8', { webhookDenyNetworks: ['192.0.2.7', 'fd00::/8'] }],
    ['USHER_BODY_TIMEOUT', '30', { bodyTimeout: 30 }],
    ['USHER_WEBHOOK_ALLOW_NETWORKS', '10.0.0.0/8,fd00::/8,', { webhookAllowNetworks: ['10.0.0.0/8', 'fd00::/8'] }],
    [
      'USHER_WEBHOOK_SOURCE_ADDRESSES',
      '192.0.2.1, 2001:db8::1',
      {
        webhookSourceAddresses: ['192.0.2.1', '2001:db8::1'],
      },
    ],
    [
      'USHER_SCRIPT_ALIAS',
      'guide:/guide/:token.js, $h_1:/a-b/c.d/:token/x~y.min.js,',
      {
        scriptAliases: [
          { global: 'guide', path: '/guide/:token.js' },
          { global: '$h_1', path: '/a-b/c.d/:token/x~y.min.js' },
        ],
      },
    ],
    ['USHER_BOOTSTRAP_EMAIL', 'ann@acme.test', { bootstrap: { email: 'ann@acme.test' } }],
    ['USHER_BOOTSTRAP_PASSWORD', 'eight ch', { bootstrap: { password: 'eight ch' } }],
    ['USHER_BOOTSTRAP_SECRET', 'sixteen-characte', { bootstrap: { secret: 'sixteen-characte' } }],
    ['USHER_BOOTSTRAP_TOKEN', 'a-Token.', { bootstrap: { token: 'a-Token.' } }],
  ])('accepts %s=%s', (name, value, expected) => {
    expect(readSettings({ [name]: value })).toMatchObject(expected);
  });

  it.each([
    ['USHER_OPERATIONS_PORT', '65536', 'USHER_OPERATIONS_PORT must be a number from 0 to 65535, not "65536"'],
    ['USHER_OPERATIONS_PORT', '3400', 'USHER_OPERATIONS_PORT must not be the same as PORT'],
    ['USHER_OPERATIONS_SECRET', 'short', 'USHER_OPERATIONS_SECRET must have 16 characters or more and no spaces'],
    ...['3', '0', '10001', '8.5', 'many'].map((wrong) => [
      'USHER_DATABASE_CONNECTIONS',
      wrong,
      `USHER_DATABASE_CONNECTIONS must be a number from 4 to 10000, not "${wrong}"`,
    ]),
    ['USHER_CONNECTIONS', '-1', 'USHER_CONNECTIONS must be a whole number, or 0 for no limit, not "-1"'],
    [
      'USHER_CONNECTIONS_PER_ADDRESS',
      'many',
      'USHER_CONNECTIONS_PER_ADDRESS must be a whole number, or 0 for no limit, not "many"',
    ],
    [
      'USHER_REQUESTS_PER_CONNECTION',
      '1.5',
      'USHER_REQUESTS_PER_CONNECTION must be a whole number, or 0 for no limit, not "1.5"',
    ],
    ['USHER_SEND_TIMEOUT', '0', 'USHER_SEND_TIMEOUT must be a number of seconds from 1 to 3600, not "0"'],
    ['USHER_REQUEST_TIMEOUT', '2m', 'USHER_REQUEST_TIMEOUT must be a number of seconds from 1 to 3600, not "2m"'],
    ['USHER_REQUEST_TIMEOUT', '20', 'USHER_HEADERS_TIMEOUT must not be longer than USHER_REQUEST_TIMEOUT'],
    ['PORT', '65536', 'PORT must be a number from 0 to 65535, not "65536"'],
    ['PORT', '-1', 'PORT must be a number from 0 to 65535, not "-1"'],
    ['PORT', '80.5', 'PORT must be a number from 0 to 65535, not "80.5"'],
    ['PORT', '0x50', 'PORT must be a number from 0 to 65535, not "0x50"'],
    ['PORT', 'http', 'PORT must be a number from 0 to 65535, not "http"'],
    ['PORT', '34\n00', 'PORT must be a number from 0 to 65535, not "34 00"'],
    [
      'USHER_PUBLIC_URL',
      'usher.example.com',
      'USHER_PUBLIC_URL must be an address such as https://usher.example.com, not "usher.example.com"',
    ],
    [
      'USHER_PUBLIC_URL',
      'ftp://example.com',
      'USHER_PUBLIC_URL must be an address such as https://usher.example.com, not "ftp://example.com"',
    ],
    [
      'USHER_PUBLIC_URL',
      'https://example.com/?a=1',
      'USHER_PUBLIC_URL must be an address such as https://usher.example.com, not "https://example.com/?a=1"',
    ],
    [
      'USHER_PAGE_URL',
      'app.example.com',
      'USHER_PAGE_URL must be an address such as https://usher.example.com, not "app.example.com"',
    ],
    [
      'USHER_PUBLIC_URL',
      'https://example.com/#a',
      'USHER_PUBLIC_URL must be an address such as https://usher.example.com, not "https://example.com/#a"',
    ],
    [
      'USHER_LOG_LEVEL',
      'loud',
      'USHER_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ],
    [
      'USHER_LOG_LEVEL',
      'INFO',
      'USHER_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "INFO"',
    ],
    [
      'USHER_TRUST_PROXY',
      'yes',
      'USHER_TRUST_PROXY must be addresses or networks such as 10.0.0.0/8, separated by commas, not "yes"',
    ],
    [
      'USHER_TRUST_PROXY',
      '10.0.0.0/8,10.0.0.0/33',
      'USHER_TRUST_PROXY must be addresses or networks such as 10.0.0.0/8, separated by commas, not "10.0.0.0/33"',
    ],
    [
      'USHER_TRUST_PROXY',
      '10.0.0.0/8/8',
      'USHER_TRUST_PROXY must be addresses or networks such as 10.0.0.0/8, separated by commas, not "10.0.0.0/8/8"',
    ],
    ['USHER_DEMO', 'on', 'USHER_DEMO must be one of true, false, not "on"'],
    ['USHER_REQUIRE_HTTPS', '1', 'USHER_REQUIRE_HTTPS must be one of true, false, not "1"'],
    ['USHER_FINDINGS_DAYS', '3', 'USHER_FINDINGS_DAYS must be a number of days from 7 to 36500, not "3"'],
    ['USHER_EVENTS_DAYS', '0', 'USHER_EVENTS_DAYS must be a number of days from 1 to 36500, not "0"'],
    [
      'USHER_LIMIT_PER_SECRET',
      '-1',
      'USHER_LIMIT_PER_SECRET must be a number of requests a minute, or 0 for no limit, not "-1"',
    ],
    [
      'USHER_PAGE_PROFILES_PER_DAY',
      'many',
      'USHER_PAGE_PROFILES_PER_DAY must be a number a day, or 0 for no limit, not "many"',
    ],
    [
      'USHER_LIMIT_PER_ADDRESS',
      'none',
      'USHER_LIMIT_PER_ADDRESS must be a number of requests a minute, or 0 for no limit, not "none"',
    ],
    [
      'USHER_LIMIT_WRONG_SECRETS',
      '1000000001',
      'USHER_LIMIT_WRONG_SECRETS must be a number of requests a minute, or 0 for no limit, not "1000000001"',
    ],
    ['USHER_BODY_TIMEOUT', '0', 'USHER_BODY_TIMEOUT must be a number of seconds from 1 to 3600, not "0"'],
    [
      'USHER_LIMIT_REPORTS',
      'many',
      'USHER_LIMIT_REPORTS must be a number of reports an hour, or 0 for no limit, not "many"',
    ],
    [
      'USHER_WEBHOOK_DENY_NETWORKS',
      'example.com',
      'USHER_WEBHOOK_DENY_NETWORKS must be addresses or networks such as 10.0.0.0/8, separated by commas, not "example.com"',
    ],
    [
      'USHER_WEBHOOK_ALLOW_NETWORKS',
      '10.0.0.0/',
      'USHER_WEBHOOK_ALLOW_NETWORKS must be addresses or networks such as 10.0.0.0/8, separated by commas, not "10.0.0.0/"',
    ],
    [
      'USHER_WEBHOOK_ALLOW_NETWORKS',
      'example.com',
      'USHER_WEBHOOK_ALLOW_NETWORKS must be addresses or networks such as 10.0.0.0/8, separated by commas, not "example.com"',
    ],
    [
      'USHER_WEBHOOK_ALLOW_NETWORKS',
      'fd00::/129',
      'USHER_WEBHOOK_ALLOW_NETWORKS must be addresses or networks such as 10.0.0.0/8, separated by commas, not "fd00::/129"',
    ],
    [
      'USHER_WEBHOOK_SOURCE_ADDRESSES',
      '10.0.0.0/8',
      'USHER_WEBHOOK_SOURCE_ADDRESSES must be IP addresses separated by commas, not "10.0.0.0/8"',
    ],
    ['USHER_BOOTSTRAP_EMAIL', 'ann', 'USHER_BOOTSTRAP_EMAIL must be an email address, not "ann"'],
    ['USHER_BOOTSTRAP_EMAIL', 'ann @acme.test', 'USHER_BOOTSTRAP_EMAIL must be an email address, not "ann @acme.test"'],
  ])('rejects %s=%j', (name, value, expected) => {
    expect(errorFor({ [name]: value })).toBe(expected);
  });

  it.each<readonly [value: string, reason: string]>([
    ...['help', '//help', '/:help', '/help?a', 'https://example.com/help', `/${'a'.repeat(100)}`].map(
      (path) => [path, 'it begins with "/" and has letters, digits and "/._~-", up to 100'] as const,
    ),
    ['/a/../v3', 'browsers remove a part of it'],
    ...ownPaths.map((name) => [`/${name}/help`, `"/${name}" belongs to Usher itself`] as const),
  ])('rejects USHER_BASE_PATH=%s: %s', (value, reason) => {
    expect(errorFor({ USHER_BASE_PATH: value })).toBe(
      `USHER_BASE_PATH must be a path such as /help, not "${value}": ${reason}`,
    );
  });

  it.each<readonly [value: string, reason: string]>([
    ['guide', 'the global is not a name of JavaScript'],
    [':/guide/:token.js', 'the global is not a name of JavaScript'],
    ['my-guide:/guide/:token.js', 'the global is not a name of JavaScript'],
    ['1:/guide/:token.js', 'the global is not a name of JavaScript'],
    ['usher:/guide/:token.js', 'the global is a name that pages need'],
    ['location:/guide/:token.js', 'the global is a name that pages need'],
    ['fetch:/guide/:token.js', 'the global is a name that pages need'],
    ['guide:', 'the path has other characters'],
    ['guide:guide/:token.js', 'the path has other characters'],
    ['guide:/guide//:token.js', 'the path has other characters'],
    ['guide:/guide/:token.js?a=1', 'the path has other characters'],
    ['guide:/guide/*/:token', 'the path has other characters'],
    ['guide:https://example.com/:token.js', 'the path has other characters'],
    ['guide:/guide/a.js', 'the path does not have :token once'],
    ['guide:/guide/:token/:token.js', 'the path does not have :token once'],
    ['guide:/guide/:tokens.js', 'the path does not have :token once'],
    ['guide:/guide/:id.js', 'the path does not have :token once'],
    ['guide:/:token.js', 'the path begins with :token'],
    ['guide:/a/../v3/:token', 'the path has a part that browsers remove'],
    ...ownPaths.map((name) => [`guide:/${name}/:token.js`, `"/${name}" belongs to Usher itself`] as const),
  ])('rejects USHER_SCRIPT_ALIAS=%s: %s', (value, reason) => {
    const message = errorFor({ USHER_SCRIPT_ALIAS: value });
    expect(message).toMatch(
      /^USHER_SCRIPT_ALIAS must be <global>:<path with :token>, such as guide:\/guide\/:token\.js: /,
    );
    expect(message).toContain(reason);
    expect(message).toContain(`"${value}"`);
  });

  it('rejects two aliases with one path', () => {
    expect(errorFor({ USHER_SCRIPT_ALIAS: 'guide:/g/:token.js,helper:/g/:token.js' })).toBe(
      'USHER_SCRIPT_ALIAS must have each path once: "/g/:token.js" is there twice',
    );
  });

  it('knows where all paths of the server begin', () => {
    const sources = readdirSync(join(import.meta.dirname, '../src/pages'))
      .filter((name) => /^serve-.*(?<!test)\.ts$/.test(name))
      .map((name) => sourceOf(`server/src/pages/${name}`));
    const served = [...sources, sourceOf('server/src/http/operations.ts')]
      .join()
      .matchAll(/\.add\(\['GET'\], '\/([^/']+)/g);
    const paths = [...routes.map(({ path }) => path.split('/')[1]), ...[...served].map(([, first]) => first)];
    const unknown = [...new Set(paths)].filter(
      (first) => first && !first.startsWith(':') && !ownPaths.includes(first as never),
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    ['USHER_BOOTSTRAP_PASSWORD', 'seven ch', 'seven c', '8 characters or more'],
    ['USHER_BOOTSTRAP_SECRET', 'sixteen-characte', 'fifteen-charact', '16 characters or more'],
    ['USHER_BOOTSTRAP_SECRET', 'sixteen-characte', 'sixteen characte', 'no spaces'],
    ['USHER_BOOTSTRAP_TOKEN', 'eight-ch', 'seven-c', '8 characters or more'],
    ['USHER_BOOTSTRAP_TOKEN', 'eight-ch', 'eight/ch', 'letters, digits'],
  ])('rejects a short %s, accepts %s, and does not repeat the rejected value %s', (name, right, wrong, reason) => {
    expect(() => readSettings({ [name]: right })).not.toThrow();
    const message = errorFor({ [name]: wrong });
    expect(message).toContain(name);
    expect(message).toContain(reason);
    expect(message).not.toContain(wrong);
    expect(message).not.toContain('\n');
  });

  it.each([
    'mysql://ann:hunter2@db/usher',
    'ann:hunter2@db/usher',
    'postgres:/ann:hunter2@db/usher',
    'postgres://ann:hunter2@db:99999/usher',
    'postgres://ann:hunter2@d b/usher',
    'postgres://ann:hunter2%zz@db/usher',
    'postgres://ann:hunter2@db/usher%zz',
  ])('rejects DATABASE_URL=%s without repeating its password', (url) => {
    expect(errorFor({ DATABASE_URL: url })).toBe(
      'DATABASE_URL must look like postgres://user:password@host:5432/database',
    );
  });

  it('reads DATABASE_URL from a file, and does not repeat what is in a wrong one', () => {
    writeFileSync(file('database-url'), 'postgres://ann:hunter2@db/usher\n');
    writeFileSync(file('wrong-url'), 'ann:hunter2@db/usher');
    const env = { DATABASE_URL_FILE: file('database-url') };
    expect(readSettings(env).databaseUrl).toBe('postgres://ann:hunter2@db/usher');
    expect(errorFor({ ...env, DATABASE_URL: 'postgres://db/usher' })).toMatch(/exclude each other/);
    expect(errorFor({ DATABASE_URL_FILE: file('missing') })).toMatch(
      /^DATABASE_URL_FILE names a file that cannot be read/,
    );
    expect(errorFor({ DATABASE_URL_FILE: file('wrong-url') })).toBe(
      'DATABASE_URL_FILE must name a file with postgres://user:password@host:5432/database',
    );
  });

  it('reads the address of a replica, which needs that of the database', () => {
    const env = { DATABASE_URL: 'postgres://db/usher', USHER_DATABASE_REPLICA_URL: 'postgres://standby/usher' };
    expect(readSettings(env).databaseReplicaUrl).toBe('postgres://standby/usher');
    expect(errorFor({ ...env, USHER_DATABASE_REPLICA_URL: 'ann:hunter2@standby' })).toBe(
      'USHER_DATABASE_REPLICA_URL must look like postgres://user:password@host:5432/database',
    );
    expect(errorFor({ USHER_DATABASE_REPLICA_URL: 'postgres://standby/usher' })).toMatch(/set DATABASE_URL too/);
  });

  it('accepts a TLS certificate with its key', () => {
    const { tls, publicUrl } = readSettings({ USHER_TLS_CERT: file('one.crt'), USHER_TLS_KEY: file('one.key') });
    expect(tls?.cert.toString()).toContain('BEGIN CERTIFICATE');
    expect(tls?.key.toString()).toContain('PRIVATE KEY');
    expect(publicUrl).toBe('https://127.0.0.1:3400');
  });

  it.each([
    [
      'one without the other',
      'one.crt',
      undefined,
      'USHER_TLS_CERT and USHER_TLS_KEY belong together: set both or none',
    ],
    [
      'the other without the one',
      undefined,
      'one.key',
      'USHER_TLS_CERT and USHER_TLS_KEY belong together: set both or none',
    ],
    ['a file that is not there', 'none.crt', 'one.key', 'USHER_TLS_CERT names a file that cannot be read: '],
    ['a key that is not there', 'one.crt', 'none.key', 'USHER_TLS_KEY names a file that cannot be read: '],
    ['a folder', '.', 'one.key', 'USHER_TLS_CERT names a file that cannot be read: '],
    ['what is no PEM', 'no.pem', 'one.key', 'USHER_TLS_CERT must name a PEM file: '],
    ['a key that is no PEM', 'one.crt', 'no.pem', 'USHER_TLS_KEY must name a PEM file: '],
    ['a broken certificate', 'broken.pem', 'one.key', 'USHER_TLS_CERT and USHER_TLS_KEY cannot be used together: '],
    [
      'the key of another certificate',
      'one.crt',
      'two.key',
      'USHER_TLS_CERT and USHER_TLS_KEY cannot be used together: ',
    ],
  ])('rejects TLS files that are %s', (_title, cert, key, expected) => {
    const message = errorFor({
      ...(cert && { USHER_TLS_CERT: file(cert) }),
      ...(key && { USHER_TLS_KEY: file(key) }),
    });
    expect(message.startsWith(expected), message).toBe(true);
    expect(message).not.toContain('\n');
  });
});

describe('backups', () => {
  const keys = { USHER_S3_ACCESS_KEY: 'a', USHER_S3_SECRET_KEY: 'the secret one' };
  it('can be kept on S3', () => {
    const env = {
      ...keys,
      USHER_BACKUP_TO: 's3://our-backups/usher/',
      USHER_BACKUP_EVERY: '6',
      USHER_BACKUP_KEEP: '3',
    };
    expect(readSettings({ ...env, USHER_S3_REGION: 'eu-west-1' })).toMatchObject({
      backup: { to: { bucket: 'our-backups', prefix: 'usher' }, everyMs: 21_600_000, keep: 3 },
      s3: { endpoint: 'https://s3.eu-west-1.amazonaws.com', region: 'eu-west-1' },
    });
    expect(readSettings({ ...env, USHER_S3_ENDPOINT: 'http://minio:9000/' }).s3?.endpoint).toBe('http://minio:9000');
  });

  it.each([
    [{ USHER_BACKUP_EVERY: '6' }, 'need USHER_BACKUP_TO'],
    [{ USHER_BACKUP_TO: 'there', USHER_BACKUP_EVERY: '0' }, 'USHER_BACKUP_EVERY must be a number of hours'],
    [{ USHER_BACKUP_TO: 'there', USHER_BACKUP_KEEP: 'all' }, 'USHER_BACKUP_KEEP must be a number of backups'],
    [{ USHER_BACKUP_TO: 's3://our-backups' }, 'needs USHER_S3_ACCESS_KEY'],
    [{ ...keys, USHER_BACKUP_TO: 's3://' }, 'must be a folder or s3://bucket/prefix'],
    [{ ...keys, USHER_BACKUP_TO: 's3://our-backups/../other' }, 'must be a folder or s3://bucket/prefix'],
    [{ ...keys, USHER_BACKUP_TO: 's3://our-backups/a//b' }, 'must be a folder or s3://bucket/prefix'],
    [{ ...keys, USHER_BACKUP_TO: 'ftp://host/x' }, 'must be a folder or s3://bucket/prefix'],
    [{ USHER_S3_SECRET_KEY: 'the secret one' }, 'belong together'],
    [{ ...keys, USHER_S3_ENDPOINT: 'minio:9000' }, 'USHER_S3_ENDPOINT must be an address'],
  ])('rejects %j', (env, message) => {
    const error = errorFor(env as Record<string, string>);
    expect(error).toContain(message);
    expect(error).not.toContain('the secret one');
  });
});

it('ends with 2 after a wrong setting, so that a service manager does not try again, and with 1 without a database', async () => {
  const terminal = { print: () => {}, printError: () => {}, untilStopped: async () => {} };
  const env = { USHER_DATA: folder, DATABASE_URL: 'postgres://usher:password@127.0.0.1:9/usher' };
  expect(await runCommand(['serve'], { ...env, PORT: 'x' }, terminal)).toBe(2);
  expect(await runCommand(['serve'], { ...env, PORT: '0' }, terminal)).toBe(1);
});

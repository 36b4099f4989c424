import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSchema, checkSetup } from './check-setup.ts';
import { inspectFiles } from './inspect-files.ts';
import type { SetupFacts } from './setup-facts.ts';

const DAY = 24 * 60 * 60_000;
const now = Date.UTC(2029, 0, 1);
const storage = {
  engine: 'postgres' as const,
  version: '17.2',
  bytes: 1e9,
  freeDiskBytes: null,
  connections: { open: 1, max: 100 },
};
const onSqlite = { ...storage, engine: 'sqlite' as const };
const database = {
  migrations: ['0001'],
  failingWebhooks: 0,
  disabledWebhooks: 0,
  plainKeys: 0,
  masterKey: 'aa',
  sendingPaused: undefined,
  installationId: 'id',
  scheduledBackup: undefined,
  scheduledExport: undefined,
  certificates: [],
  ahead: 0,
  newestAt: now,
  integrity: 'ok',
  hasClearGaps: true,
  isTooLargeToClear: false,
  isReadOnly: false,
  unusable: null,
};
const good: SetupFacts = {
  now,
  nodeVersion: '24.1.0',
  storage,
  database,
  disk: { freeBytes: 1e11, reusableBytes: 0, logBytes: 1e6 },
  knownMigrations: ['0001'],
  masterKeys: ['aa'],
  keyIsInEnvironment: false,
  publicUrl: 'https://usher.example.com',
  isExplicitUrl: true,
  pageUrl: 'https://usher.example.com',
  isExplicitPageUrl: false,
  basePath: '',
  listensPublicly: true,
  requireHttps: true,
  trustProxy: ['10.0.0.0/8'],
  streams: 10_000,
  connections: 20_000,
  untrustedProxies: [],
  files: { open: [], foreign: [] },
  url: { status: 200, isSameInstallation: true, hasHsts: true, certificate: { validTo: now + 60 * DAY } },
};

/** With a base path that a proxy of another domain passes on. */
const onPages = (changed: SetupFacts['page']) => ({
  pageUrl: 'https://app.example.com/help',
  isExplicitPageUrl: true,
  basePath: '/help',
  page: { status: 200, isSameInstallation: true, basePath: '/help', ...changed },
});

/** The checks that are not good, as `name state`. */
const findings = (changed: Partial<SetupFacts>) =>
  checkSetup({ ...good, ...changed })
    .filter(({ state }) => state !== 'good')
    .map(({ name, state }) => `${name} ${state}`);

describe('checkSetup', () => {
  it.each<[Partial<SetupFacts>, string[]]>([
    [{}, []],
    [{ nodeVersion: '20.19.0' }, ['node attention']],
    [{ streams: 0 }, []],
    [{ connections: 0 }, []],
    [{ streams: 20_000 }, ['streams attention']],
    [{ database: { ...database, ahead: -20_000 } }, ['clock attention']],
    [{ database: { ...database, newestAt: now - DAY } }, []],
    [{ database: { ...database, newestAt: now + 30_000 } }, []],
    [{ database: { ...database, newestAt: now + DAY } }, ['clock attention']],
    [{ database: { ...database, ahead: null, newestAt: null } }, []],
    [{ database: { ...database, integrity: 'row 7 missing from index' } }, ['integrity problem']],
    [{ database: { ...database, isReadOnly: true } }, ['storage problem']],
    [{ database: { ...database, isReadOnly: true, unusable: 'it was moved' } }, ['storage problem']],
    [{ storage: onSqlite, database: { ...database, hasClearGaps: null } }, ['deleted_data attention']],
    [{ storage: onSqlite, database: { ...database, hasClearGaps: false } }, []],
    [
      { storage: onSqlite, database: { ...database, hasClearGaps: false, isTooLargeToClear: true } },
      ['deleted_data attention'],
    ],
    [{ storage: onSqlite, database: { ...database, isTooLargeToClear: true } }, ['deleted_data attention']],
    [{ disk: { freeBytes: 1e11, reusableBytes: 0, logBytes: 1e9 } }, ['log attention']],
    [{ files: { open: ['usher.db'], foreign: [] } }, ['files problem']],
    [{ files: { open: [], foreign: ['usher.db'] } }, ['files attention']],
    [{ masterKeys: ['bb'] }, ['secrets problem']],
    [{ masterKeys: undefined }, ['secrets problem']],
    [{ masterKeys: 'the file cannot be read' }, ['secrets problem']],
    [{ database: { ...database, plainKeys: 1 } }, ['secrets problem']],
    [{ isExplicitUrl: false }, ['public_url attention']],
    [{ isExplicitUrl: false, listensPublicly: false }, []],
    [{ publicUrl: 'http://usher.example.com' }, ['public_url attention']],
    [{ requireHttps: false }, ['public_url attention']],
    [{ requireHttps: false, ownCertificate: { validTo: now + 60 * DAY } }, []],
    [{ url: { error: 'EMFILE' } }, ['reachable attention']],
    [{ url: { ...good.url, hasHsts: false } }, ['public_url attention']],
    [{ url: { error: 'ECONNREFUSED' } }, ['reachable attention']],
    [{ url: { ...good.url, status: 502 } }, ['reachable problem']],
    [{ url: { ...good.url, isSameInstallation: false } }, ['reachable problem']],
    [{ url: { status: 200, hasHsts: true } }, []],
    [{ url: { ...good.url, certificate: { validTo: now + 3 * DAY } } }, ['certificate attention']],
    [{ url: { ...good.url, certificate: { validTo: now - 2 * DAY } } }, ['certificate problem']],
    [{ url: { ...good.url, certificate: { validTo: now + 60 * DAY, error: 'SELF_SIGNED' } } }, ['certificate problem']],
    [{ trustProxy: true }, ['proxy problem']],
    [{ trustProxy: true, listensPublicly: false }, ['proxy attention']],
    [{ pageUrl: 'http://app.example.com', isExplicitPageUrl: true }, ['page_url attention']],
    [onPages({}), []],
    [onPages({ error: 'ECONNREFUSED' }), ['page_url attention']],
    [onPages({ status: 404 }), ['page_url problem']],
    [onPages({ isSameInstallation: false }), ['page_url problem']],
    [onPages({ basePath: undefined }), ['page_url problem']],
    [{ ...onPages({ basePath: undefined }), basePath: '' }, []],
    [{ ...onPages({}), page: undefined }, []],
    [{ untrustedProxies: [{ network: '10.1.2.3', requests: 7 }] }, ['proxy attention']],
    [{ database: { ...database, failingWebhooks: 2 } }, ['receivers attention']],
    [{ database: { ...database, disabledWebhooks: 1 } }, ['receivers attention']],
  ])('finds what is wrong in %j', (changed, expected) => {
    expect(findings(changed)).toEqual(expected);
    for (const { message } of checkSetup({ ...good, ...changed })) expect(message).toMatch(/^[A-Z0-9].*\.$/);
  });
});

it.each([
  [['0001'], 'good'],
  [[], 'attention'],
  [['0001', '9999'], 'problem'],
  [['0000'], 'problem'],
])('compares the migrations %j with those of this version', (migrations, state) => {
  const found = checkSchema({ database: { ...database, migrations }, knownMigrations: ['0001'] });
  expect(Object.keys(found)).toEqual([state]);
});

it.runIf(process.getuid?.() === 0)('accepts a key that root gives to the group of the server', () => {
  const data = mkdtempSync(join(tmpdir(), 'usher-files-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  chownSync(data, 1001, 1001);
  const file = join(data, 'master.key');
  writeFileSync(file, 'key', { mode: 0o640 });
  chownSync(file, 0, 1001);
  const inspect = (group: number) =>
    inspectFiles({ data, sqliteFile: join(data, 'usher.db'), masterKey: { file, keys: undefined } }, 1001, group);
  expect(inspect(1001)).toEqual({ open: [], foreign: [] });
  expect(inspect(1002)).toEqual({ open: ['master.key'], foreign: ['master.key'] });
});

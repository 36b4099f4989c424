import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ProjectTimes } from './scripts/project-times.ts';

const root = import.meta.dirname;
const testsIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join(folder, file));
const serverTests = testsIn('server');

/** Only these two modules give a test a database. */
const usesDatabase = (file: string) =>
  /from '[./]+\/(?:test\/)?(?:api|engine)\.ts'/.test(readFileSync(join(root, file), 'utf8'));

/** Files whose path starts with one of these. */
const startingWith = (paths: string[]) => serverTests.filter((file) => paths.some((path) => file.startsWith(path)));

const withoutDatabase = serverTests.filter((file) => !usesDatabase(file));
const onSqliteOnly = startingWith([
  'server/src/db/sqlite/',
  // These test documentation, HTTP, permissions and the command line, which behave the same on both engines.
  'server/test/csrf.test.ts',
  'server/test/first-data-folder.test.ts',
  'server/test/run-docs.test.ts',
  'server/test/roles.test.ts',
  'server/test/unknown-params.test.ts',
  'server/src/http/connections.test.ts',
  'server/src/http/limits.test.ts',
  'server/src/http/receive.test.ts',
  'server/src/pages/serve-dashboard.test.ts',
  'server/src/pages/serve-preview.test.ts',
  'server/src/pages/serve-script.test.ts',
  'server/src/cli/',
]);
const onPostgresOnly = startingWith(['server/src/db/postgres/', 'server/src/db/transfer/']);

/** Where the engines differ: `npm test` runs these on PostgreSQL, too. The others run there in `npm run test:all`. */
const onPostgresAlways = startingWith([
  'server/src/db/',
  'server/src/batches/',
  'server/src/certificates/',
  'server/src/webhooks/events/',
  'server/src/webhooks/sending/',
  'server/src/features/audience/filters/',
  'server/src/features/audience/deletions/',
  'server/src/features/audience/profiles/forget.test.ts',
  'server/src/features/delivery/experiments/races.test.ts',
  'server/src/features/delivery/targeting/random-cases.test.ts',
  'server/src/features/delivery/queue/random-queues.test.ts',
  'server/src/features/experiences/proposals/',
  'server/src/features/results/goals/goal-sql.test.ts',
  'server/src/mcp/mcp.test.ts',
  'server/test/deliveries-model.test.ts',
  // Every endpoint, with its example.
  'server/test/endpoints.test.ts',
  'server/test/lock-order.test.ts',
  'server/test/schema.test.ts',
  'server/test/sync.test.ts',
]);

/** `npm test` leaves these to `npm run test:all`: they start many processes, wait for long times, or send all to all. */
const long = startingWith([
  'server/test/bad-input.test.ts',
  'server/test/first-lines.test.ts',
  'server/test/killed-export.test.ts',
  'server/test/killed-import.test.ts',
  'server/test/pgbouncer.test.ts',
  'server/test/new-kind.test.ts',
  'server/test/new-kind-types.test.ts',
  'server/test/packages.test.ts',
  'server/test/process.test.ts',
  'server/test/run-docs.test.ts',
  'server/test/secrets.test.ts',
  'server/test/unavailable.test.ts',
  'server/test/workers.test.ts',
  'server/src/backup/',
  'server/src/certificates/certificates.test.ts',
  'server/src/cli/',
  'server/src/db/heavy-reads.test.ts',
  'server/src/db/sqlite/shredder.test.ts',
  'server/src/db/transfer/',
  'server/src/features/install/sample-data/',
  'server/src/http/downloads.test.ts',
]);

/** The script's tests that `npm test` leaves to `npm run test:all`. */
const laterInBrowser = [
  'accessible',
  'accidents',
  'check',
  'debug',
  'demo',
  'foreign-pages',
  'host-page',
  'hostile',
  'language',
  'layer',
  'look',
  'picker',
  'pictures',
  'playwright-matcher',
  'templates',
  'theme-loads',
  'theme-pictures',
  'try',
  'unfinished',
  'xss-server',
].map((name) => `script/test/${name}.test.ts`);

/** `npm test -- --quick` leaves these out: what belongs to no feature, and the features whose tests take longest. */
const slow = startingWith([
  'server/test/',
  'server/src/batches/',
  'server/src/db/',
  'server/src/http/',
  'server/src/pages/',
  'server/src/serve.test.ts',
  'server/src/webhooks/sending/',
  'server/src/features/audience/profiles/forget.test.ts',
  'server/src/features/audience/profiles/ingestion.test.ts',
  'server/src/features/audience/profiles/search.test.ts',
  'server/src/features/delivery/interactions/reports.test.ts',
  'server/src/features/delivery/targeting/random-cases.test.ts',
  'server/src/features/experiences/experiences.test.ts',
  'server/src/features/team/audit/',
  'server/src/features/translations/translations.test.ts',
]);

/*
 * With USHER_TEST_CI=1, `npm test` runs these too: CI has more time than people who try the project. Everything runs in
 * `npm run test:all`, before a release.
 */
const inCiOnSqlite = startingWith([
  'server/test/roles.test.ts',
  'server/src/batches/batch-thread.test.ts',
  'server/src/db/sqlite/written-pages.test.ts',
  'server/src/exports/export.test.ts',
  'server/src/features/delivery/streams/streams.test.ts',
  'server/src/features/experiences/files/files.test.ts',
  'server/src/features/results/counts/counts.test.ts',
  'server/src/http/connections.test.ts',
]);
const inCiOnPostgres = startingWith([
  'server/src/batches/batch-thread.test.ts',
  'server/src/db/postgres/citus.test.ts',
  'server/src/db/postgres/silent.test.ts',
  'server/src/features/audience/profiles/forget.test.ts',
  'server/src/webhooks/sending/sender.test.ts',
]);
const inCiInBrowser = [
  'manners',
  'random-surveys',
  'starts-model',
  'stream',
  'survey-page',
  'take-from-page',
  'themes',
].map((name) => `script/test/${name}.test.ts`);
const inCiInDashboard = ['analytics', 'deliveries', 'team'].map((name) => `dashboard/test/${name}.test.ts`);

interface Selection {
  files: string[];
  /** What never runs in this project. */
  not?: string[];
  /** What `npm test` leaves to `npm run test:all`, and to `npm test -- --rest`. */
  later?: string[];
  /** What `npm test` runs of it in CI. */
  ci?: string[];
  /** Files that choose in each mode which of their cases run. */
  divided?: string[];
  /** What `npm test -- --quick` leaves out, too. */
  slow?: string[];
}

/** The files of a project in the mode of scripts/test.mjs. Without a mode, and for files that are named, all are there. */
function select({ files, not = [], later = [], ci = [], divided = [], slow = [] }: Selection) {
  const mode = process.env.USHER_TEST_NAMED === '1' ? 'all' : process.env.USHER_TEST_MODE;
  if (mode === 'rest') return { include: [...later, ...divided], exclude: not };
  const inCi = process.env.USHER_TEST_CI === '1' ? ci : [];
  const left = { quick: [...later, ...slow], default: later.filter((file) => !inCi.includes(file)) }[mode ?? ''] ?? [];
  return { include: files, exclude: [...not, ...left] };
}

/**
 * The tests of the dashboard that `npm test` runs, in a minute: what people do most. `npm run test:all` runs all others too,
 * and the same main path in Firefox and on PostgreSQL.
 */
const dashboardCore = ['main-path', 'results', 'sign-in', 'tasks'].map((name) => `dashboard/test/${name}.test.ts`);
const mainPath = ['dashboard/test/main-path.test.ts'];
/** It packs and installs the package, which no other test may do meanwhile. */
const firstHour = ['dashboard/test/first-hour.test.ts'];
const inFirefox = ['script/test/demo.test.ts', 'script/test/banner.test.ts', ...mainPath];

/**
 * A browser on a busy machine is sometimes late. CI repeats such a test once, and vitest lists it as repeated. No other test is
 * repeated: what fails there once is a mistake.
 */
const retry = Number(process.env.USHER_BROWSER_RETRIES ?? 0);

/**
 * Tests of the script wait for two fifths of their time: for frames, for what must not happen, for times of the script itself. All
 * others keep the processor busy with one worker for each core.
 */
const afterOthers = { sequence: { groupOrder: 1 }, maxWorkers: Math.ceil(availableParallelism() * 1.5) };

export default defineConfig({
  test: {
    reporters: [new ProjectTimes(), 'default'],
    maxWorkers: '100%',
    // No module keeps state that another test file could see. Loading each module once per worker saves a fifth of the time.
    isolate: false,
    setupFiles: ['./scripts/seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for comes, but a busy machine may take longer than the usual second.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: 'domain', ...select({ files: ['domain/**/*.test.ts'] }) } },
      { extends: true, test: { name: 'script', ...select({ files: ['script/src/**/*.test.ts'] }) } },
      {
        extends: true,
        test: {
          name: 'server',
          ...select({ files: withoutDatabase, later: long.filter((file) => withoutDatabase.includes(file)), slow }),
        },
      },
      {
        extends: true,
        test: {
          name: 'dashboard-unit',
          ...select({
            files: ['dashboard/src/**/*.test.ts', 'dashboard/test/api-schema.test.ts', 'client/test/api-types.test.ts'],
          }),
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          ...select({
            files: [...serverTests, 'client/test/client.test.ts', 'client/test/runtimes/runtimes.test.ts'],
            not: [...withoutDatabase, ...onPostgresOnly],
            later: [...long, ...inCiOnSqlite],
            ci: inCiOnSqlite,
            // 10,000 hostile calls of assistants, and fewer in `npm test`.
            divided: ['server/src/mcp/hostile.test.ts'],
            slow,
          }),
          provide: { engine: 'sqlite' },
          globalSetup: ['server/test/build.setup.ts'],
        },
      },
      // The browser tests use a server on SQLite. The other projects test what differs between the engines.
      {
        extends: true,
        test: {
          name: 'browser',
          retry,
          ...select({
            files: testsIn('script/test'),
            later: [...laterInBrowser, ...inCiInBrowser],
            ci: inCiInBrowser,
            divided: ['script/test/xss.test.ts'],
          }),
          ...afterOthers,
          provide: { engine: 'sqlite' },
          globalSetup: ['server/test/build.setup.ts', 'script/test/build.setup.ts'],
        },
      },
      // These run after all others, only when they are asked for: the applications must be installed.
      {
        extends: true,
        test: {
          name: 'hosts',
          retry,
          include: ['hostapps/test/**/*.test.ts'],
          globalSetup: ['server/test/build.setup.ts', 'hostapps/test/setup.ts'],
          ...afterOthers,
          // These applications take seconds to load, and each test loads one several times.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'dashboard',
          retry,
          ...select({
            files: testsIn('dashboard/test'),
            not: ['dashboard/test/api-schema.test.ts', ...firstHour],
            later: testsIn('dashboard/test').filter((file) => !dashboardCore.includes(file)),
            ci: inCiInDashboard,
            divided: ['dashboard/test/tasks.test.ts'],
          }),
          // axe takes seconds for a large page.
          testTimeout: 120_000,
          provide: { engine: 'sqlite' },
          globalSetup: ['server/test/build.setup.ts', 'dashboard/test/build.setup.ts'],
        },
      },
      // What users and authors do most, in the other engine. This and the next two projects run in `npm run test:all`.
      {
        extends: true,
        test: {
          name: 'firefox',
          retry,
          ...select({ files: inFirefox, later: inFirefox }),
          // It starts slowly, and so does each of its pages: beside other tests its waits would end too soon.
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          testTimeout: 300_000,
          provide: { engine: 'sqlite', browser: 'firefox' },
          globalSetup: ['server/test/build.setup.ts', 'script/test/build.setup.ts', 'dashboard/test/build.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'first-hour',
          ...select({ files: firstHour, later: firstHour }),
          provide: { engine: 'sqlite' },
          sequence: { groupOrder: 3 },
          testTimeout: 900_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'dashboard-postgres',
          retry,
          ...select({ files: mainPath, later: mainPath }),
          testTimeout: 120_000,
          provide: { engine: 'postgres' },
          globalSetup: ['server/test/build.setup.ts', 'server/test/postgres.setup.ts', 'dashboard/test/build.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          ...select({
            files: serverTests,
            not: [...withoutDatabase, ...onSqliteOnly],
            later: serverTests.filter(
              (file) => !onPostgresAlways.includes(file) || long.includes(file) || inCiOnPostgres.includes(file),
            ),
            ci: inCiOnPostgres,
          }),
          provide: { engine: 'postgres' },
          globalSetup: ['server/test/build.setup.ts', 'server/test/postgres.setup.ts'],
        },
      },
    ],
  },
});

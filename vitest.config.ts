import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
const serverTests = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map((file) => join('server', file));

/** Only these two modules give a test a database. */
const usesDatabase = (file: string) =>
  /from '[./]+\/(?:test\/)?(?:api|engine)\.ts'/.test(readFileSync(join(root, file), 'utf8'));

const withoutDatabase = serverTests.filter((file) => !usesDatabase(file));
const onSqliteOnly = [
  'server/src/db/sqlite/**/*.test.ts',
  // These test documentation, HTTP, permissions and the command line, which behave the same on both engines.
  'server/test/csrf.test.ts',
  'server/test/docs.test.ts',
  'server/test/endpoints.test.ts',
  'server/test/roles.test.ts',
  'server/test/unknown-params.test.ts',
  'server/src/http/connections.test.ts',
  'server/src/http/limits.test.ts',
  'server/src/http/receive.test.ts',
  'server/src/pages/serve-dashboard.test.ts',
  'server/src/pages/serve-preview.test.ts',
  'server/src/pages/serve-script.test.ts',
  'server/src/cli/**/*.test.ts',
];
const onPostgresOnly = ['server/src/db/postgres/**/*.test.ts'];

/** `npm test -- --quick` leaves these out, unless it is called with the names of files. */
const slow = [
  'server/test/bad-input.test.ts',
  'server/test/deliveries-model.test.ts',
  'server/test/docs.test.ts',
  'server/test/new-kind.test.ts',
  'server/test/new-kind-types.test.ts',
  'server/test/process.test.ts',
  'server/test/secrets.test.ts',
  'server/test/unavailable.test.ts',
  'server/test/wire.test.ts',
  'server/src/batches/batch-thread.test.ts',
  'server/src/cli/**/*.test.ts',
  'server/src/db/heavy-reads.test.ts',
  'server/src/db/sqlite/shredder.test.ts',
  'server/src/db/storage.test.ts',
  'server/src/features/experiences/captures/captures.test.ts',
  'server/src/features/install/demo/demo.test.ts',
  'server/src/features/experiences/experiences.test.ts',
  'server/src/features/audience/profiles/forget.test.ts',
  'server/src/features/audience/filters/agreement.test.ts',
  'server/src/features/delivery/targeting/random-cases.test.ts',
  'server/src/features/translations/translations.test.ts',
  'server/src/http/limits.test.ts',
  'server/src/webhooks/sending/sender.test.ts',
];
const skipSlow = process.env.USHER_TEST_SKIP_SLOW === '1';

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
    maxWorkers: '100%',
    // No module keeps state that another test file could see. Loading each module once per worker saves a fifth of the time.
    isolate: false,
    setupFiles: ['./scripts/seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for comes, but a busy machine may take longer than the usual second.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: 'domain', include: ['domain/**/*.test.ts'] } },
      { extends: true, test: { name: 'script', include: ['script/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'server', include: withoutDatabase, exclude: skipSlow ? slow : [] } },
      {
        extends: true,
        test: { name: 'dashboard-unit', include: ['dashboard/src/**/*.test.ts', 'dashboard/test/api-schema.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: serverTests,
          exclude: [...withoutDatabase, ...onPostgresOnly, ...(skipSlow ? slow : [])],
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
          include: ['script/test/**/*.test.ts'],
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
          include: ['dashboard/test/**/*.test.ts'],
          exclude: ['dashboard/test/api-schema.test.ts'],
          // axe takes seconds for a large page.
          testTimeout: 120_000,
          provide: { engine: 'sqlite' },
          globalSetup: ['server/test/build.setup.ts', 'dashboard/test/build.setup.ts'],
        },
      },
      // What users and authors do most, in the other engine.
      {
        extends: true,
        test: {
          name: 'firefox',
          retry,
          include: ['script/test/demo.test.ts', 'dashboard/test/main-path.test.ts'],
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
          name: 'dashboard-postgres',
          retry,
          include: ['dashboard/test/main-path.test.ts'],
          testTimeout: 120_000,
          provide: { engine: 'postgres' },
          globalSetup: ['server/test/build.setup.ts', 'server/test/postgres.setup.ts', 'dashboard/test/build.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: serverTests,
          exclude: [...withoutDatabase, ...onSqliteOnly],
          provide: { engine: 'postgres' },
          globalSetup: ['server/test/build.setup.ts', 'server/test/postgres.setup.ts'],
        },
      },
    ],
  },
});

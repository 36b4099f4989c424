import { readdirSync, readFileSync } from 'node:fs';
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
  // These test the documentation and HTTP below the endpoints. No statement that they run differs between the engines.
  'server/test/docs.test.ts',
  'server/src/http/connections.test.ts',
  'server/src/http/receive.test.ts',
  'server/src/pages/serve-script.test.ts',
];
const onPostgresOnly = ['server/src/db/postgres/**/*.test.ts'];

/** `npm test -- --quick` leaves these out: each takes several seconds. */
const slow = ['server/test/bad-input.test.ts'];
const isQuick = process.env.USHER_TEST_MODE === 'quick';

export default defineConfig({
  test: {
    // Tests wait for the database about as often as they use the CPU, so a worker for each core keeps all cores busy.
    maxWorkers: '100%',
    // No module keeps state that another test file could see. Loading each module once per worker saves a fifth of the time.
    isolate: false,
    setupFiles: ['./scripts/seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'domain', include: ['domain/**/*.test.ts'] } },
      { extends: true, test: { name: 'script', include: ['script/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'server', include: withoutDatabase } },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: serverTests,
          exclude: [...withoutDatabase, ...onPostgresOnly, ...(isQuick ? slow : [])],
          provide: { engine: 'sqlite' },
          globalSetup: ['server/test/build.setup.ts'],
        },
      },
      // The browser tests use a server on SQLite. The other projects test what differs between the engines.
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['script/test/**/*.test.ts'],
          provide: { engine: 'sqlite' },
          globalSetup: ['server/test/build.setup.ts', 'script/test/build.setup.ts'],
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

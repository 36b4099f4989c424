import { defineConfig } from 'vitest/config';

const onBothEngines = ['server/**/*.test.ts'];

export default defineConfig({
  test: {
    // The tests wait for the database as often as they work: a core that is kept free would stand idle.
    maxWorkers: '100%',
    // No module keeps what another test could meet: loading them once for all files saves a fifth of the time.
    isolate: false,
    setupFiles: ['./scripts/seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'domain', include: ['domain/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: onBothEngines,
          provide: { engine: 'sqlite' },
          globalSetup: ['server/test/build.setup.ts'],
        },
      },
      { extends: true, test: { name: 'script', include: ['script/src/**/*.test.ts'] } },
      // Pages are tested against a server on SQLite: what differs between the engines is told by the others.
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
          include: onBothEngines,
          provide: { engine: 'postgres' },
          globalSetup: ['server/test/build.setup.ts', 'server/test/postgres.setup.ts'],
        },
      },
    ],
  },
});

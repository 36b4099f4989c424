import { defineConfig } from 'vitest/config';

/* `npm run test:examples` installs, builds and opens each example. It is apart from `npm test`, because it needs the network. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['examples/test/**/*.test.ts'],
    provide: { engine: 'sqlite' },
    globalSetup: ['server/test/build.setup.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 180_000,
  },
});

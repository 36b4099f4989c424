import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'script', include: ['src/**/*.test.ts'] } },
      { extends: true, test: { name: 'browser', include: ['test/**/*.test.ts'], provide: { engine: 'sqlite' } } },
    ],
  },
});

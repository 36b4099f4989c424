/** `npm test -- --quick` sets it to `quick`, `npm run test:all` to `all`. */
const { USHER_TEST_MODE: mode = '' } = process.env;

const factor = mode === 'all' ? 10 : mode === 'quick' ? 0.2 : 1;

/** How often a test with random data runs: `usual` times in `npm test`, less often in the quick mode, more often in CI. */
export function randomRuns(usual: number): number {
  return Math.max(1, Math.round(usual * factor));
}

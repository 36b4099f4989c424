import fc from 'fast-check';

/** How often a property runs in `npm test`, unless it says otherwise. scripts/seed.ts sets it for each mode. */
export const USUAL_RUNS = 40;

/** How often a property runs that needs another number: `usual` times in `npm test`, fewer when quick, more in CI. */
export function randomRuns(usual: number): number {
  const { numRuns = USUAL_RUNS } = fc.readConfigureGlobal();
  return Math.max(1, Math.round((usual * numRuns) / USUAL_RUNS));
}

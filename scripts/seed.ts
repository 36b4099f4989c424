import fc from 'fast-check';
import { randomRuns } from './random-runs.ts';

/*
 * Random data is the same in every run, so that a change does not fail because of data that has nothing to do with it.
 * USHER_SEED=<number> chooses other data. `npm run test:all` chooses a new number each time and prints it.
 */
const { USHER_SEED = '1' } = process.env;
if (!/^\d+$/.test(USHER_SEED)) throw new Error(`USHER_SEED must be a whole number, not ${USHER_SEED}`);
fc.configureGlobal({ seed: Number(USHER_SEED), numRuns: randomRuns(100) });

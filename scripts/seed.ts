import fc from 'fast-check';
import { USUAL_RUNS } from '../domain/test/random-runs.ts';

/*
 * Random data is the same in every run, so that a change does not fail because of data that has nothing to do with it.
 * USHER_SEED=<number> chooses other data. `npm run test:all` chooses a new number each time and prints it.
 */
const { USHER_SEED = '1', USHER_TEST_MODE = '' } = process.env;
if (!/^\d+$/.test(USHER_SEED)) throw new Error(`USHER_SEED must be a whole number, not ${USHER_SEED}`);

const factor = { quick: 0.25, all: 5 }[USHER_TEST_MODE] ?? 1;
fc.configureGlobal({ seed: Number(USHER_SEED), numRuns: USUAL_RUNS * factor });

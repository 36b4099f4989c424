import { simulateExperiments } from '../../bench/experiments.mjs';

/** @type {Promise<import('../../bench/harness.mjs').Result[]> | undefined} */
let simulated;

/**
 * How often experiments are wrong that somebody looks at every day: 10,000 A/A tests and 1,000 A/B tests. The rules are the same on both engines,
 * so both have the result of one simulation.
 * @param {{ seed?: number | undefined }} options
 */
export function wrongExperiments({ seed = 1 }) {
  return async (/** @type {import('../../bench/harness.mjs').Bench} */ { quick }) => {
    simulated ??= simulateExperiments({ size: quick ? 0.1 : 1, seed });
    return simulated;
  };
}

import { median } from '../numbers.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

/**
 * From the start of the process to the first good response of /readyz, on an empty database: tables and account are created.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function startFirst(bench) {
  const times = [];
  for (let start = 0; start < 5; start++) {
    const usher = await startUsher(bench, await createStore(bench));
    times.push(usher.secondsToReady);
    await usher.stop();
  }
  return [{ value: median(times), unit: 's' }];
}

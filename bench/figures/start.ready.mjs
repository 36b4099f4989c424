import { median } from '../numbers.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { insertUrls } from '../urls.mjs';

/**
 * From the start of the process to the first good response of /readyz, with existing data.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function startReady(bench) {
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertUrls(bench, store, bench.quick ? 100 : 100_000);
  const times = [];
  for (let start = 0; start < 5; start++) {
    const usher = await startUsher(bench, store);
    times.push(usher.secondsToReady);
    await usher.stop();
  }
  return [{ value: median(times), unit: 's', target: { most: 1 } }];
}

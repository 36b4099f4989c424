import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../numbers.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

/**
 * Measures the memory of the process after the start, without requests.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function memoryIdle(bench) {
  const store = await createStore(bench);
  const sizes = [];
  for (let start = 0; start < 3; start++) {
    const usher = await startUsher(bench, store);
    await pause(bench.quick ? 500 : 4000);
    sizes.push((await usher.memory()) / 1e6);
    await usher.stop();
  }
  return [{ value: median(sizes), unit: 'MB', target: { most: 120 } }];
}

import { setTimeout as pause } from 'node:timers/promises';
import { SECRET, startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';

const WRITERS = 16;
const MAX_ROUND_MS = 400;

/**
 * Kills Usher with -9 while it writes, many times, and checks that every write that returned 201 is still there after
 * the restart. A start that fails ends the run.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function killUnderLoad(bench) {
  const times = bench.quick ? 5 : 200;
  const store = await createStore(bench);
  /** @type {Set<string>} */
  const acknowledged = new Set();
  let lost = 0;
  for (let time = 1; time <= times; time++) {
    const usher = await startUsher(bench, store);
    const written = writeUntilItEnds(usher.port, time);
    await pause(Math.random() * MAX_ROUND_MS);
    await usher.kill();
    for (const host of await written) acknowledged.add(host);
    if (time % 20 === 0) bench.note(`${time} of ${times} kills, ${acknowledged.size} writes acknowledged`);
  }
  const stored = await storedHosts(bench, store);
  for (const host of acknowledged) if (!stored.has(host)) lost += 1;
  return [
    { part: 'lost', value: lost, unit: 'writes', target: { most: 0 } },
    { part: 'acknowledged', value: acknowledged.size, unit: 'writes' },
    { part: 'times', value: times, unit: 'kills' },
  ];
}

/**
 * Adds domains over several connections until the server is gone.
 * @param {number} port
 * @param {number} round
 * @returns {Promise<string[]>} the hosts for which the server returned 201
 */
async function writeUntilItEnds(port, round) {
  /** @type {string[]} */
  const created = [];
  const write = async (/** @type {number} */ writer) => {
    for (let n = 0; ; n++) {
      const host = `k${round}-${writer}-${n}.example.com`;
      const status = await addDomain(port, host);
      if (status === undefined) return;
      if (status !== 201) throw new Error(`${host} returned ${status}`);
      created.push(host);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return created;
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number | undefined>} the status, or undefined when the server ended before it responded
 */
async function addDomain(port, host) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v3/edit/urls`, {
      method: 'POST',
      headers: { 'x-account-secret': SECRET },
      body: JSON.stringify({ host }),
    });
    await response.text();
    return response.status;
  } catch {
    return undefined;
  }
}

/**
 * Starts the server again and returns the hosts that it lists.
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {import('../../bench/store.mjs').Store} store
 */
async function storedHosts(bench, store) {
  const usher = await startUsher(bench, store);
  /** @type {Set<string>} */
  const hosts = new Set();
  for (let before = ''; ; ) {
    const { urls, cursor } = JSON.parse(await usher.get(`/v3/edit/urls?limit=500${before}`));
    for (const { host } of urls) hosts.add(host);
    if (cursor.before === null) break;
    before = `&before=${cursor.before}`;
  }
  await usher.stop();
  return hosts;
}

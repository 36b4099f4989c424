import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { insertProfiles } from '../../bench/profiles.mjs';
import { startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { killWhile, p99, runCommand, startWrites } from '../beside-server.mjs';

/**
 * Compacts the file of a server under load, and kills each command with -9 before one runs to its end: every acknowledged write
 * is in the file afterwards, and no file is left behind.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function compactUnderLoad(bench) {
  if (bench.engine !== 'sqlite') return [];
  const rounds = bench.quick ? 2 : 20;
  const store = await createStore(bench);
  const data = String(store.env.USHER_DATA);
  await (await startUsher(bench, store)).stop();
  await insertProfiles(bench, store, bench.quick ? 5_000 : 100_000);
  const usher = await startUsher(bench, store);
  const load = startWrites(usher);
  /** @type {{ from: number, to: number }[]} */
  const times = [];
  let killed = 0;
  let replaced = 0;
  for (let round = 1; round <= rounds; round++) {
    if (await killWhile(['compact'], store.env, data, '.compacting')) killed += 1;
    const before = inodeOf(data);
    const from = performance.now();
    await runCommand(['compact'], store.env);
    times.push({ from, to: performance.now() });
    if (inodeOf(data) !== before) replaced += 1;
    bench.note(`${round} of ${rounds} times compacted, ${load.writes.length} writes acknowledged`);
  }
  await load.stop();
  await usher.stop();
  const connection = await store.connect();
  const stored = new Set((await connection.run('select host from urls')).map(({ host }) => String(host)));
  const [check] = await connection.run('pragma integrity_check');
  await connection.close();
  const during = load.writes.filter(({ at }) => times.some(({ from, to }) => at >= from && at <= to));
  const left = readdirSync(data).filter((name) => name.includes('compact') && name !== 'compact.lock');
  return [
    {
      part: 'lost',
      value: load.writes.filter(({ host }) => !stored.has(host)).length,
      unit: 'writes',
      target: { most: 0 },
    },
    { part: 'damaged', value: check?.integrity_check === 'ok' ? 0 : 1, unit: 'files', target: { most: 0 } },
    { part: 'left behind', value: left.length, unit: 'files', target: { most: 0 } },
    { part: 'not replaced', value: rounds - replaced, unit: 'files', target: { most: 0 } },
    { part: 'acknowledged', value: load.writes.length, unit: 'writes' },
    { part: 'killed', value: killed, unit: 'commands' },
    { part: 'longest write', value: Math.max(...during.map(({ ms }) => ms)), unit: 'ms', target: { most: 1000 } },
    { part: 'write p99 while it is compacted', value: p99(during), unit: 'ms' },
  ];
}

/** @param {string} data */
function inodeOf(data) {
  return statSync(join(data, 'usher.db')).ino;
}

import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { insertProfiles } from '../../bench/profiles.mjs';
import { SECRET, startUsher, unlimited } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { killAfter, runCommand } from '../beside-server.mjs';
import { fillAccount } from '../move/fill-account.mjs';
import { compareAll, readAll } from '../move/read-all.mjs';

const settings = {
  ...unlimited,
  USHER_DEMO: 'false',
  USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  // Responses have links to the dashboard, and each start has another port.
  USHER_PUBLIC_URL: 'http://127.0.0.1:3400',
};

/** @typedef {import('../../bench/store.mjs').Store} Store */
/** @typedef {import('../../bench/harness.mjs').Bench} Bench */

/**
 * Moves an installation to the other engine and back with `usher move`, and kills the command with -9 on the way. Then every
 * GET of the API responds as before.
 * @param {Bench} bench
 */
export async function moveEngines(bench) {
  const people = bench.quick ? 20_000 : 500_000;
  const kills = bench.quick ? 3 : 10;
  const original = await createStore(bench);
  await (await startUsher(bench, original, settings)).stop();
  await insertProfiles(bench, original, people);
  const usher = await startUsher(bench, original, settings);
  await fillAccount(usher, { people: Math.min(people, 20_000), experiences: bench.quick ? 20 : 200 });
  await usher.stop();
  const expected = await readStopped(bench, original);
  bench.note(`${people} people, ${expected.size} paths`);

  const other = await createStore({ ...bench, engine: bench.engine === 'sqlite' ? 'postgres' : 'sqlite' });
  bringKey(original, other);
  const there = await moveKilled(bench, original, other, kills);
  const different = report(bench, compareAll(expected, await readStopped(bench, other)));
  const third = await createStore(bench);
  bringKey(original, third);
  const back = await moveKilled(bench, other, third, kills);
  const differentBack = report(bench, compareAll(expected, await readStopped(bench, third)));
  return [
    { part: 'different', value: different, unit: 'paths', target: { most: 0 } },
    { part: 'different after the way back', value: differentBack, unit: 'paths', target: { most: 0 } },
    { part: 'compared', value: expected.size, unit: 'paths', target: { least: 150 } },
    { part: 'times', value: there.killed + back.killed, unit: 'kills', target: { least: kills } },
    { part: 'there, with kills', value: there.seconds, unit: 's' },
    { part: 'back, with kills', value: back.seconds, unit: 's' },
    { part: 'people', value: people, unit: 'profiles' },
  ];
}

/**
 * @param {Bench} bench
 * @param {Store} store
 */
async function readStopped(bench, store) {
  const usher = await startUsher(bench, store, settings);
  const found = await readAll(`http://127.0.0.1:${usher.port}`, SECRET);
  await usher.stop();
  return found;
}

/**
 * @param {Bench} bench
 * @param {Store} from
 * @param {Store} to
 * @param {number} kills
 */
async function moveKilled(bench, from, to, kills) {
  const place = to.env.DATABASE_URL ?? String(to.env.USHER_DATA);
  const argv = ['move', '--to', place];
  const startedAt = performance.now();
  let killed = 0;
  for (let time = 1; time <= kills; time++) {
    if (!(await killAfter(argv, from.env, 1000 + Math.random() * (bench.quick ? 3000 : 20_000)))) break;
    killed += 1;
    bench.note(`${killed} of ${kills} kills`);
  }
  // A run that ended before it was killed has moved everything.
  await runCommand(argv, from.env).catch((error) => {
    if (!String(error).includes('was moved to')) throw error;
  });
  return { killed, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

/**
 * @param {Store} from
 * @param {Store} to
 */
function bringKey(from, to) {
  const key = join(String(from.env.USHER_DATA), 'master.key');
  if (existsSync(key)) copyFileSync(key, join(String(to.env.USHER_DATA), 'master.key'));
}

/**
 * @param {Bench} bench
 * @param {string[]} differences
 */
function report(bench, differences) {
  for (const difference of differences.slice(0, 5)) bench.note(difference);
  return differences.length;
}

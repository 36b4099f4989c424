import { setTimeout as pause } from 'node:timers/promises';
import { insertProfiles } from '../../bench/profiles.mjs';
import { SECRET, startUsher, unlimited } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { killAfter, runCommand } from '../beside-server.mjs';
import { fillAccount } from '../move/fill-account.mjs';
import { compareRecords, readRecords } from '../move/records.mjs';

const allowed = { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
const settings = { ...unlimited, ...allowed, USHER_DEMO: 'false' };
/** A claim of a killed process ends after ten seconds. */
const CLAIM_MS = 11_000;

/** @typedef {Awaited<ReturnType<typeof startUsher>>} Usher */

/**
 * Moves an account between two servers, and kills the import with -9 ten times on the way. Then moves it on to a third one. At the end, all
 * have the same records of everything that moves.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function moveKilled(bench) {
  const people = bench.quick ? 2_000 : 100_000;
  const experiences = bench.quick ? 20 : 200;
  const kills = bench.quick ? 3 : 10;
  const sourceStore = await createStore(bench);
  await (await startUsher(bench, sourceStore, settings)).stop();
  await insertProfiles(bench, sourceStore, people);
  const source = await startUsher(bench, sourceStore, settings);
  await fillAccount(source, { people, experiences });
  bench.note(`filled an account of ${people} people`);
  const expected = await readRecords(source);

  const targetStore = await createStore(bench);
  const target = await startUsher(bench, targetStore, settings);
  const env = { ...targetStore.env, ...allowed };
  const startedAt = performance.now();
  let killed = 0;
  for (let time = 1; killed < kills && time <= kills * 3; time++) {
    if (await killAfter(moveFrom(source), env, 1000 + Math.random() * (bench.quick ? 1500 : 5000))) killed += 1;
    await pause(CLAIM_MS);
    bench.note(`${killed} of ${kills} kills`);
  }
  await runCommand(moveFrom(source), env);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const different = compareRecords(expected, await readRecords(target), bench.note);

  const onwardStore = await createStore(bench);
  const onward = await startUsher(bench, onwardStore, settings);
  await runCommand(moveFrom(target), { ...onwardStore.env, ...allowed });
  const onwardDifferent = compareRecords(expected, await readRecords(onward), bench.note);
  for (const usher of [source, target, onward]) await usher.stop();
  return [
    { part: 'different', value: different, unit: 'records', target: { most: 0 } },
    { part: 'different after a second move', value: onwardDifferent, unit: 'records', target: { most: 0 } },
    { part: 'times', value: killed, unit: 'kills', target: { least: kills } },
    { part: 'people', value: people, unit: 'profiles' },
    { part: 'compared', value: expected.size, unit: 'records', target: { least: people } },
    { part: 'move with kills', value: seconds, unit: 's' },
  ];
}

/** @param {Usher} source */
function moveFrom({ port }) {
  const from = `http://127.0.0.1:${port}`;
  return ['import', 'v3', '--from', from, '--secret', SECRET, '--requests-per-minute', '100000'];
}

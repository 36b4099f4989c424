import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { insertProfiles } from '../../bench/profiles.mjs';
import { SECRET, startUsher, unlimited } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { killAfter, runCommand } from '../beside-server.mjs';

const settings = { ...unlimited, USHER_DEMO: 'false' };
/** A claim of a killed process ends after ten seconds. */
const CLAIM_MS = 11_000;

/** @typedef {Awaited<ReturnType<typeof startUsher>>} Usher */

/**
 * Moves an account between two servers, and kills the import with -9 ten times on the way: at the end, both have the same people and
 * Experiences.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function moveKilled(bench) {
  const people = bench.quick ? 2_000 : 100_000;
  const experiences = bench.quick ? 10 : 200;
  const kills = bench.quick ? 3 : 10;
  const sourceStore = await createStore(bench);
  await (await startUsher(bench, sourceStore, settings)).stop();
  await insertProfiles(bench, sourceStore, people);
  const source = await startUsher(bench, sourceStore, settings);
  for (let n = 0; n < experiences; n++)
    await source.post(
      '/v3/edit/tours',
      { name: `Tour ${n}`, steps: [{ title: `Hello ${n}`, buttons: [{ text: 'Next' }] }], published_at: '$now' },
      201,
    );
  const targetStore = await createStore(bench);
  const target = await startUsher(bench, targetStore, settings);
  const from = `http://127.0.0.1:${source.port}`;
  const argv = ['import', 'v3', '--from', from, '--secret', SECRET, '--requests-per-minute', '100000'];
  let killed = 0;
  for (let time = 1; killed < kills && time <= kills * 3; time++) {
    if (await killAfter(argv, targetStore.env, 1000 + Math.random() * (bench.quick ? 500 : 4000))) killed += 1;
    await pause(CLAIM_MS);
    bench.note(`${killed} of ${kills} kills`);
  }
  await runCommand(argv, targetStore.env);
  let different = 0;
  for (const [path, key] of /** @type {const} */ ([
    ['/v3/analyze/profiles', 'profiles'],
    ['/v3/analyze/companies', 'companies'],
    ['/v3/edit/tours', 'tours'],
  ])) {
    const [one, other] = [await recordsOf(source, path, key), await recordsOf(target, path, key)];
    for (const id of new Set([...one.keys(), ...other.keys()])) if (one.get(id) !== other.get(id)) different += 1;
    bench.note(`${one.size} and ${other.size} ${key}`);
  }
  await source.stop();
  await target.stop();
  return [
    { part: 'different', value: different, unit: 'records', target: { most: 0 } },
    { part: 'times', value: killed, unit: 'kills', target: { least: Math.min(kills, 3) } },
    { part: 'people', value: people, unit: 'profiles' },
  ];
}

/**
 * Reads a list to its end: a hash of each record by its ID.
 * @param {Usher} usher
 * @param {string} path
 * @param {string} key
 */
async function recordsOf(usher, path, key) {
  /** @type {Map<string, string>} */
  const records = new Map();
  for (let before = ''; ; ) {
    const page = JSON.parse(await usher.get(`${path}?limit=500${before}`));
    for (const { dashboard_url: _, ...record } of page[key])
      records.set(record.id, createHash('sha256').update(JSON.stringify(record)).digest('base64'));
    if (page.cursor.before === null) return records;
    before = `&before=${page.cursor.before}`;
  }
}

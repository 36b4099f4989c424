import { performance } from 'node:perf_hooks';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const DAY_MS = 24 * 60 * 60_000;
const ROUNDS = 15;

/**
 * How long results, an Experience and the list of Experiences take for a tour with many users, against a tour with few. They read counts, so
 * the number of users should not matter.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function resultsRead(bench) {
  const [few, many] = bench.quick ? [100, 3000] : [10_000, 300_000];
  const store = await createStore(bench);
  const first = await startUsher(bench, store);
  const steps = [{ title: 'One' }, { title: 'Two' }];
  const create = async (/** @type {string} */ name) =>
    JSON.parse(await first.post('/v3/edit/tours', { name, steps }, 201)).tour;
  const [small, large] = [await create('Small'), await create('Large')];
  await first.stop();
  await insertProfiles(bench, store, many);
  await insertUse(store, small, few);
  await insertUse(store, large, many);

  const beforeStart = performance.now();
  const usher = await startUsher(bench, store);
  const counted = (performance.now() - beforeStart) / 1000;
  bench.note(`counted when it started, in ${counted.toFixed(1)} s`);
  const time = async (/** @type {string} */ path, rounds = ROUNDS) => {
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await usher.get(path);
      times.push(performance.now() - start);
    }
    return median(times);
  };
  const from = new Date(Date.now() - 89 * DAY_MS).toISOString().slice(0, 10);
  const results = (/** @type {{ id: string }} */ { id }) => `/v3/analyze/tours/${id}/stats?from=${from}`;
  const { stats } = JSON.parse(await usher.get(results(large)));
  if (stats.totals.started !== many) throw new Error(`Counted ${stats.totals.started} of ${many}`);
  await time(results(small));
  const [smallResults, largeResults] = [await time(results(small)), await time(results(large))];
  const [smallShow, largeShow] = [await time(`/v3/edit/tours/${small.id}`), await time(`/v3/edit/tours/${large.id}`)];
  return [
    { value: largeResults, unit: 'ms', target: { most: 300 } },
    { part: 'ratio', value: largeResults / smallResults, unit: 'ratio', target: { most: 3 } },
    { part: 'show', value: largeShow, unit: 'ms' },
    { part: 'show.ratio', value: largeShow / smallShow, unit: 'ratio', target: { most: 2 } },
    { part: 'list', value: await time('/v3/edit/experiences?fields=list&order=started_count&trend=true'), unit: 'ms' },
    { part: 'start', value: counted, unit: 's' },
  ];
}

/**
 * Every user starts the tour on one of the last 90 days and sees its steps; a third comes back on the next day.
 * @param {import('../store.mjs').Store} store
 * @param {{ id: string, steps: { id: string }[] }} tour
 * @param {number} users
 */
async function insertUse(store, { id, steps }, users) {
  const connection = await store.connect();
  const today = Math.floor(Date.now() / DAY_MS);
  const some = `from (select account_id, id, updated_at from profiles order by id limit ${users}) as p`;
  const day = `${today - 89} + updated_at % 89`;
  const columns = 'account_id, profile_id, experience_id, what, part_id, day';
  const insert = (/** @type {string} */ what, /** @type {string} */ part, /** @type {string} */ more = '') =>
    connection.run(`insert into activities (${columns})
      select account_id, id, '${id}', '${what}', '${part}', ${day} ${more && '+ 1'} ${some} ${more}`);
  try {
    await connection.run('begin');
    await insert('started', '');
    await insert('started', '', 'where updated_at % 3 = 0');
    for (const step of steps) await insert('step', step.id);
    await insert('completed', '', 'where updated_at % 2 = 0');
    await connection.run(`insert into interactions (account_id, id, updated_at, experience_id, profile_id, state, started_at, displayed_at)
      select account_id, substr('${id}', 9, 8) || substr(id, 5, 7) || substr('${id}', 16, 9), updated_at, '${id}', id, 'started', updated_at, updated_at ${some}`);
    await connection.run('update accounts set recount_at = 1');
    await connection.run('commit');
  } finally {
    await connection.close();
  }
}

import { performance } from 'node:perf_hooks';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const ROUNDS = 15;
/** A search ends after two seconds, at the end of the chunk of the list that it is in. */
const MOST_SECONDS = 2.5;
/** A page that an index finds may take this many times as long as a page of the plain list. */
const MOST_TIMES = 3;

/**
 * A page of each search for people over a million profiles, against a page of the plain list of the contract. The searches
 * that no index can answer look for something that is not there, which takes longest.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function peopleSearch(bench) {
  const rows = bench.quick ? 20_000 : 1_000_000;
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertProfiles(bench, store, rows);
  const usher = await startUsher(bench, store);
  const path = '/v3/edit/profiles/search';
  const property = (/** @type {string} */ prop, /** @type {unknown} */ value, op = 'eq') =>
    `filters=${encodeURIComponent(JSON.stringify([{ kind: 'property', prop, op, value }]))}`;
  const middle = Math.floor(rows / 2);
  /** @type {Record<string, { query: string, finds: number, isBounded?: boolean }>} */
  const searches = {
    all: { query: '', finds: 50 },
    uid: { query: `text=user-${middle}&limit=1`, finds: 1 },
    email: { query: `text=user${middle}%40example.com&limit=1`, finds: 1 },
    'many by email': { query: 'text=user1', finds: 50 },
    name: { query: 'text=name', finds: 50 },
    property: { query: property('plan', 'pro'), finds: 50 },
    'unknown name': { query: 'text=unknown', finds: 0, isBounded: true },
    'unknown property': { query: property('plan', 'gold'), finds: 0, isBounded: true },
    'unknown part': { query: property('name', 'unknown', 'in-i'), finds: 0, isBounded: true },
  };

  const results = [];
  for (const [name, { query, finds, isBounded = false }] of Object.entries(searches)) {
    const plain = [];
    const times = [];
    for (let round = 0; round < (isBounded ? 3 : ROUNDS); round++) {
      plain.push((await timed(() => usher.get('/v3/analyze/profiles'))).seconds);
      const { seconds, text } = await timed(() => usher.get(`${path}?${query}`));
      const { profiles } = JSON.parse(text);
      if (profiles.length !== finds) throw new Error(`The search by ${name} finds ${profiles.length}, not ${finds}`);
      times.push(seconds);
    }
    const [time, usual] = [median(times), median(plain)];
    bench.note(`${name}: ${(time * 1000).toFixed(1)} ms, a page of the plain list ${(usual * 1000).toFixed(1)} ms`);
    if (isBounded) {
      const all = await lookAtAll(usher, `${path}?${query}`);
      bench.note(`${name}: ${all.pages} pages, ${all.seconds.toFixed(1)} s in all`);
      results.push({ part: name, value: Math.max(...times), unit: 's', target: { most: MOST_SECONDS } });
      results.push({ part: `${name}, to the end`, value: all.seconds, unit: 's' });
    } else results.push({ part: name, value: time / usual, unit: 'ratio', target: { most: MOST_TIMES } });
  }
  return results;
}

/**
 * Follows the cursor until the whole list has been looked at.
 * @param {{ get: (path: string) => Promise<string> }} usher
 * @param {string} path
 */
async function lookAtAll(usher, path) {
  let pages = 0;
  const { seconds } = await timed(async () => {
    for (let before = ''; pages < 1000; ) {
      const { cursor } = JSON.parse(await usher.get(path + before));
      pages += 1;
      if (cursor.before === null) return '';
      before = `&before=${encodeURIComponent(cursor.before)}`;
    }
    throw new Error(`${path} does not end`);
  });
  return { pages, seconds };
}

/** @param {() => Promise<string>} request */
async function timed(request) {
  const start = performance.now();
  const text = await request();
  return { text, seconds: (performance.now() - start) / 1000 };
}

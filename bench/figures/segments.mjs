import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { insertRows } from '../rows.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const ROUNDS = 9;
/** How many times as long a question may take with a hundred times as many profiles, if it reads only what was stored. */
const MOST_TIMES = 5;
const FIRST_SECOND = 1_600_000_000;

/**
 * What the dashboard asks about people, over few and over a million profiles: everybody, an event that only some have, and the
 * list of Segments. Then how long it takes until twelve Segments are counted.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function segments(bench) {
  const [few, many] = bench.quick ? [300, 3000] : [10_000, 1_000_000];
  const small = await measure(bench, few);
  const large = await measure(bench, many);
  return [
    ...Object.entries(large.times).map(([part, time]) => ({
      part,
      value: time / Number(small.times[part]),
      unit: 'ratio',
      // An event is looked for in the index of profiles, chunk by chunk.
      ...(part !== 'event' && { target: { most: MOST_TIMES } }),
    })),
    { part: 'event, at most', value: Number(large.times.event) / 1000, unit: 's', target: { most: 1 } },
    { part: 'counted', value: large.seconds, unit: 's', target: { most: 20 } },
  ];
}

/**
 * @param {import('../harness.mjs').Bench} bench
 * @param {number} rows
 */
async function measure(bench, rows) {
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertProfiles(bench, store, rows);
  await insertRows(bench, store, 'profile_events', Math.ceil(rows / 1000), eventStatements);
  const usher = await startUsher(bench, store);
  const { tour } = JSON.parse(await usher.post('/v3/edit/tours', { name: 'For everybody' }, 201));
  const event = [{ kind: 'event', value: 'paid', op: 'ex' }];
  for (let seats = 0; seats < 12; seats++) {
    const items = [...(seats % 3 === 0 ? event : []), { kind: 'property', prop: 'seats', op: 'gt', value: seats }];
    await usher.post('/v3/edit/segments', { name: `More than ${seats} seats`, items }, 201);
  }
  const started = performance.now();
  for (;;) {
    const list = JSON.parse(await usher.get('/v3/analyze/segments'));
    if (
      list.counting === null &&
      list.segments.every((/** @type {{ count: number | null }} */ one) => one.count !== null)
    )
      break;
    await pause(20);
  }
  const seconds = (performance.now() - started) / 1000;
  /** @type {Record<string, () => Promise<unknown>>} */
  const requests = {
    everybody: () => usher.get('/v3/analyze/profiles/count?without_test_users=true'),
    reach: () => usher.get(`/v3/edit/tours/${tour.id}/publish_check`),
    event: () => usher.post('/v3/analyze/profiles/count', { filters: event, within_ms: 10_000 }, 200),
    list: () => usher.get('/v3/analyze/segments'),
  };
  /** @type {Record<string, number>} */
  const times = {};
  for (const [name, request] of Object.entries(requests)) {
    await request();
    const taken = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      await request();
      taken.push(performance.now() - start);
    }
    times[name] = median(taken);
    bench.note(`${rows} profiles, ${name}: ${times[name]?.toFixed(1)} ms`);
  }
  bench.note(`${rows} profiles: twelve Segments counted in ${seconds.toFixed(1)} s`);
  await usher.stop();
  return { times, seconds };
}

/** Every thousandth profile has paid. */
const eventStatements = {
  /** @type {(account: string, from: number, to: number) => string} */
  sqlite: (account, from, to) => `
    with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n + 1 < ${to})
    insert into profile_events (account_id, profile_id, name, count, first_at, last_at)
    select '${account}', printf('%08x%03x%013x', ${FIRST_SECOND} + n, 0, 0), 'paid', 1, ${FIRST_SECOND}000, ${FIRST_SECOND}000
    from numbers`,
  /** @type {(account: string, from: number, to: number) => string} */
  postgres: (account, from, to) => `
    insert into profile_events (account_id, profile_id, name, count, first_at, last_at)
    select '${account}', lpad(to_hex(${FIRST_SECOND} + n), 8, '0') || repeat('0', 16), 'paid', 1, ${FIRST_SECOND}000,
      ${FIRST_SECOND}000
    from generate_series(${from}, ${to - 1}) as n`,
};

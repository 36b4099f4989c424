import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { requestText, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

/** About 15 MB: the largest batch has 16. */
const IN_LARGE = 120_000;
const IN_SMALL = 5000;
const HOUR_MS = 60 * 60_000;
const GOAL = 'Signed up';
const names = ['Report exported', 'Page opened', 'Search done', 'File uploaded', 'Member invited'];

/** The rates on SQLite, if they were measured in this run. PostgreSQL is compared with them. */
const onSqlite = new Map();

/**
 * Events of known users, each from another time of the last month: how many per second in batches of about the largest size, in
 * batches of 5,000, and with a request for each.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function events(bench) {
  const users = bench.quick ? 1000 : 100_000;
  const inLarge = bench.quick ? 10_000 : IN_LARGE;
  const rounds = bench.quick ? 2 : 5;
  const seconds = bench.quick ? 0.3 : 3;
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertProfiles(bench, store, users);
  const usher = await startUsher(bench, store);
  await startGoals(store, usher);
  const { port } = usher;

  let next = 0;
  const newEvent = () => {
    const n = next++;
    return { uid: `user-${(n * 7919) % users}`, name: names[n % names.length], format: 'pdf', size: n % 1000 };
  };
  const newBatch = (/** @type {number} */ inOne) => {
    const all = Array.from({ length: inOne }, () => {
      const event = newEvent();
      const hours = (next * 31) % 720;
      return { ...event, occurred_at: new Date(Date.now() - hours * HOUR_MS).toISOString() };
    });
    return requestText('POST', '/v3/observe/hooks/events/batch', { events: all });
  };
  const single = () => requestText('POST', '/v3/observe/hooks/events', newEvent());

  /**
   * @param {number} inOne
   * @param {number} batches
   */
  const send = async (inOne, batches) => {
    // They are built before the measurement, which they would disturb.
    const bodies = Array.from({ length: batches }, () => newBatch(inOne));
    const request = (/** @type {number} */ n) => bodies[n] ?? '';
    const sent = await drive({
      ...{ port, request, status: 202, seconds: 600, count: batches, connections: 2 },
      patience: 120_000,
    });
    return sent.perSecond * inOne;
  };

  // Each user meets the goal once.
  const inGoals = Math.min(IN_SMALL, users);
  const goalBodies = Array.from({ length: Math.min(10, users / inGoals) }, (_, batch) =>
    requestText('POST', '/v3/observe/hooks/events/batch', {
      events: Array.from({ length: inGoals }, (_, n) => ({ uid: `user-${batch * inGoals + n}`, name: GOAL })),
    }),
  );
  const goals = await drive({
    ...{ port, request: (/** @type {number} */ n) => goalBodies[n] ?? '', status: 202, seconds: 600 },
    ...{ count: goalBodies.length, connections: 2, patience: 120_000 },
  });

  /** @type {Record<'batch' | 'batch.small' | 'single', number[]>} */
  const rates = { batch: [], 'batch.small': [], single: [] };
  for (let round = 1; round <= rounds; round++) {
    rates.batch.push(await send(inLarge, 2));
    rates['batch.small'].push(await send(IN_SMALL, bench.quick ? 2 : 10));
    rates.single.push((await drive({ port, request: single, status: 200, seconds })).perSecond);
    const shown = Object.entries(rates).map(([part, found]) => `${part} ${Math.round(found.at(-1) ?? 0)}`);
    bench.note(`round ${round} of ${rounds}: ${shown.join(', ')}`);
  }
  return [
    ...rate(bench, 'batch', median(rates.batch), bench.engine === 'sqlite' ? 30_000 : 15_000),
    ...rate(bench, 'batch.small', median(rates['batch.small'])),
    ...rate(bench, 'batch.goals', goals.perSecond * inGoals),
    ...rate(bench, 'single', median(rates.single)),
  ];
}

/**
 * Publishes a tour with a goal, which all users have started.
 * @param {import('../store.mjs').Store} store
 * @param {Awaited<ReturnType<typeof startUsher>>} usher
 */
async function startGoals(store, usher) {
  const params = { name: 'Goal', goal: GOAL, steps: [{ title: 'Hello' }], published_at: '$now' };
  const { tour } = await usher.post('/v3/edit/tours', params, 201);
  const connection = await store.connect();
  await connection.run(`insert into interactions
      (account_id, id, updated_at, updated_tick, experience_id, profile_id, state, started_at)
    select account_id, id, 1, 1, '${tour.id}', id, 'started', 1 from profiles`);
  await connection.close();
}

/**
 * @param {import('../harness.mjs').Bench} bench
 * @param {string} part
 * @param {number} value
 * @param {number} [least]
 */
function rate({ engine }, part, value, least) {
  const line = { part, value, unit: 'events/s', ...(least && { target: { least } }) };
  if (engine === 'sqlite') onSqlite.set(part, value);
  if (engine === 'sqlite' || !onSqlite.has(part)) return [line];
  return [line, { part: `${part}.ratio`, value: value / onSqlite.get(part), unit: 'ratio', target: { least: 0.5 } }];
}

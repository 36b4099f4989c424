import { performance } from 'node:perf_hooks';
import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { idAt, insertRows, numbers, onBoth } from '../rows.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { HOST, visitsOf } from './visits.mjs';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ROUNDS = 5;
const RATE = 200;
/** How many of ten users do each step. Instead of a step, the others do something else. */
const STEPS = /** @type {const} */ ([
  ['signed_up', 10],
  ['project_created', 7],
  ['member_invited', 5],
  ['report_exported', 3],
  ['paid', 2],
]);
/** Numbers of users without an order, so that those who do a step are not beside each other. */
const whoOfTen = '(n / 5 * 7919 % 1000003 % 10)';
const name = `case n % 5 ${STEPS.map(([step, share], at) => `when ${at} then case when ${whoOfTen} < ${share} then '${step}' else 'page_opened' end`).join(' ')} end`;

/**
 * A funnel of five steps over five million events of a million users, each with five events in three weeks, and what page loads notice of it.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function funnels(bench) {
  const users = bench.quick ? 2000 : 1_000_000;
  const store = await createStore(bench);
  const first = await startUsher(bench, store);
  await first.post('/v3/edit/urls', { host: HOST, enabled: 'on' }, 201);
  const { account } = JSON.parse(await first.get('/v3/edit/account'));
  await first.stop();
  await insertProfiles(bench, store, users);
  await insertEvents(bench, store, users);
  const usher = await startUsher(bench, store);

  const steps = STEPS.map(([name]) => ({ kind: 'event', name }));
  const count = async (/** @type {number} */ within_ms) => {
    const start = performance.now();
    const { funnel } = JSON.parse(await usher.post('/v3/analyze/funnels', { steps, window_days: 14, within_ms }, 200));
    return { ms: performance.now() - start, funnel };
  };
  const { funnel: whole } = await count(30_000);
  bench.note(`${JSON.stringify(whole.steps.map(({ people }) => people))} people, complete: ${whole.complete}`);
  if (whole.complete && whole.steps[0].people !== users)
    throw new Error(`Counted ${whole.steps[0].people} of ${users}`);
  const times = [];
  for (let round = 0; round < ROUNDS; round++) times.push((await count(30_000)).ms);
  const bounded = await count(2000);

  const seconds = bench.quick ? 2 : 10;
  const load = { port: usher.port, request: visitsOf(account.token, Math.floor(users / 2)), status: 200, rate: RATE };
  await drive({ ...load, seconds: 2 });
  const quiet = await drive({ ...load, seconds });
  let isOver = false;
  const counting = (async () => {
    while (!isOver) await count(30_000);
  })();
  const busy = await drive({ ...load, seconds });
  isOver = true;
  await counting;
  await usher.stop();
  return [
    { value: median(times), unit: 'ms', target: { most: 2000 } },
    { part: 'bounded', value: bounded.ms, unit: 'ms', target: { most: 2500 } },
    { part: 'bounded.share', value: bounded.funnel.share, unit: 'of 1' },
    { part: 'beside', value: busy.p99 / quiet.p99, unit: 'ratio', target: { most: 2 } },
    { part: 'beside.p99', value: busy.p99, unit: 'ms' },
    { part: 'beside.quiet.p99', value: quiet.p99, unit: 'ms' },
  ];
}

/**
 * @param {import('../harness.mjs').Bench} bench
 * @param {import('../store.mjs').Store} store
 * @param {number} users
 */
async function insertEvents(bench, store, users) {
  const start = Date.now() - 21 * DAY_MS;
  // The events of a user are some hours apart.
  const at = `cast(${start} + n / 5 % 432000 * 1000 + n % 5 * ${5 * HOUR_MS} as bigint)`;
  const profile = (/** @type {'sqlite' | 'postgres'} */ engine) => idAt[engine]('1600000000000 + n / 5');
  const custom = `'{"place":"toolbar","format":"pdf"}'`;
  await insertRows(
    bench,
    store,
    'events',
    5 * users,
    onBoth(
      (account, engine, from, to) => `insert into events (account_id, id, profile_id, name, custom)
        select '${account}', ${idAt[engine](at, 'n')}, ${profile(engine)}, ${name},
          ${engine === 'postgres' ? `${custom}::jsonb` : custom} from ${numbers[engine](from, to)} as numbered`,
    ),
  );
  await insertRows(
    bench,
    store,
    'profile_events',
    5 * users,
    onBoth(
      (
        account,
        engine,
        from,
        to,
      ) => `insert into profile_events (account_id, profile_id, name, count, first_at, last_at)
        select '${account}', who, name, count(*), min(at), max(at)
        from (select ${profile(engine)} as who, ${name} as name, ${at} as at from ${numbers[engine](from, to)} as numbered) as done
        group by who, name`,
    ),
  );
}

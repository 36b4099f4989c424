import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../bench/numbers.mjs';
import { startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { send } from '../send.mjs';
import { Balancer } from '../upgrade/balancer.mjs';
import { writeEarlierVersion } from '../upgrade/earlier-version.mjs';

const CLIENTS = 16;
const HREF = 'http://localhost/';
/** Longer than the load balancer needs to notice that a node is not ready. */
const DRAIN = { USHER_DRAIN: '1' };
const EVENT_KEYS = '0031-timelines';

/**
 * Two nodes of an earlier version are replaced by nodes of this one under load, one after the other, as docs/upgrade.md says. The first
 * new node changes the schema while the others serve.
 * @param {{ from?: string | undefined }} options
 */
export function rollingUpgrade({ from }) {
  return async (/** @type {import('../../bench/harness.mjs').Bench} */ bench) => {
    if (bench.engine === 'sqlite') {
      bench.note('one server at a time uses a SQLite file: see upgrade.stop');
      return [];
    }
    const earlier = await writeEarlierVersion(bench, from);
    if (!earlier) {
      bench.note(`skipped: ${from ?? 'an earlier version'} is not in the history of git`);
      return [{ part: 'skipped', value: 1, unit: 'runs' }];
    }
    const hasEventKeys = earlier.has(EVENT_KEYS, 'server/src/db/migrations/index.ts');
    const settings = ['server/src/settings.ts', 'server/src/settings/settings.ts'];
    const hasDrain = settings.some((file) => earlier.has('USHER_DRAIN', file));
    bench.note(`from ${earlier.commit} to this version`);
    if (!hasEventKeys) bench.note(`events are sent without keys: ${EVENT_KEYS} is not made for the versions before it`);

    const created = await createStore(bench);
    const store = {
      ...created,
      env: { ...created.env, ...DRAIN, USHER_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') },
    };
    const old = [];
    for (let n = 0; n < 2; n++) old.push(await startUsher(bench, store, undefined, earlier.folder));
    const data = await prepare(/** @type {(typeof old)[number]} */ (old[0]));
    const balancer = new Balancer(bench.note);
    await bench.cleanup.add(async () => balancer.stop());
    for (const { port } of old) balancer.add(port);

    let isOver = false;
    const load = Promise.all(
      Array.from({ length: CLIENTS }, (_, n) => use(balancer, n, data, hasEventKeys, () => isOver)),
    );
    const seconds = bench.quick ? 1 : 10;
    await pause(seconds * 1000);
    for (const [n, usher] of old.entries()) {
      const next = await startUsher(bench, store);
      balancer.add(next.port);
      bench.note(`new node ${n + 1} is ready, ${balancer.latencies.length} responses, ${balancer.failed} failed`);
      await pause(seconds * 1000);
      if (!hasDrain) await balancer.remove(usher.port);
      await usher.stop();
      await balancer.remove(usher.port);
      bench.note(`old node ${n + 1} has stopped, ${balancer.latencies.length} responses, ${balancer.failed} failed`);
      await pause(seconds * 1000);
    }
    isOver = true;
    const acknowledged = (await load).flat();
    const lost = await countLost(balancer, acknowledged);
    return [
      { part: 'failed', value: balancer.failed, unit: 'requests', target: { most: 0 } },
      { part: 'lost', value: lost, unit: 'writes', target: { most: 0 } },
      { part: 'retried', value: balancer.retried, unit: 'requests' },
      { part: 'requests', value: balancer.latencies.length, unit: 'requests' },
      { part: 'p99', value: percentile(balancer.latencies, 0.99), unit: 'ms' },
      { part: 'longest', value: percentile(balancer.latencies, 1), unit: 'ms' },
    ];
  };
}

/** @param {Awaited<ReturnType<typeof startUsher>>} usher */
async function prepare(usher) {
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
  const created = await usher.post('/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' }, 201);
  await usher.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' }, 201);
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  const { tour } = JSON.parse(created);
  return { token: String(account.token), tour: String(tour.id), button: String(tour.steps[0].buttons[0].id) };
}

/**
 * @param {Balancer} balancer
 * @param {number} client
 * @param {Awaited<ReturnType<typeof prepare>>} data
 * @param {boolean} hasEventKeys
 * @param {() => boolean} isOver
 * @returns {Promise<{ uid: string, round: number }[]>} what was acknowledged
 */
async function use(balancer, client, { token, tour, button }, hasEventKeys, isOver) {
  const acknowledged = [];
  for (let n = 0; !isOver(); n++) {
    const uid = `user-${client}-${n % 100}`;
    const page = await balancer.send('POST', '/v3/observe/visits', { account_token: token, uid, href: HREF });
    if (!page) continue;
    const from = { visit_token: page.visit.token };
    await balancer.send('POST', '/v3/observe/interactions', {
      ...from,
      experience_id: tour,
      button_id: button,
      href: HREF,
    });
    const key = hasEventKeys && { idempotency_key: `${client}-${n}` };
    await balancer.send('POST', '/v3/observe/events', { ...from, name: 'Saved', ...key });
    const profile = { uid: `api-${client}-${n}`, round: n };
    if (await balancer.send('POST', '/v3/observe/hooks/profiles', profile)) acknowledged.push(profile);
    if (n % 10 === 0) {
      const profiles = Array.from({ length: 20 }, (_, at) => ({ uid: `batch-${client}-${n}-${at}`, round: n }));
      if (await balancer.send('POST', '/v3/observe/hooks/profiles/batch', { profiles })) acknowledged.push(...profiles);
      await balancer.send('GET', '/v3/edit/experiences?limit=20');
      await balancer.send('PATCH', `/v3/edit/tours/${tour}`, { name: `Welcome ${n}`, published_at: '$now' });
    }
  }
  return acknowledged;
}

/**
 * @param {Balancer} balancer
 * @param {{ uid: string, round: number }[]} acknowledged
 */
async function countLost(balancer, acknowledged) {
  let lost = 0;
  for (const { uid, round } of acknowledged)
    if ((await balancer.send('GET', `/v3/analyze/profile?uid=${uid}`))?.profile.round !== round) lost += 1;
  return lost;
}

/**
 * A server receives SIGTERM while clients send requests over connections that they keep. Each request that it has accepted gets a
 * response, and what it acknowledged is there after the next start.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function stopUnderLoad(bench) {
  const times = bench.quick ? 3 : 30;
  const store = await createStore(bench);
  /** @type {string[]} */
  const acknowledged = [];
  let [failed, responses] = [0, 0];
  for (let time = 1; time <= times; time++) {
    const usher = await startUsher(bench, store);
    const written = Array.from({ length: CLIENTS }, (_, client) => writeUntilItStops(usher.port, `t${time}-${client}`));
    await pause(200 + Math.random() * 300);
    await usher.stop();
    for (const one of await Promise.all(written)) {
      acknowledged.push(...one.acknowledged);
      responses += one.acknowledged.length;
      if (one.failure === undefined) continue;
      failed += 1;
      bench.note(`failed: ${one.failure}`);
    }
    if (time % 10 === 0) bench.note(`${time} of ${times} stops, ${responses} responses, ${failed} failed`);
  }
  const usher = await startUsher(bench, store);
  const agent = new Agent({ keepAlive: true });
  let lost = 0;
  for (const uid of acknowledged)
    if ((await send({ port: usher.port, agent }, 'GET', `/v3/analyze/profile?uid=${uid}`)).status !== 200) lost += 1;
  agent.destroy();
  await usher.stop();
  return [
    { part: 'failed', value: failed, unit: 'requests', target: { most: 0 } },
    { part: 'lost', value: lost, unit: 'writes', target: { most: 0 } },
    { part: 'responses', value: responses, unit: 'requests' },
    { part: 'times', value: times, unit: 'stops' },
  ];
}

/**
 * Sends requests over one connection at a time until the server accepts no new one.
 * @param {number} port
 * @param {string} name
 */
async function writeUntilItStops(port, name) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** @type {string[]} */
  const acknowledged = [];
  try {
    for (let n = 0; ; n++) {
      const uid = `${name}-${n}`;
      const { status, text } = await send({ port, agent }, 'POST', '/v3/observe/hooks/profiles', { uid });
      if (status !== 200) return { acknowledged, failure: `${status}: ${text}` };
      acknowledged.push(uid);
    }
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    return { acknowledged, failure: code === 'ECONNREFUSED' ? undefined : `${code} ${message}` };
  } finally {
    agent.destroy();
  }
}

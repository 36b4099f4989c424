import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startUsher } from '../../bench/servers.mjs';
import { startPostgres } from '../../scripts/postgres.mjs';
import { secondsUntilFirst, startLoad } from '../network/load.mjs';
import { canMakeNamespaces, makeNamespace } from '../network/namespace.mjs';

const CONNECTIONS = 24;
const WARM_UP_MS = 3000;
const GIVE_UP_MS = 90_000;
/** PostgreSQL notices within 25 seconds that a client is gone. */
const LEFT_WITHIN_MS = 40_000;

/**
 * The network between Usher and PostgreSQL breaks without a sign: no connection is closed, packets just do not arrive.
 * First only the open connections are lost, as when a firewall forgets them; then everything, for a while.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function silentNetwork(bench) {
  if (bench.engine === 'sqlite') return [];
  if (!canMakeNamespaces()) {
    bench.note('left out: it needs root, ip and iptables');
    return [];
  }
  const namespace = await makeNamespace(bench.cleanup);
  const postgres = await startPostgres({ durable: true, host: namespace.host, namespace: namespace.name });
  await bench.cleanup.add(() => postgres.stop());
  const env = { USHER_DATA: bench.folder, DATABASE_URL: postgres.url, USHER_DATABASE_CONNECTIONS: String(CONNECTIONS) };
  const usher = await startUsher(bench, { env, connect: () => Promise.reject(new Error('not used')) });
  const load = startLoad(usher.port);
  await pause(WARM_UP_MS);

  const lostAt = performance.now();
  bench.note(`${namespace.dropOpenConnections()} open connections are lost`);
  const after = await untilAnswered(load.answers, lostAt);

  const outages = [];
  const longOutage = bench.quick ? 12_000 : 60_000;
  for (const outage of [3000, longOutage]) {
    await pause(WARM_UP_MS);
    bench.note(`nothing arrives for ${outage / 1000} seconds`);
    const brokenAt = performance.now();
    namespace.dropAll();
    await pause(outage);
    const answered = load.answers.filter(({ startedAt }) => startedAt > brokenAt);
    bench.note(`meanwhile ${answered.length} requests got ${[...new Set(answered.map(({ status }) => status))]}`);
    namespace.restore();
    outages.push(await untilAnswered(load.answers, performance.now()));
  }
  await load.stop();
  const memory = (await usher.memory()) / 1e6;
  const { left, hosts } = await inspect(postgres.url);
  namespace.dropAll();
  const stoppingAt = performance.now();
  await usher.stop();
  const stopped = (performance.now() - stoppingAt) / 1000;

  const acknowledged = load.answers.filter(({ kind, status }) => kind === 'write' && status === 201);
  const lost = acknowledged.filter(({ host }) => !hosts.has(host));
  const wrong = load.answers.filter(({ status }) => ![200, 201, 429, 503].includes(status));
  const longest = (/** @type {boolean} */ isHeavy) =>
    Math.max(
      ...load.answers
        .filter(({ kind }) => (kind === 'heavy') === isHeavy)
        .map(({ startedAt, endedAt }) => endedAt - startedAt),
    ) / 1000;
  const [short = NaN, long = NaN] = outages.map(({ write, read }) => Math.max(write, read));
  return [
    { part: 'lost', value: lost.length, unit: 'writes', target: { most: 0 } },
    { part: 'acknowledged', value: acknowledged.length, unit: 'writes' },
    { part: 'other errors', value: wrong.length, unit: 'responses', target: { most: 0 } },
    { part: 'connections lost', value: Math.max(after.write, after.read), unit: 's', target: { most: 9 } },
    { part: 'connections lost, heavy', value: after.heavy, unit: 's', target: { most: 20 } },
    { part: 'after 3 s', value: short, unit: 's', target: { most: 8 } },
    { part: `after ${longOutage / 1000} s`, value: long, unit: 's', target: { most: 5 } },
    { part: `after ${longOutage / 1000} s, heavy`, value: outages[1]?.heavy ?? NaN, unit: 's', target: { most: 20 } },
    { part: 'longest request', value: longest(false), unit: 's', target: { most: 10 } },
    { part: 'longest heavy', value: longest(true), unit: 's', target: { most: 20 } },
    { part: 'stop without network', value: stopped, unit: 's', target: { most: 9.9 } },
    { part: 'memory', value: memory, unit: 'MB' },
    { part: 'backends left', value: left, unit: 'more', target: { most: 0 } },
  ];
}

/**
 * Waits until requests of each kind work again.
 * @param {readonly import('../network/load.mjs').Answer[]} answers
 * @param {number} since
 */
async function untilAnswered(answers, since) {
  for (;;) {
    const [write, read, heavy] = /** @type {const} */ (['write', 'read', 'heavy']).map((kind) =>
      secondsUntilFirst(answers, kind, since),
    );
    if (write !== undefined && read !== undefined && heavy !== undefined) return { write, read, heavy };
    if (performance.now() - since > GIVE_UP_MS) throw new Error(`no answer for ${GIVE_UP_MS / 1000} seconds`);
    await pause(50);
  }
}

/**
 * Returns the stored hosts, and how many connections PostgreSQL still keeps beyond the limit of Usher.
 * @param {string} url
 */
async function inspect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const until = performance.now() + LEFT_WITHIN_MS;
  for (;;) {
    const { rows } = await client.query(
      "select count(*) as open from pg_stat_activity where application_name = 'usher'",
    );
    const left = Math.max(Number(rows[0].open) - CONNECTIONS, 0);
    if (left > 0 && performance.now() < until) {
      await pause(1000);
      continue;
    }
    const hosts = new Set((await client.query('select host from urls')).rows.map(({ host }) => host));
    await client.end();
    return { left, hosts };
  }
}

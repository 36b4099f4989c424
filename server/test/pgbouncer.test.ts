import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../scripts/postgres.mjs';
import { runDoctor } from '../src/cli/doctor-command.ts';
import { serve } from '../src/serve.ts';
import { readSettings } from '../src/settings/settings.ts';
import { engine } from './engine.ts';
import { pgbouncerVersion, startPgbouncer } from './pgbouncer.ts';

const secret = 'a-secret-of-the-operator';
const headers = { 'X-Account-Secret': secret, 'Content-Type': 'application/json' };
const untilItHappens = { timeout: 20_000, interval: 50 };
const CONNECTIONS = 8;

/** These tests are skipped where no PgBouncer is installed: `apt-get install pgbouncer`, or set PGBOUNCER_PATH. */
describe.runIf(engine === 'postgres' && pgbouncerVersion !== undefined)(`behind PgBouncer ${pgbouncerVersion}`, () => {
  let cluster: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    cluster = await startPostgres({ durable: true });
  });
  afterAll(() => cluster?.stop());

  async function run(sql: string) {
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }

  async function start(mode: 'session' | 'transaction', poolSize: number) {
    const name = `behind_${mode}`;
    await run(`create database ${name}`);
    const url = new URL(`/${name}`, cluster.url).href;
    const pgbouncer = await startPgbouncer(url, mode, poolSize);
    onTestFinished(() => pgbouncer.close());
    const env = {
      DATABASE_URL: pgbouncer.url,
      PORT: '0',
      USHER_LOG_LEVEL: 'silent',
      USHER_BOOTSTRAP_SECRET: secret,
      USHER_MASTER_KEY: 'ab'.repeat(32),
      USHER_DATABASE_CONNECTIONS: String(CONNECTIONS),
    };
    const server = await serve(readSettings(env), () => {});
    onTestFinished(() => server.stop());
    const send = async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(server.address + path, init);
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    return { pgbouncer, env, send, url };
  }

  it.each([
    // In session mode, each connection of Usher keeps one of PostgreSQL for as long as it is open.
    ['session', CONNECTIONS + 2],
    // In transaction mode, all connections of Usher share a few.
    ['transaction', 3],
  ] as const)(
    'serves requests in %s mode, and continues after PgBouncer and PostgreSQL were restarted',
    async (mode, poolSize) => {
      const { pgbouncer, env, send, url } = await start(mode, poolSize);
      const acknowledged: string[] = [];
      const post = async (host: string) => {
        const { status } = await send('POST', '/v3/edit/urls', { host, enabled: 'on' });
        if (status === 201) acknowledged.push(host);
        return status;
      };
      const postMany = (name: string) =>
        Promise.all(Array.from({ length: 30 }, (_, n) => post(`${name}-${n}.example.com`)));
      // The requests are sent twice: a prepared statement is missing only if another client has used the connection
      // meanwhile.
      for (const round of ['one', 'two']) expect(new Set(await postMany(round))).toEqual(new Set([201]));
      // `usher doctor` only reads, and leaves the connections of the server as they were.
      let found = '';
      for (let n = 0; n < poolSize; n++) await runDoctor(env, false, { print: (text) => (found = text) });
      expect(found).toMatch(/^ok +storage /m);
      expect(new Set(await postMany('doctor'))).toEqual(new Set([201]));
      const profiles = Array.from({ length: 1200 }, (_, n) => ({ uid: `u${n}`, name: `User ${n}` }));
      expect((await send('POST', '/v3/observe/hooks/profiles/batch', { profiles })).status).toBe(202);
      const counts = await Promise.all(Array.from({ length: 4 }, () => send('GET', '/v3/analyze/profiles/count')));
      expect(counts.map(({ status, body }) => [status, body.count])).toEqual(Array(4).fill([200, 1200]));

      await pgbouncer.restart();
      await expect.poll(() => post(`bouncer-${Math.random()}.example.com`), untilItHappens).toBe(201);
      await cluster.halt('SIGQUIT');
      expect(await post('meanwhile.example.com')).toBe(503);
      await cluster.resume();
      await expect.poll(() => post(`postgres-${Math.random()}.example.com`), untilItHappens).toBe(201);
      expect(new Set(await postMany('three'))).toEqual(new Set([201]));

      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const stored = new Set((await client.query('select host from urls')).rows.map(({ host }) => host));
      await client.end();
      expect(acknowledged.filter((host) => !stored.has(host))).toEqual([]);
    },
  );
});

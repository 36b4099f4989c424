import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../scripts/postgres.mjs';
import { type Running, serve } from '../src/serve.ts';
import { readSettings } from '../src/settings/settings.ts';
import { createTestDatabase, engine } from './engine.ts';

const secret = 'a-secret-of-the-operator';
const token = 'token-of-the-operator';
const headers = { 'X-Account-Secret': secret, 'Content-Type': 'application/json' };
const untilItHappens = { timeout: 20_000, interval: 20 };
const unavailable = {
  code: 503,
  messages: ['The storage cannot be reached at the moment: try again in a few seconds'],
};

function startOn(env: NodeJS.ProcessEnv): Promise<Running> {
  const settings = readSettings({
    ...env,
    PORT: '0',
    USHER_LOG_LEVEL: 'silent',
    USHER_BOOTSTRAP_SECRET: secret,
    USHER_BOOTSTRAP_TOKEN: token,
  });
  return serve(settings, () => {});
}

async function send(server: Running, method: string, path: string, body?: object) {
  const response = await fetch(server.address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

function post(server: Running, host: string) {
  return send(server, 'POST', '/v3/edit/urls', { host, enabled: 'on' });
}

describe.runIf(engine === 'postgres')('while PostgreSQL is unavailable', () => {
  let cluster: Awaited<ReturnType<typeof startPostgres>>;
  let server: Running;

  beforeAll(async () => {
    cluster = await startPostgres({ durable: true });
    server = await startOn({ DATABASE_URL: cluster.url });
  });
  afterAll(async () => {
    await server?.stop();
    await cluster?.stop();
  });

  async function hosts(): Promise<string[]> {
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    const { rows } = await client.query('select host from urls');
    await client.end();
    return rows.map((row) => row.host);
  }

  it('returns 503 from the API and readiness, stays healthy, and recovers when PostgreSQL is back', async () => {
    expect((await post(server, 'before.example.com')).status).toBe(201);
    await cluster.halt();
    expect(await post(server, 'meanwhile.example.com')).toEqual({ status: 503, body: unavailable });
    expect(await send(server, 'GET', '/v3/edit/urls')).toEqual({ status: 503, body: unavailable });
    expect(await send(server, 'GET', '/')).toEqual({ status: 503, body: unavailable });
    expect(await send(server, 'GET', '/readyz')).toEqual({ status: 503, body: unavailable });
    expect(await send(server, 'GET', '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await send(server, 'GET', '/metrics')).status).toBe(200);
    expect((await send(server, 'GET', '/no/such/place')).status).toBe(404);

    await cluster.resume();
    await expect.poll(() => send(server, 'GET', '/readyz'), untilItHappens).toMatchObject({ status: 200 });
    expect((await post(server, 'after.example.com')).status).toBe(201);
    expect((await hosts()).sort()).toEqual(['after.example.com', 'before.example.com']);
  });

  it('answers page loads and reads while PostgreSQL can only be read, and rejects other writes', async () => {
    const superuser = new pg.Client({ connectionString: cluster.url });
    await superuser.connect();
    onTestFinished(() => superuser.end());
    const letOnlyRead = async (value: 'on' | 'off') => {
      await superuser.query(`alter system set default_transaction_read_only = ${value}`);
      await superuser.query('select pg_reload_conf()');
    };
    expect((await post(server, 'app.example.com')).status).toBe(201);
    const load = (uid: string) =>
      send(server, 'POST', '/v3/observe/visits', { account_token: token, href: 'https://app.example.com/', uid });
    const { id } = (await load('known')).body.profile;
    await letOnlyRead('on');
    let tries = 0;
    // Each request uses another host, because a host that was stored before the setting took effect would be rejected
    // as a duplicate.
    const write = () => post(server, `meanwhile-${++tries}.example.com`);
    await expect.poll(async () => (await write()).status, untilItHappens).toBe(503);
    expect((await write()).body.messages).toEqual([
      'The database can only be read at the moment, so this was not stored: try again in a few seconds',
    ]);
    expect(await load('known')).toMatchObject({ status: 200, body: { profile: { id } } });
    expect(await load('new')).toMatchObject({ status: 200, body: { profile: { last_seen_at: null } } });
    expect((await send(server, 'GET', '/v3/edit/urls')).status).toBe(200);
    const { body } = await send(server, 'GET', '/v3/analyze/health');
    expect(body.health.checks).toContainEqual(expect.objectContaining({ name: 'storage', state: 'problem' }));
    await letOnlyRead('off');
    await expect.poll(async () => (await write()).status, untilItHappens).toBe(201);
    expect((await load('new')).body.profile.last_seen_at).not.toBeNull();
  });

  it.each([
    ['is shut down', 'SIGINT'],
    ['crashes', 'SIGQUIT'],
  ] as const)(
    'keeps every acknowledged write when PostgreSQL %s under load, and returns 503 for the others',
    async (_how, signal) => {
      const responses: { host: string; status: number }[] = [];
      const count = (status: number) => responses.filter((response) => response.status === status).length;
      let done = false;
      const client = async (name: string) => {
        for (let index = 0; !done; index++) {
          const host = `${name}-${index}.example.com`;
          responses.push({ host, status: (await post(server, host)).status });
        }
      };
      const load = Promise.all(Array.from({ length: 8 }, (_, index) => client(`${signal.toLowerCase()}-${index}`)));
      try {
        await expect.poll(() => count(201), untilItHappens).toBeGreaterThan(50);
        await cluster.halt(signal);
        await expect.poll(() => count(503), untilItHappens).toBeGreaterThan(0);
        await cluster.resume();
        const kept = count(201);
        await expect.poll(() => count(201), untilItHappens).toBeGreaterThan(kept + 50);
      } finally {
        done = true;
        await load;
      }
      expect(responses.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
      const stored = new Set(await hosts());
      expect(responses.filter(({ host, status }) => status === 201 && !stored.has(host))).toEqual([]);
    },
  );
});

describe.runIf(engine === 'sqlite')('while another process locks SQLite', () => {
  async function startBlocked(): Promise<{ server: Running; release: () => void }> {
    const database = await createTestDatabase();
    const server = await startOn(database.env);
    onTestFinished(async () => {
      await server.stop();
      await database.remove();
    });
    expect((await post(server, 'before.example.com')).status).toBe(201);
    const blocker = new Database(readSettings(database.env).sqliteFile);
    onTestFinished(() => void blocker.close());
    blocker.exec('begin exclusive');
    return { server, release: () => blocker.exec('commit') };
  }

  it('returns 503 for writes after a while, keeps reading, and recovers when the lock is released', async () => {
    const { server, release } = await startBlocked();
    const write = post(server, 'meanwhile.example.com');
    expect(await send(server, 'GET', '/v3/edit/urls')).toMatchObject({
      status: 200,
      body: { urls: [{ host: 'before.example.com' }] },
    });
    expect((await send(server, 'GET', '/')).status).toBe(200);
    expect((await send(server, 'GET', '/readyz')).status).toBe(200);
    expect((await send(server, 'GET', '/healthz')).status).toBe(200);
    expect(await write).toEqual({ status: 503, body: unavailable });
    release();
    expect((await post(server, 'after.example.com')).status).toBe(201);
    const { body } = await send(server, 'GET', '/v3/edit/urls');
    expect(body.urls.map((url: { host: string }) => url.host)).toEqual(['after.example.com', 'before.example.com']);
  });

  it('waits for the lock and then writes', async () => {
    const { server, release } = await startBlocked();
    const writes = ['one', 'two', 'three'].map((name) => post(server, `${name}.example.com`));
    for (let reads = 0; reads < 20; reads++) expect((await send(server, 'GET', '/')).status).toBe(200);
    release();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});

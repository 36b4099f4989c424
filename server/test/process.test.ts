import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { Agent } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect, createServer } from 'node:net';
import { hostname, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../src/log/log.ts';
import { openAppContext } from '../src/serve.ts';
import { readSettings } from '../src/settings/settings.ts';
import { createEmptyDatabase, engine, type TestDatabase } from './engine.ts';
import { parseMetrics } from './parse-metrics.ts';
import {
  accepts,
  beginPost,
  expectOneLine,
  introductionOf,
  root,
  runForJson,
  runToEnd,
  type Server,
  send,
  startServer,
  stopServer,
  testDatabase,
  untilItHappens,
  usher,
} from './run-process.ts';

/** Starting a process takes long, so tests that do not depend on the engine run on one engine only. */
const onOneEngine = engine === 'sqlite';

describe.runIf(onOneEngine)('a trial server', () => {
  it('sets up the demo site at its first start only', async () => {
    const database = await testDatabase();
    const env = { ...database.env, USHER_DEMO: undefined };
    const first = await startServer(env);
    const { secret } = await introductionOf(first);
    expect(first.out()).toContain('demo site');
    await stopServer(first);
    const second = await startServer(env);
    expect(second.out()).not.toContain('demo site');
    expect((await fetch(`${second.url}/demo/`)).status).toBe(200);
    const listed = await (await send(`${second.url}/v3/edit/experiences`, secret)).json();
    expect(listed).toMatchObject({ experiences: { length: 5 } });
    expect(await stopServer(second)).toBe(0);
  });
});

describe('a server', () => {
  let database: TestDatabase;
  let server: Server;
  let introduced: { id: string; token: string; secret: string };

  beforeAll(async () => {
    database = await createEmptyDatabase();
    server = await startServer({ ...database.env, USHER_REQUIRE_HTTPS: 'true' });
    introduced = await introductionOf(server);
  });
  afterAll(async () => {
    await stopServer(server);
    await database.remove();
  });

  it('prints the first account once, and its secret and token work', async () => {
    const response = await send(server.url, introduced.secret);
    expect(await response.json()).toMatchObject({ account: { id: introduced.id } });
    const accounts = await runForJson(['account', 'list'], database.env);
    expect(accounts).toEqual([
      expect.objectContaining({ account_id: introduced.id, account_token: introduced.token, name: 'Usher' }),
    ]);
    expect(server.out().split(introduced.secret)).toHaveLength(2);
    expect(server.out().split(introduced.token)).toHaveLength(2);
  });

  it('rejects a secret from the moment the command line revokes it', async () => {
    const made = await runForJson(['token', 'create', '--name', 'for a while'], database.env);
    expect(Object.keys(made).sort()).toEqual(['account_id', 'account_secret', 'id', 'user_id']);
    expect((await send(server.url, made.account_secret)).status).toBe(200);
    const listed = await runForJson(['token', 'list'], database.env);
    expect(listed.find((one: { id: string }) => one.id === made.id)).toMatchObject({
      account_id: introduced.id,
      user_id: made.user_id,
      name: 'for a while',
      revoked_at: null,
    });
    expect(JSON.stringify(listed)).not.toContain(made.account_secret);
    const revoked = await runForJson(['token', 'revoke', made.id], database.env);
    expect(revoked).toEqual({ id: made.id, revoked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
    expect((await send(server.url, made.account_secret)).status).toBe(403);
    expect((await send(server.url, introduced.secret)).status).toBe(200);
  });

  it('never logs a secret, wherever the request has it', async () => {
    const { secret } = introduced;
    const encoded = encodeURIComponent(secret);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const fetches: [string, RequestInit][] = [
      ['/', { headers: { 'X-Account-Secret': secret } }],
      [`/?account_secret=${encoded}`, {}],
      [`/v3/edit/urls?account_secret=${encoded}&limit=nothing`, {}],
      ['/', { method: 'POST', body: JSON.stringify({ account_secret: secret }) }],
      ['/', { method: 'POST', body: `account_secret=${encoded}`, headers: form }],
      ['/', { method: 'POST', body: `{"account_secret": "${secret}"`, headers: { 'X-Account-Secret': secret } }],
      [`/v3/edit/urls/${encoded}`, { headers: { 'X-Account-Secret': secret } }],
      [`/${encoded}`, { headers: { 'X-Account-Secret': secret } }],
      [`/${encoded}/%zz`, { headers: { 'X-Account-Secret': secret, Cookie: secret, Referer: secret } }],
      [`/v3/edit/urls/${encoded}`, { method: 'DELETE', headers: { 'X-Account-Secret': secret } }],
    ];
    for (const [path, init] of fetches) await (await fetch(server.url + path, init)).text();
    const broken = connect(server.port, '127.0.0.1');
    broken.end(`GET / HTTP/1.1\r\nX-Account-Secret : ${secret}\r\n${secret}\r\n\r\n`);
    broken.resume();
    await once(broken, 'close');
    await fetch(`${server.url}/healthz?last`);
    await expect.poll(() => server.out(), untilItHappens).toMatch(/"route":"\/healthz".*\n/);
    expect(server.out().replace(/account secret .*/, '')).not.toContain(secret);
    expect(server.err()).toBe('');
  });

  it('logs each request as one line of JSON', async () => {
    const id = '5fb70dcbc39330000325a817';
    await send(`${server.url}/v3/edit/urls/${id}?some=thing`, introduced.secret);
    await fetch(`${server.url}/no/such/place`);
    await expect.poll(() => server.out(), untilItHappens).toMatch(/"route":"unknown".*\n/);
    const lines = server.out().trimEnd().split('\n');
    const introduction =
      /^(Usher is ready at .*|The first account was created\.| {2}account (id|token|secret) .*|Nobody can sign in yet\..*| {2}http\S+\/app\/setup#\S+|)$/;
    const logged = lines.filter((line) => !introduction.test(line)).map((line) => JSON.parse(line));
    const requests = logged.filter(({ msg }) => msg === 'request');
    expect(logged.length - requests.length).toBe(1);
    expect(logged[0].msg).toMatch(/^a master key was created: /);
    for (const one of requests) {
      expect(one).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        method: expect.stringMatching(/^[A-Z]+$/),
        route: expect.stringMatching(/^(\/|unknown$)/),
        status: expect.any(Number),
        ms: expect.any(Number),
      });
    }
    expect(requests).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/v3/edit/urls/:id', status: 404, account: introduced.id }),
    );
    expect(requests).toContainEqual(expect.objectContaining({ method: 'GET', route: 'unknown', status: 404 }));
    expect(server.out()).not.toContain(id);
  });

  it('counts its requests by route in the text format of Prometheus', async () => {
    const ids = ['5fb70dcbc39330000325a811', '5fb70dcbc39330000325a812', '5fb70dcbc39330000325a813'];
    const counted = async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const sample = /^usher_http_requests_total\{method="PATCH",route="\/v3\/edit\/urls\/:id",status="404"\} (\d+)$/m;
      return Number(sample.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    for (const id of ids)
      await send(`${server.url}/v3/edit/urls/${id}`, introduced.secret, { method: 'PATCH', body: '{"enabled":"on"}' });
    await expect.poll(counted, untilItHappens).toBe(before + ids.length);

    const response = await fetch(`${server.url}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await response.text();
    for (const id of ids) expect(text).not.toContain(id);
    expect(parseMetrics(text).size).toBeGreaterThan(20);
  });

  it('ignores forwarded headers when no proxy is trusted', async () => {
    const forged = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'evil.test' };
    expect((await send(`${server.url}/?forged`, introduced.secret, { headers: forged })).status).toBe(200);
    expect(server.out()).not.toContain('203.0.113.9');
  });

  it('prints one line and exits when its port is taken', async () => {
    const { env } = await testDatabase();
    await runForJson(['account', 'create', '--name', 'Acme', '--email', 'ann@acme.test'], env);
    const ended = await runToEnd(['serve'], { ...env, PORT: String(server.port) });
    expectOneLine(
      ended,
      /^usher: cannot start: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+ \(stop .+, or set PORT to another port\)$/,
    );
    expect(ended.out).toBe('');
  });

  it('prints the first secret even when its port is taken', async () => {
    const empty = await testDatabase();
    const running = usher(['serve'], { ...empty.env, PORT: String(server.port) });
    expect(await running.ended).toBe(1);
    const { secret, id } = await introductionOf(running);
    const second = await startServer(empty.env);
    const response = await send(second.url, secret);
    expect(await response.json()).toMatchObject({ account: { id } });
    await stopServer(second);
  });
});

describe.runIf(onOneEngine)('an unattended first start behind a proxy', () => {
  const bootstrap = {
    USHER_BOOTSTRAP_EMAIL: 'ann@acme.test',
    USHER_BOOTSTRAP_PASSWORD: 'correct horse battery',
    USHER_BOOTSTRAP_SECRET: 'a-secret-of-the-operator',
    USHER_BOOTSTRAP_TOKEN: 'operators-token',
  };
  const secret = bootstrap.USHER_BOOTSTRAP_SECRET;
  let database: TestDatabase;
  let server: Server;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    server = await startServer({
      ...database.env,
      ...bootstrap,
      USHER_LOG_LEVEL: 'silent',
      USHER_REQUIRE_HTTPS: 'true',
      USHER_TRUST_PROXY: '127.0.0.1',
    });
  });
  afterAll(async () => {
    await stopServer(server);
    await database.remove();
  });

  it('creates exactly the configured account and does not print the secret', async () => {
    const introduced = await introductionOf(server);
    expect(introduced).toEqual({
      id: introduced.id,
      token: 'operators-token',
      secret: 'as set in USHER_BOOTSTRAP_SECRET',
    });
    expect(server.out() + server.err()).not.toContain(secret);
    expect(server.out() + server.err()).not.toContain(bootstrap.USHER_BOOTSTRAP_PASSWORD);
    expect(await (await send(server.url, secret)).json()).toMatchObject({ account: { id: introduced.id } });

    const { storage } = await openAppContext(readSettings(database.env), createLog('silent'));
    onTestFinished(() => storage.close());
    const reader = storage.reader(null);
    expect(await reader.selectFrom('accounts').select(['id', 'token']).execute()).toEqual([
      { id: introduced.id, token: 'operators-token' },
    ]);
    const admins = reader.selectFrom('admins').innerJoin('people', 'people.id', 'admins.person_id');
    expect(await admins.select(['email', 'role', 'password_hash']).execute()).toEqual([
      { email: 'ann@acme.test', role: 'owner', password_hash: expect.stringMatching(/^scrypt\$/) },
    ]);
    expect(await reader.selectFrom('secrets').select('id').execute()).toHaveLength(1);
  });

  it('rejects plain HTTP from a client on another machine', async () => {
    const response = await send(server.url, secret, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      code: 403,
      messages: ['Use https:// here: this server refuses plain HTTP'],
    });
  });

  it('accepts requests that the proxy received by HTTPS', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' };
    expect((await send(server.url, secret, { headers })).status).toBe(200);
  });

  it('accepts plain HTTP from the same machine', async () => {
    expect((await send(server.url, secret)).status).toBe(200);
  });

  it('logs nothing when the log level is silent', async () => {
    await introductionOf(server);
    const before = server.out();
    await send(`${server.url}/v3/edit/urls`, secret);
    await fetch(`${server.url}/no/such/place`);
    expect(await stopServer(server)).toBe(0);
    expect(server.out()).toBe(before);
    const other = await startServer({ ...database.env, USHER_LOG_LEVEL: 'silent' });
    await send(other.url, secret);
    expect(await stopServer(other)).toBe(0);
    expect(other.out()).toBe(`Usher is ready at ${other.url}\n`);
    expect(other.err() + server.err()).toBe('');
  });
});

const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address;

describe.runIf(onOneEngine && elsewhere !== undefined)('plain HTTP over the network, when HTTPS is required', () => {
  it('rejects plain HTTP whatever its headers say while no proxy is trusted', async () => {
    const database = await testDatabase();
    const secret = 'a-secret-of-the-operator';
    const server = await startServer({
      ...database.env,
      HOST: '0.0.0.0',
      USHER_REQUIRE_HTTPS: 'true',
      USHER_BOOTSTRAP_SECRET: secret,
    });
    const url = `http://${elsewhere}:${server.port}/`;
    const claims = [
      {},
      { 'X-Forwarded-Proto': 'https' },
      { 'X-Forwarded-For': '127.0.0.1' },
      { Forwarded: 'proto=https' },
    ];
    const responses = await Promise.all(claims.map((headers) => send(url, secret, { headers })));
    expect(responses.map((response) => response.status)).toEqual(claims.map(() => 403));
    expect((await send(`http://127.0.0.1:${server.port}/`, secret)).status).toBe(200);
    expect(await stopServer(server)).toBe(0);
  });
});

describe('stopping', () => {
  it('finishes the current request and closes the database, and the next start continues from there', async () => {
    const database = await testDatabase();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const server = await startServer(database.env);
    const { secret, token } = await introductionOf(server);
    const finish = await beginPost(server, secret, 'slow.example.com', agent);
    server.child.kill('SIGTERM');
    await expect.poll(() => accepts(server.port), untilItHappens).toBe(false);
    expect(await finish()).toEqual({ status: 201, connection: 'close' });
    expect(await server.ended).toBe(0);
    expect(server.err()).toBe('');
    if (engine === 'sqlite') {
      const log = join(database.env.USHER_DATA, 'usher.db-wal');
      expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
    }

    const second = await startServer(database.env);
    const listed = await (await send(`${second.url}/v3/edit/urls`, secret)).json();
    expect(await stopServer(second, 'SIGINT')).toBe(0);
    expect(listed).toMatchObject({ urls: [{ host: 'slow.example.com' }] });
    expect(second.out()).not.toContain(secret);
    expect(second.out()).not.toContain(token);
    expect(second.out()).not.toContain('account secret');
  });

  it.runIf(onOneEngine)('stays available for the time of USHER_DRAIN, and is no longer ready', async () => {
    const server = await startServer({ ...(await testDatabase()).env, USHER_DRAIN: '3600' });
    const { secret } = await introductionOf(server);
    server.child.kill('SIGTERM');
    const ready = () => fetch(`${server.url}/readyz`);
    await expect.poll(async () => (await ready()).status, untilItHappens).toBe(503);
    expect(await (await ready()).json()).toEqual({ code: 503, messages: ['This server is stopping'] });
    // A server that stops logs no error.
    expect(server.out()).not.toContain('"level":50');
    const response = await send(`${server.url}/v3/edit/urls`, secret);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    // A second signal ends the process immediately.
    server.child.kill('SIGTERM');
    await server.ended;
  });

  it.runIf(onOneEngine)('does not start on the schema of a newer version, and says which version does', async () => {
    const { env } = await testDatabase();
    expect((await runToEnd(['migrate'], env)).code).toBe(0);
    const app = await openAppContext(readSettings(env), createLog('silent'));
    await app.storage.write(null, (db) => db.insertInto('migrations').values({ name: '9999-later' }).execute());
    await app.storage.close();
    for (const command of [['serve'], ['account', 'list'], ['migrate']]) {
      const { code, out, err } = await runToEnd(command, { ...env, PORT: '0' });
      expect([code, out, err]).toEqual([
        1,
        '',
        expect.stringMatching(/^usher: this is Usher .* \(9999-later\): .*\n$/),
      ]);
    }
  });

  it('finishes storing a batch that it has begun', async () => {
    const database = await testDatabase();
    const secret = 'a-secret-of-the-operator';
    const server = await startServer({ ...database.env, USHER_BOOTSTRAP_SECRET: secret });
    const profiles = Array.from({ length: 20_000 }, (_, index) => ({ uid: `u${index}`, plan: 'pro' }));
    const body = JSON.stringify({ profiles });
    const batch = send(`${server.url}/v3/observe/hooks/profiles/batch`, secret, { method: 'POST', body });
    const find = () => send(`${server.url}/v3/analyze/profile?uid=u0`, secret);
    await expect.poll(async () => (await find()).status, untilItHappens).toBe(200);
    server.child.kill('SIGTERM');
    expect((await batch).status).toBe(202);
    expect(await server.ended).toBe(0);
    expect(server.err()).toBe('');
    if (engine === 'sqlite') {
      const log = join(database.env.USHER_DATA, 'usher.db-wal');
      expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
    }

    const second = await startServer({ ...database.env, USHER_BOOTSTRAP_SECRET: secret });
    const counted = await (await send(`${second.url}/v3/analyze/profiles/count`, secret)).json();
    expect(await stopServer(second)).toBe(0);
    expect(counted).toEqual({ count: 20_000 });
  });

  it('finishes all of two hundred accepted requests', async () => {
    const database = await testDatabase();
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
    onTestFinished(() => agent.destroy());
    const server = await startServer({ ...database.env, USHER_BOOTSTRAP_SECRET: 'a-secret-of-the-operator' });
    const hosts = Array.from({ length: 200 }, (_, index) => `h${index}.example.com`);
    const begun = await Promise.all(hosts.map((host) => beginPost(server, 'a-secret-of-the-operator', host, agent)));
    server.child.kill('SIGTERM');
    await expect.poll(() => accepts(server.port), untilItHappens).toBe(false);
    const responses = await Promise.all(begun.map((finish) => finish()));
    expect(responses.filter(({ status }) => status !== 201)).toEqual([]);
    expect(await server.ended).toBe(0);

    const { storage } = await openAppContext(readSettings(database.env), createLog('silent'));
    onTestFinished(() => storage.close());
    const account = await storage.reader(null).selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    const kept = await storage
      .reader(account.id)
      .selectFrom('urls')
      .select('host')
      .where('account_id', '=', account.id)
      .execute();
    expect(kept.map((row) => row.host).sort()).toEqual(hosts.sort());
  });
});

it.runIf(onOneEngine)('serves HTTPS with the given certificate', async () => {
  const database = await testDatabase();
  const [key, cert] = [join(database.env.USHER_DATA, 'tls.key'), join(database.env.USHER_DATA, 'tls.crt')];
  const flags = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = spawnSync('openssl', ['req', ...flags, ...names, '-keyout', key, '-out', cert]);
  expect(made.status).toBe(0);
  const server = await startServer({
    ...database.env,
    USHER_TLS_CERT: cert,
    USHER_TLS_KEY: key,
    USHER_BOOTSTRAP_SECRET: 'a-secret-of-the-operator',
  });
  expect(server.url).toMatch(/^https:/);
  const headers = { 'X-Account-Secret': 'a-secret-of-the-operator' };
  const [response] = await once(getSecurely(server.url, { ca: readFileSync(cert), headers, agent: false }), 'response');
  expect(response.statusCode).toBe(200);
  expect(await json(response)).toMatchObject({ account: { id: expect.any(String) } });
  expect(await stopServer(server)).toBe(0);
});

describe.runIf(onOneEngine)('a second server on the same SQLite folder', () => {
  it('is rejected with the ID of the process that uses the folder, until that process has ended in any way', async () => {
    const { env } = await testDatabase();
    const first = await startServer({ ...env, USHER_BOOTSTRAP_SECRET: 'a-secret-of-the-operator' });
    const holder = `another server uses the data folder ${env.USHER_DATA} (process ${first.child.pid} on ${hostname()})`;
    const second = await runToEnd(['serve'], { ...env, PORT: '0' });
    expectOneLine(second, /^usher: another server uses the data folder .+: stop it, or set USHER_DATA/);
    expect(second.err).toContain(holder);
    expect(await runForJson(['account', 'list'], env)).toHaveLength(1);

    first.child.kill('SIGKILL');
    await first.ended;
    const third = await startServer(env);
    expectOneLine(await runToEnd(['serve'], { ...env, PORT: '0' }), `(process ${third.child.pid} on ${hostname()})`);
    expect(await stopServer(third)).toBe(0);
    expect(existsSync(join(env.USHER_DATA, 'server.pid'))).toBe(false);
    expect(await stopServer(await startServer(env))).toBe(0);
  });
});

describe.runIf(onOneEngine)('a failed start', () => {
  it('exits with one line about a wrong setting', async () => {
    const database = await testDatabase();
    expectOneLine(
      await runToEnd(['serve'], { ...database.env, PORT: 'http' }),
      /^usher: PORT must be a number from 0 to 65535, not "http"$/,
      2,
    );
    const hidden = await runToEnd(['serve'], { ...database.env, DATABASE_URL: 'mysql://ann:hunter2@db/usher' });
    expectOneLine(hidden, /^usher: DATABASE_URL must look like postgres:/, 2);
    expect(hidden.err + hidden.out).not.toContain('hunter2');
  });

  it('exits with one line when PostgreSQL cannot be reached', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as { port: number };
    probe.close();
    await once(probe, 'close');
    const env = { DATABASE_URL: `postgres://ann:hunter2@127.0.0.1:${port}/usher`, PORT: '0' };
    const ended = await runToEnd(['serve'], env);
    expectOneLine(ended, /^usher: cannot start: connect ECONNREFUSED 127\.0\.0\.1:\d+ \(check DATABASE_URL.*\)$/);
    expect(ended.err + ended.out).not.toContain('hunter2');
  });

  it('exits with one line when the data folder is not a folder', async () => {
    const database = await testDatabase();
    const file = join(database.env.USHER_DATA, 'file');
    writeFileSync(file, 'not a folder');
    const ended = await runToEnd(['serve'], { USHER_DATA: join(file, 'data'), PORT: '0' });
    expectOneLine(ended, /^usher: cannot start: ENOTDIR/);
  });

  it('exits with one line when the database file is not a database', async () => {
    const database = await testDatabase();
    writeFileSync(
      join(database.env.USHER_DATA, 'usher.db'),
      'not a database, but long enough to look like one'.repeat(99),
    );
    const ended = await runToEnd(['serve'], { USHER_DATA: database.env.USHER_DATA, PORT: '0' });
    expectOneLine(ended, /^usher: cannot start: file is not a database \(.+usher restore.+\)$/);
  });
});

describe('the command line', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.remove());

  it('works in many processes that start together on an empty database', async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, () => runToEnd(['account', 'list'], database.env)));
    expect(runs).toEqual(runs.map(() => ({ code: 0, out: 'Nothing yet.\n', err: '' })));
  });

  it('creates and lists accounts and secrets', async () => {
    const { env } = await testDatabase();
    const none = await runToEnd(['token', 'create'], env);
    expect(none).toEqual({ code: 2, out: '', err: 'usher: there is no account yet: usher account create makes one\n' });

    const acme = await runForJson(['account', 'create', '--name', 'Acme', '--email', 'ann@acme.test'], env);
    expect(Object.keys(acme)).toEqual(['account_id', 'user_id', 'account_token', 'account_secret']);
    const alone = await runForJson(['token', 'create', '--email', 'ann@acme.test'], env);
    const shown = await runToEnd(['account', 'create', '--name', 'Other', '--email', 'bob@other.test'], env);
    expect(alone).toMatchObject({ account_id: acme.account_id, user_id: acme.user_id });
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(
      /^account_id +[0-9a-f]{24}\nuser_id +[0-9a-f]{24}\naccount_token +\S+\naccount_secret +usher_secret_\S+\n$/,
    );
    const otherId = /^account_id +(\S+)/.exec(shown.out)?.[1] as string;

    const [accounts, table, several, stranger, params] = await Promise.all([
      runForJson(['account', 'list'], env),
      runToEnd(['account', 'list'], env),
      runToEnd(['token', 'create'], env),
      runToEnd(['token', 'create', '--account', acme.account_id, '--email', 'bob@other.test'], env),
      runForJson(['token', 'create', '--account', otherId, '--name', 'second'], env),
    ]);
    expect(accounts.map((one: { name: string }) => one.name)).toEqual(['Acme', 'Other']);
    expect(accounts[0]).toMatchObject({ account_id: acme.account_id, account_token: acme.account_token });
    expect(table.out).toMatch(/^account_id +\S+\nname +Acme\n(.+\n)+\naccount_id +\S+\nname +Other\n/);
    expect(table.out).not.toContain('usher_secret_');
    expect(several.code).toBe(2);
    expect(several.err).toBe('usher: there are several accounts: give --account ID (usher account list shows them)\n');
    expect(stranger.code).toBe(1);
    expect(stranger.err).toBe('usher: No administrator of this account has the address bob@other.test\n');

    const [ofOther, ofAll] = await Promise.all([
      runForJson(['token', 'list', '--account', otherId], env),
      runForJson(['token', 'list'], env),
    ]);
    expect(ofOther.map((one: { name: string }) => one.name)).toEqual(['first', 'second']);
    expect(ofOther[1].id).toBe(params.id);
    expect(ofAll).toHaveLength(4);
  });

  it('exits with 1 and one line for an unknown secret', async () => {
    const ended = await runToEnd(['token', 'revoke', '5fb70dcbc39330000325a817'], database.env);
    expectOneLine(ended, /^usher: There is no secret with this ID: `usher token list` shows them$/);
  });

  it('exits with 1 and one line for an unknown account', async () => {
    const ended = await runToEnd(['token', 'create', '--account', '5fb70dcbc39330000325a817'], database.env);
    expectOneLine(ended, /^usher: There is no account with this ID: `usher account list` shows them$/);
  });

  it('migrates the database and lists its commands', async () => {
    expect(await runForJson(['migrate'], database.env)).toEqual({ migrated: true });
    const [help, bare] = await Promise.all([runToEnd(['--help'], {}), runToEnd([], {})]);
    expect(help).toEqual({ code: 0, out: expect.stringContaining('usher serve'), err: '' });
    expect(bare).toEqual(help);
  });
});

describe.runIf(onOneEngine)('a wrong command line', () => {
  it.concurrent.each([
    ['a command that is none', ['fly'], 'there is no command "fly": see usher --help'],
    ['a word of JavaScript', ['toString'], 'there is no command "toString": see usher --help'],
    ['half a command', ['account'], 'there is no command "account": see usher --help'],
    ['more than a command', ['serve', 'now'], 'there is no command "serve now": see usher --help'],
    ['an unknown option', ['account', 'list', '--loud'], /^Unknown option '--loud'/],
    ['an option without its value', ['account', 'create', '--name'], /^Option '--name <value>' argument missing/],
    ['an account without an address', ['account', 'create', '--name', 'Acme'], 'give --name and --email'],
    ['no secret to revoke', ['token', 'revoke'], 'give the ID of the secret: usher token list shows it'],
  ])('exits with 2 and one line for %s', async (_title, argv, complaint) => {
    const { code, out, err } = await runToEnd(argv, {});
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^[^\n]*\n$/);
    expect(err.replace(/^usher: /, '').trimEnd()).toMatch(complaint);
  });
});

describe.runIf(onOneEngine)('the build', { timeout: 120_000 }, () => {
  /** Copies the sources to a folder of their own, so that the build disturbs no other test. */
  function checkOut(): string {
    const folder = mkdtempSync(join(tmpdir(), 'usher-build-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE'];
    for (const part of [...files, 'domain', 'server', 'script', 'dashboard', 'examples'])
      cpSync(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !/\/(dist|node_modules)$/.test(path),
      });
    // The dashboard takes longer to build than all the rest, so its build is copied, which is up to date.
    cpSync(join(root, 'dashboard/dist/app'), join(folder, 'dashboard/dist/app'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  }

  it('builds when several processes start first, and again only when a source has changed', async () => {
    const folder = checkOut();
    const files = ['server/dist/main.js', 'server/dist/stamp', 'script/dist/manifest.json', 'script/dist/stamp'];
    const built = () => files.map((name) => statSync(join(folder, name)).mtimeMs);
    const runs = await Promise.all(Array.from({ length: 5 }, () => runToEnd(['--help'], {}, folder)));
    const said = expect.stringMatching(/^(Building Usher\.[^\n]*\n)?$/);
    expect(runs).toEqual(runs.map(() => ({ code: 0, out: expect.stringContaining('usher serve'), err: said })));
    expect(runs.some(({ err }) => err !== '')).toBe(true);
    const first = built();
    expect((await runToEnd(['--help'], {}, folder)).code).toBe(0);
    expect(built()).toEqual(first);
    utimesSync(join(folder, 'server/src/cli/cli.ts'), new Date(), new Date(Date.now() + 5000));
    expect((await runToEnd(['--help'], {}, folder)).code).toBe(0);
    expect(built()[0]).toBeGreaterThan(first[0] as number);
    expect(built()[1]).toBeGreaterThan(first[1] as number);
  });
});

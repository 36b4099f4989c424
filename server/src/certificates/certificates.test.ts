import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as requestPlain } from 'node:http';
import { createServer as createSecureServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, engine, type TestDatabase } from '../../test/engine.ts';
import { freePort, hasPebble, type Pebble, startPebble } from '../../test/pebble.ts';
import { runToEnd, startServer, stopServer, untilItHappens } from '../../test/run-process.ts';
import { createApp } from '../app.ts';
import { checkSetup } from '../features/operations/health/check-setup.ts';
import { collectFacts } from '../features/operations/health/collect-facts.ts';
import { newKey } from '../keys/secret-box.ts';
import { createLog } from '../log/log.ts';
import { openAppContext } from '../serve.ts';
import { readSettings } from '../settings/settings.ts';
import { CertificateKeeper } from './certificate-keeper.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const domains = 'usher.example.com,www.example.com';
const masterKey = newKey();

let pebble: Pebble;

const settingsOf = (database: TestDatabase, env: NodeJS.ProcessEnv = {}) => ({
  ...database.env,
  HOST: '127.0.0.1',
  PORT: '0',
  USHER_DEMO: 'false',
  USHER_MASTER_KEY: masterKey,
  USHER_DOMAIN: domains,
  USHER_ACME_DIRECTORY: pebble.directory,
  USHER_ACME_CA: pebble.caFile,
  USHER_ACME_EMAIL: 'ann@example.com',
  USHER_HTTP_PORT: String(pebble.httpPort),
  ...env,
});

interface LogLine {
  msg: string;
  reason?: string;
  retry_at?: string;
}

/** A node whose clock and whose looks into the database the test controls. */
async function startNode(database: TestDatabase, env: NodeJS.ProcessEnv = {}) {
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const lines: LogLine[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const settings = readSettings(settingsOf(database, env));
  if (!settings.certificates) throw new Error('The settings have no domain');
  const app = await openAppContext(settings, log, now);
  const httpApp = createApp(app, settings, log);
  const url = await httpApp.listen({ host: settings.host, port: 0 });
  const use = vi.fn(httpApp.useCertificate);
  const keeper = new CertificateKeeper({ app, settings: settings.certificates, use, mayOrder: true, log });
  onTestFinished(async () => {
    await keeper.stop();
    await httpApp.close();
    await app.storage.close();
  });
  const count = (msg: string) => lines.filter((line) => line.msg === msg).length;
  const port = Number(new URL(url).port);
  const health = async () => {
    const found = await app.storage.inspect({ now: now(), thorough: false });
    const checks = checkSetup({ ...collectFacts(settings, now()), database: found });
    return checks.find(({ name }) => name === 'certificate');
  };
  return { app, clock, now, lines, keeper, use, port, count, health, settings };
}

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  return database;
}

/** Connects as a browser does that trusts the authority. */
async function open(port: number, servername = 'usher.example.com'): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername, ca: pebble.root });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

const serialOf = (socket: TLSSocket) => socket.getPeerCertificate().serialNumber;

/** Requests over a connection that stays open. */
async function statusOn(socket: TLSSocket): Promise<string> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: usher.example.com\r\n\r\n');
  const [data] = await once(socket, 'data');
  return String(data);
}

async function plain(path: string, { method = 'GET', host = 'usher.example.com', headers = {} } = {}) {
  const at = { port: pebble.httpPort, host: '127.0.0.1', agent: false, path, method };
  const sent = requestPlain({ ...at, headers: { host, ...headers } }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return { status: response.statusCode, headers: response.headers };
}

describe.runIf(hasPebble)('a server with USHER_DOMAIN', () => {
  beforeAll(async () => {
    pebble = await startPebble();
  });
  afterAll(() => pebble.stop());

  it('serves its health, challenges and redirects before there is a certificate', async () => {
    const { port, health } = await startNode(await newDatabase());
    expect(await plain('/healthz')).toMatchObject({ status: 200 });
    const redirect = await plain('/app/people?page=2');
    expect(redirect).toMatchObject({
      status: 301,
      headers: { location: 'https://usher.example.com/app/people?page=2' },
    });
    expect(redirect.headers).not.toHaveProperty('strict-transport-security');
    expect(await plain('/v3/edit/urls', { method: 'POST', host: 'www.example.com:80' })).toMatchObject({
      status: 308,
      headers: { location: 'https://www.example.com/v3/edit/urls' },
    });
    expect((await plain('/x', { host: 'evil.example.net' })).headers.location).toBe('https://usher.example.com/x');
    expect((await plain('/.well-known/acme-challenge/unknown-token-of-nobody')).status).toBe(404);
    await expect(open(port)).rejects.toThrow(/handshake/);
    expect(await health()).toMatchObject({ state: 'attention', message: expect.stringContaining('being ordered') });
  });

  it('responds over plain HTTP only to a proxy that it trusts and that had HTTPS', async () => {
    await startNode(await newDatabase(), { USHER_TRUST_PROXY: '127.0.0.1' });
    const viaProxy = (proto: string) => plain('/readyz', { headers: { 'x-forwarded-proto': proto } });
    expect((await viaProxy('https')).status).toBe(200);
    expect((await viaProxy('http')).status).toBe(301);
  });

  it('gets a certificate for all domains, and keeps its keys encrypted', async () => {
    const { app, keeper, port, health, count, clock, now } = await startNode(await newDatabase());
    await keeper.check();
    const socket = await open(port, 'www.example.com');
    expect(socket.getPeerCertificate().subjectaltname).toBe('DNS:usher.example.com, DNS:www.example.com');
    expect(await statusOn(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*strict-transport-security: max-age/i);
    const db = app.storage.reader(null);
    const row = await db.selectFrom('certificates').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ claim: null, failures: 0, error: null, retry_at: null });
    expect(row.private_key).toMatch(/^sealed\./);
    expect((await db.selectFrom('acme_accounts').selectAll().executeTakeFirstOrThrow()).private_key).toMatch(
      /^sealed\./,
    );
    expect(await db.selectFrom('acme_challenges').selectAll().execute()).toEqual([]);
    expect(await health()).toEqual({
      name: 'certificate',
      state: 'good',
      message: 'The certificate is valid for 89 days.',
    });
    expect(app.certificate).toEqual({ expiresAt: expect.any(Number), hasFailed: false });
    // It is in use until two thirds of its 90 days are over.
    clock.ahead = 59 * DAY;
    await keeper.check();
    expect(count('a certificate is ordered')).toBe(1);
    expect(app.certificate.expiresAt).toBeGreaterThan(now());
  });

  it('renews it after two thirds of its lifetime, without closing a connection', async () => {
    const { keeper, port, clock, use } = await startNode(await newDatabase());
    await keeper.check();
    const before = await open(port);
    expect(await statusOn(before)).toContain('200');
    clock.ahead = 61 * DAY;
    await keeper.check();
    const after = await open(port);
    expect(use).toHaveBeenCalledTimes(2);
    expect(serialOf(after)).not.toBe(serialOf(before));
    expect(await statusOn(before)).toContain('200');
    expect(await statusOn(after)).toContain('200');
  });

  it('waits longer after each failure, says why, and goes on when the challenge is right', async () => {
    const wrong = createServer((_, response) => response.end('of another server'));
    await once(wrong.listen(pebble.httpPort, '127.0.0.1'), 'listening');
    onTestFinished(() => void wrong.close());
    const database = await newDatabase();
    const node = await startNode(database, { USHER_HTTP_PORT: String(await freePort()) });
    const { keeper, clock, lines, count, health, now, app } = node;
    const failed = 'no certificate was issued: let the DNS of each domain lead to this server, and port 80 be open';
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await keeper.check();
      await keeper.check();
      expect(count('a certificate is ordered')).toBe(attempt);
      const line = lines.findLast(({ msg }) => msg === failed);
      expect(line?.reason).toMatch(/authorization of \S+\.example\.com is invalid: .*did not match/);
      pauses.push(Math.round((Date.parse(line?.retry_at ?? '') - now()) / MINUTE));
      expect(await health()).toMatchObject({ state: 'problem', message: expect.stringContaining('The next attempt') });
      clock.ahead += (pauses.at(-1) ?? 0) * MINUTE + 1000;
    }
    expect(pauses).toEqual([1, 5, 15]);
    expect(app.certificate.hasFailed).toBe(true);
    // A node that starts again waits as long as the one before.
    wrong.close();
    await once(wrong, 'close');
    const again = await startNode(database);
    await again.keeper.check();
    expect(again.count('a certificate is ordered')).toBe(0);
    again.clock.ahead = clock.ahead;
    await again.keeper.check();
    expect(await statusOn(await open(again.port))).toContain('200');
    expect(again.app.certificate.hasFailed).toBe(false);
    expect(await again.health()).toMatchObject({ state: 'good' });
  });

  it('waits for as long as the authority wants', async () => {
    const busy = createSecureServer(pebble.tls, (_, response) => {
      response.writeHead(429, { 'Retry-After': '86400', 'Content-Type': 'application/problem+json' });
      response.end(JSON.stringify({ type: 'urn:ietf:params:acme:error:rateLimited', detail: 'Too many certificates' }));
    });
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void busy.close());
    const { port } = busy.address() as AddressInfo;
    const node = await startNode(await newDatabase(), { USHER_ACME_DIRECTORY: `https://127.0.0.1:${port}/` });
    await node.keeper.check();
    node.clock.ahead = DAY - MINUTE;
    await node.keeper.check();
    expect(node.count('a certificate is ordered')).toBe(1);
    expect((await node.health())?.message).toContain('Too many certificates. The next attempt is after');
    node.clock.ahead = DAY + MINUTE;
    await node.keeper.check();
    expect(node.count('a certificate is ordered')).toBe(2);
  });

  it('keeps the certificate in use while it cannot be renewed', async () => {
    const database = await newDatabase();
    const { keeper, clock, port, health, app } = await startNode(database);
    await keeper.check();
    await app.storage.write(null, (db) =>
      db.updateTable('acme_accounts').set({ private_key: 'sealed.0000000000000000.AAAA' }).execute(),
    );
    clock.ahead = 80 * DAY;
    await keeper.check();
    expect(await statusOn(await open(port))).toContain('200');
    expect(await health()).toMatchObject({
      state: 'attention',
      message: expect.stringMatching(/in 9 days.* could not be renewed: The master key 0000000000000000 is missing/s),
    });
  });

  it('keeps its keys when the master key is replaced', async () => {
    const database = await newDatabase();
    const { keeper, app } = await startNode(database);
    await keeper.check();
    const replacing = { ...database.env, USHER_MASTER_KEY: `${newKey()},${masterKey}` };
    expect((await runToEnd(['key', 'rotate'], replacing)).code).toBe(0);
    const [next] = replacing.USHER_MASTER_KEY.split(',');
    const row = await app.storage.reader(null).selectFrom('certificates').select('chain').executeTakeFirstOrThrow();
    const other = await startNode(database, { USHER_MASTER_KEY: next, USHER_HTTP_PORT: String(await freePort()) });
    await other.keeper.check();
    expect(serialOf(await open(other.port))).toBe(new X509Certificate(row.chain ?? '').serialNumber);
    expect(other.count('a certificate is ordered')).toBe(0);
  });

  it('answers no challenge without the setting', async () => {
    const database = await newDatabase();
    const server = await startServer({ ...database.env, USHER_MASTER_KEY: masterKey });
    expect((await fetch(`${server.url}/.well-known/acme-challenge/a-token-of-nobody`)).status).toBe(404);
    expect(await stopServer(server)).toBe(0);
  });

  it('goes on with the order of a process that was killed', async () => {
    const slow = await startPebble({ PEBBLE_VA_NOSLEEP: '0', PEBBLE_VA_SLEEPTIME: '6' });
    onTestFinished(() => slow.stop());
    const usual = pebble;
    pebble = slow;
    onTestFinished(() => {
      pebble = usual;
    });
    const database = await newDatabase();
    const killed = await startServer(settingsOf(database));
    await vi.waitFor(() => expect(killed.out()).toContain('a certificate is ordered'), untilItHappens);
    await stopServer(killed, 'SIGKILL');
    const { keeper, clock, count, port, app } = await startNode(database);
    await keeper.check();
    expect(count('a certificate is ordered')).toBe(0);
    clock.ahead = 2 * MINUTE;
    await keeper.check();
    expect(count('a certificate is ordered')).toBe(1);
    expect(await statusOn(await open(port))).toContain('200');
    expect(await app.storage.reader(null).selectFrom('certificates').select('claim').execute()).toEqual([
      { claim: null },
    ]);
  });

  describe.runIf(engine === 'postgres')('with several nodes', () => {
    it('orders once, whichever node the challenge reaches, and all nodes use the certificate', async () => {
      const database = await newDatabase();
      const reached = await startNode(database);
      const other = await startNode(database, { USHER_HTTP_PORT: String(await freePort()) });
      await Promise.all([other.keeper.check(), reached.keeper.check(), other.keeper.check()]);
      await Promise.all([other.keeper.check(), reached.keeper.check()]);
      expect(reached.count('a certificate is ordered') + other.count('a certificate is ordered')).toBe(1);
      const [one, two] = [await open(reached.port), await open(other.port)];
      expect(serialOf(one)).toBe(serialOf(two));
      // The node that no challenge reaches renews it.
      other.clock.ahead = 61 * DAY;
      await other.keeper.check();
      await reached.keeper.check();
      expect(serialOf(await open(reached.port))).toBe(serialOf(await open(other.port)));
      expect(serialOf(await open(reached.port))).not.toBe(serialOf(one));
    });

    it('has one certificate in all workers', async () => {
      const database = await newDatabase();
      const server = await startServer(settingsOf(database), ['--workers', '2']);
      await vi.waitFor(() => expect(server.out().match(/a certificate is in use/g)).toHaveLength(2), untilItHappens);
      expect(server.out().match(/a certificate is ordered/g)).toHaveLength(1);
      const serials = new Set<string>();
      for (let index = 0; index < 20; index += 1) serials.add(serialOf(await open(server.port)));
      expect(serials.size).toBe(1);
      expect(await plain('/app/')).toMatchObject({ status: 301 });
      expect(await stopServer(server)).toBe(0);
    });
  });

  it('shows when the certificate expires in the metrics', async () => {
    const { keeper, port, app } = await startNode(await newDatabase());
    await keeper.check();
    const sent = request({
      port,
      host: '127.0.0.1',
      servername: 'usher.example.com',
      ca: pebble.root,
      path: '/metrics',
    });
    const [response] = await once(sent.end(), 'response');
    let content = '';
    for await (const chunk of response) content += chunk;
    const [, seconds] = /^usher_certificate_expiry_timestamp_seconds (.*)$/m.exec(content) ?? [];
    expect(Number(seconds) * 1000).toBe(app.certificate.expiresAt);
    expect(content).toContain('\nusher_certificate_failed 0\n');
    const sentHealth = request({
      port,
      host: '127.0.0.1',
      servername: 'usher.example.com',
      ca: pebble.root,
      path: '/readyz',
    });
    const [ready] = await once(sentHealth.end(), 'response');
    expect(await json(ready)).toEqual({ status: 'ready' });
  });
});

import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase, engine, type TestDatabase } from './engine.ts';
import {
  accepts,
  beginPost,
  expectOneLine,
  introductionOf,
  runToEnd,
  type Server,
  send,
  startServer,
  stopServer,
  testDatabase,
  untilItHappens,
} from './run-process.ts';

const secret = 'a-secret-of-the-operator';
const WRONG_SECRETS = 500;
const CONNECTIONS = 40;

function workersOf({ child }: Server): number[] {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

async function metricsOf({ url }: Server): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const metrics = new Map(samples.map((line) => [line.replace(/ \S+$/, ''), Number(line.replace(/^.* /, ''))]));
  expect(metrics.size).toBe(samples.length);
  return metrics;
}

/** Sends a request over a new connection, which goes to whichever worker accepts it first. */
function statusOverNewConnection(server: Server, wrongSecret: string): Promise<number | undefined> {
  const headers = { 'X-Account-Secret': wrongSecret };
  return new Promise((resolve, reject) => {
    get(server.url, { agent: false, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

/** Resolves to false if the server closes the connection without a response. */
function staysOpen(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false));
    socket.once('error', () => resolve(false));
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });
}

describe.runIf(engine === 'postgres')('a server with two workers', () => {
  let database: TestDatabase;
  let server: Server;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    server = await startServer(
      {
        ...database.env,
        USHER_BOOTSTRAP_SECRET: secret,
        USHER_LIMIT_WRONG_SECRETS: String(WRONG_SECRETS),
        USHER_CONNECTIONS: String(CONNECTIONS),
      },
      ['--workers', '2'],
    );
  });
  afterAll(async () => {
    await stopServer(server);
    await database.remove();
  });

  it('introduces the account and its address once, and every worker serves and logs whole lines', async () => {
    await introductionOf(server);
    expect(server.out().match(/Usher is ready at/g)).toHaveLength(1);
    expect(server.out().match(/The first account was created/g)).toHaveLength(1);
    expect(workersOf(server)).toHaveLength(2);
    const workers = async () => {
      expect(await statusOverNewConnection(server, secret)).toBe(200);
      const lines = server
        .out()
        .trimEnd()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      // The process that starts the workers also logs, without a worker number.
      return new Set(lines.map((line) => JSON.parse(line).worker).filter((worker) => worker !== undefined));
    };
    await expect.poll(workers, untilItHappens).toEqual(new Set([1, 2]));
  });

  it('limits the group, and its metrics are those of the group', async () => {
    const counts = { 403: 0, 429: 0 } as Record<number, number>;
    while ((counts[429] ?? 0) < 20) {
      const statuses = await Promise.all(
        Array.from({ length: 4 }, () => statusOverNewConnection(server, 'a-wrong-secret-of-somebody')),
      );
      for (const status of statuses) counts[status ?? 0] = (counts[status ?? 0] ?? 0) + 1;
    }
    // A request within the interval of sharing was counted by one worker only. If each worker counted alone, it would
    // be twice the limit.
    expect(counts[403]).toBeGreaterThanOrEqual(WRONG_SECRETS);
    expect(counts[403]).toBeLessThan(1.8 * WRONG_SECRETS);
    const series = (status: number) => `usher_http_requests_total{method="GET",route="/",status="${status}"}`;
    await expect.poll(async () => (await metricsOf(server)).get(series(403)), untilItHappens).toBe(counts[403]);
    const metrics = await metricsOf(server);
    expect(metrics.get(series(429))).toBe(counts[429]);
    expect(metrics.get('usher_workers')).toBe(2);
    expect(metrics.get('usher_worker_restarts_total')).toBe(0);
  });

  it('limits the open connections of the group', async () => {
    const sockets: Socket[] = [];
    const open = async () => {
      const socket = connect(server.port, '127.0.0.1');
      sockets.push(socket);
      return staysOpen(socket);
    };
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // Each worker has some of the connections.
    while (sockets.length < CONNECTIONS - 4) expect(await open()).toBe(true);
    await expect.poll(open, untilItHappens).toBe(false);
    expect(sockets.length).toBeLessThan(2 * CONNECTIONS);
    for (const socket of sockets) socket.destroy();
    await expect.poll(open, untilItHappens).toBe(true);
  });

  it('replaces a killed worker while the other one serves, and counters do not go down', async () => {
    const before = await metricsOf(server);
    const [killed] = workersOf(server);
    process.kill(killed as number, 'SIGKILL');
    const get = async () => (await send(server.url, secret, { headers: { connection: 'close' } })).status;
    const restarts = async () => {
      expect(await get().catch(() => 200)).toBe(200);
      const metrics = await metricsOf(server);
      return [metrics.get('usher_workers'), metrics.get('usher_worker_restarts_total')];
    };
    await expect.poll(restarts, untilItHappens).toEqual([2, 1]);
    expect(workersOf(server)).not.toContain(killed);
    const after = await metricsOf(server);
    for (const [series, value] of before)
      if (/_(total|count|bucket|sum)\b/.test(series)) expect(after.get(series), series).toBeGreaterThanOrEqual(value);
    await expect.poll(() => server.out(), untilItHappens).toMatch(/"how":"SIGKILL".*"msg":"a worker ended/);
    await expect.poll(() => server.out(), untilItHappens).toMatch(/"msg":"a worker was replaced"/);
  });

  it('finishes all open requests when every process gets the signal, and exits with 0', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
    onTestFinished(() => agent.destroy());
    const hosts = Array.from({ length: CONNECTIONS - 10 }, (_, index) => `h${index}.example.com`);
    const begun = await Promise.all(hosts.map((host) => beginPost(server, secret, host, agent)));
    for (const pid of [...workersOf(server), server.child.pid as number]) process.kill(pid, 'SIGTERM');
    await expect.poll(() => accepts(server.port), untilItHappens).toBe(false);
    const responses = await Promise.all(begun.map((finish) => finish()));
    expect(responses.filter(({ status }) => status !== 201)).toEqual([]);
    expect(await server.ended).toBe(0);
    expect(server.err()).toBe('');
  });
});

describe.runIf(engine === 'postgres')('a server that replaces a worker', () => {
  it('stops when it gets the signal before the new worker is ready', async () => {
    const server = await startServer((await testDatabase()).env, ['--workers', '2']);
    const workers = workersOf(server);
    process.kill(workers[0] as number, 'SIGKILL');
    const isReplaced = () => workersOf(server).some((pid) => !workers.includes(pid));
    await expect.poll(isReplaced, { ...untilItHappens, interval: 1 }).toBe(true);
    expect(await stopServer(server)).toBe(0);
  });
});

describe.runIf(engine === 'postgres')('a server whose workers cannot start', () => {
  it('prints one line and exits with 1', async () => {
    const { env } = await testDatabase();
    const other = await startServer({ ...env, USHER_BOOTSTRAP_SECRET: secret });
    const ended = await runToEnd(['serve'], { ...env, PORT: String(other.port), USHER_WORKERS: '3' });
    expectOneLine(ended, /^usher: cannot start: .*EADDRINUSE.* 127\.0\.0\.1:\d+ \(stop .+\)$/);
    expect(ended.out).toBe('');
    expect(await stopServer(other)).toBe(0);
  });
});

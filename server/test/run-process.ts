import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from './engine.ts';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const untilItHappens = { timeout: 20_000, interval: 20 };

interface Running {
  child: ChildProcess;
  /** The output of the process so far. */
  out(): string;
  err(): string;
  /** Resolves to the exit code, when the process has ended and its whole output was read. */
  ended: Promise<number | null>;
}

export interface Server extends Running {
  url: string;
  port: number;
}

type Env = Record<string, string | undefined>;

/** The child processes. They are killed when the tests end, also after a failure. */
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

export function usher(argv: string[], env: Env, folder = root): Running {
  const child = spawn(process.execPath, [join(folder, 'server/bin/usher.js'), ...argv], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, USHER_DEMO: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed.err += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, out: () => printed.out, err: () => printed.err, ended };
}

export async function runToEnd(
  argv: string[],
  env: Env,
  folder = root,
): Promise<{ code: number | null; out: string; err: string }> {
  const running = usher(argv, env, folder);
  const code = await running.ended;
  return { code, out: running.out(), err: running.err() };
}

export async function runForJson(argv: string[], env: Env) {
  const { code, out, err } = await runToEnd([...argv, '--json'], env);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

/** Starts the server on any free port and waits for the line with the address. */
export async function startServer(env: Env, options: string[] = []): Promise<Server> {
  const running = usher(['serve', ...options], { PORT: '0', ...env });
  const url = await vi.waitFor(() => {
    if (running.child.exitCode !== null) throw new Error(`The server ended: ${running.err()}`);
    const address = /^Usher is ready at (\S+)$/m.exec(running.out())?.[1];
    if (address === undefined) throw new Error('The server is not ready');
    return address;
  }, untilItHappens);
  return { ...running, url, port: Number(new URL(url).port) };
}

export async function stopServer(
  server: Server | undefined,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  server?.child.kill(signal);
  return (await server?.ended) ?? null;
}

/** The account that the first start prints. */
export async function introductionOf(server: Running): Promise<{ id: string; token: string; secret: string }> {
  return vi.waitFor(() => {
    const [, id, token, secret] =
      /account id +(\S+)\n +account token +(\S+)\n +account secret +(.+)\n/.exec(server.out()) ?? [];
    if (!id || !token || !secret) throw new Error('The account is not introduced yet');
    return { id, token, secret: secret.replace(/ +\(shown only now: keep it\)$/, '') };
  }, untilItHappens);
}

export async function testDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.remove());
  return database;
}

export function send(url: string, secret: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { 'X-Account-Secret': secret, ...init.headers } });
}

/** Sends the head and half of the body of a request, and returns when the server has begun to read it. */
export async function beginPost(server: Server, secret: string, host: string, agent?: Agent) {
  const body = JSON.stringify({ host, enabled: 'on' });
  const half = Math.floor(body.length / 2);
  const headers = {
    'X-Account-Secret': secret,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Expect: '100-continue',
  };
  const outgoing = request(`${server.url}/v3/edit/urls`, { method: 'POST', headers, ...(agent && { agent }) });
  const responded = once(outgoing, 'response');
  responded.catch(() => {});
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.write(body.slice(0, half));
  return async () => {
    outgoing.end(body.slice(half));
    const [response] = await responded;
    await json(response);
    return { status: response.statusCode as number, connection: response.headers.connection as string };
  };
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** @param expected the exit code: 2 for a problem that stays until somebody changes a setting */
export function expectOneLine(
  { code, err }: { code: number | null; err: string },
  line: string | RegExp,
  expected = 1,
): void {
  expect(code).toBe(expected);
  expect(err.split('\n')).toEqual([expect.stringMatching(line), '']);
}

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The arguments of `npm start`. */
const startCommand = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start.split(' ');
const argumentsIn = (/** @type {string} */ folder) =>
  startCommand
    .slice(startCommand.indexOf('node') + 1)
    .map((/** @type {string} */ part) => (part.endsWith('.js') ? join(folder, part) : part));
const echoFile = fileURLToPath(new URL('./echo.mjs', import.meta.url));
const updatesFile = fileURLToPath(new URL('./updates.mjs', import.meta.url));
/** The first start of a large installation counts its results. */
const START_WITHIN_MS = 600_000;
const STOP_WITHIN_MS = 10_000;
const POLL_MS = 2;

export const SECRET = 'the-secret-of-the-benchmarks';

/** Turns limits off, because one client of a benchmark sends more than all clients of a customer. Requests are still counted. */
export const unlimited = {
  USHER_LIMIT_PER_SECRET: '1000000000',
  USHER_LIMIT_PER_ADDRESS: '1000000000',
  USHER_REQUESTS_PER_CONNECTION: '0',
  USHER_LIMIT_REPORTS: '1000000000',
};

/** @typedef {Awaited<ReturnType<typeof startUsher>>} Usher */

/**
 * Starts Usher as its users do: the real process with the default settings except the limits, and its log discarded.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store
 * @param {Record<string, string>} [settings] instead of the raised limits
 * @param {string} [version] the folder of another version
 */
export async function startUsher(bench, store, settings = unlimited, version = root) {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), USHER_BOOTSTRAP_SECRET: SECRET, ...store.env };
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, argumentsIn(version), {
    env: { ...env, ...settings, USHER_LOG_LEVEL: 'info' },
    cwd: bench.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr = `${stderr}${text}`.slice(-4000);
  });
  let stopping = false;
  child.once('exit', (code, signal) => {
    if (!stopping) bench.note(`Usher ended unexpectedly (${signal ?? code}): ${stderr || 'no output'}`);
  });
  const stop = () => {
    stopping = true;
    return end(child);
  };
  const kill = async () => {
    stopping = true;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await bench.cleanup.add(stop);
  await untilReady(port, () => {
    if (hasEnded(child)) throw new Error('Usher did not start');
  });
  const secondsToReady = (performance.now() - spawnedAt) / 1000;

  /**
   * Sends one request that is not measured.
   * @param {string} path
   */
  const get = async (path) => {
    const headers = { 'x-account-secret': SECRET };
    const signal = AbortSignal.timeout(STOP_WITHIN_MS);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text}`);
    return text;
  };
  /**
   * @param {string} path
   * @param {unknown} content
   * @param {number} status
   * @param {'POST' | 'PATCH'} [method]
   */
  const post = async (path, content, status, method = 'POST') => {
    const headers = { 'x-account-secret': SECRET };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      body: JSON.stringify(content),
    });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path} returned ${response.status}: ${text}`);
    return text;
  };
  /**
   * Sends one request that may take long.
   * @param {string} method
   * @param {string} path
   * @param {unknown} [content]
   */
  const send = async (method, path, content) => {
    const headers = { 'x-account-secret': SECRET };
    const body = content === undefined ? {} : { body: JSON.stringify(content) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 500)}`);
    return text;
  };
  /** Returns the resident memory in bytes. */
  const memory = async () => {
    const bytes = /^process_resident_memory_bytes (\d+)$/m.exec(await get('/metrics'))?.[1];
    if (bytes === undefined) throw new Error('/metrics has no process_resident_memory_bytes');
    return Number(bytes);
  };
  return { port, pid: /** @type {number} */ (child.pid), secondsToReady, get, post, send, memory, stop, kill };
}

/**
 * Starts the minimal server that Usher is compared with.
 * @param {import('./harness.mjs').Bench} bench
 * @param {{ status: number, response: unknown }} what it returns for every request
 */
export function startEcho(bench, { status, response }) {
  return startBare(bench, echoFile, [String(status), JSON.stringify(response)]);
}

/**
 * Starts a server that runs one database statement for each request.
 * @param {import('./harness.mjs').Bench} bench
 * @param {{ url: string, account: string, count: number, response: unknown }} what
 */
export function startUpdates(bench, { url, account, count, response }) {
  return startBare(bench, updatesFile, [url, account, String(count), JSON.stringify(response)]);
}

/**
 * @param {import('./harness.mjs').Bench} bench
 * @param {string} file
 * @param {string[]} args
 */
async function startBare(bench, file, args) {
  const child = fork(file, args);
  const stop = () => end(child);
  await bench.cleanup.add(stop);
  const [address] = await once(child, 'message', { signal: AbortSignal.timeout(START_WITHIN_MS) });
  return { port: /** @type {number} */ (address.port), stop };
}

/**
 * Returns the bytes of one request.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [content]
 */
export function requestText(method, path, content) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Account-Secret: ${SECRET}\r\n`;
  if (content === undefined) return `${head}\r\n`;
  const body = JSON.stringify(content);
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/**
 * @param {number} port
 * @param {() => void} check throws when there is nothing left to wait for
 */
async function untilReady(port, check) {
  const until = performance.now() + START_WITHIN_MS;
  while (!(await isReady(port))) {
    check();
    if (performance.now() > until) throw new Error(`Usher is not ready after ${START_WITHIN_MS / 1000} seconds`);
    await pause(POLL_MS);
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isReady(port) {
  return new Promise((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', path: '/readyz', agent: false, timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(killTimer);
}

/** @param {import('node:child_process').ChildProcess} child */
function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

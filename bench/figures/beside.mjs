import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createInstallation,
  installationSizes,
  lastDays,
  nestedFilters,
  untilSegmentsCounted,
} from '../installation.mjs';
import { DAYS } from '../installation-rows.mjs';
import { drive } from '../load.mjs';
import { startSender } from '../meanwhile.mjs';
import { SECRET } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { visitsOf } from './visits.mjs';

const RATE = 200;
const MOST_TIMES = 2;
const command = fileURLToPath(new URL('../../server/bin/usher.js', import.meta.url));
const requestsFile = fileURLToPath(new URL('../requests.mjs', import.meta.url));

/** @typedef {import('../harness.mjs').Bench} Bench */
/** @typedef {import('../installation.mjs').Installation} Installation */
/** Something that goes on until it is stopped. @typedef {{ stop: () => Promise<unknown>, rounds: () => number }} Task */

/**
 * How long page loads take at a fixed rate while one client does something heavy, against page loads alone. Each heavy thing
 * is compared with a quiet period right before it.
 * @param {Bench} bench
 */
export async function beside(bench) {
  const at = await createInstallation(bench, await createStore(bench), installationSizes(bench).large);
  const request = visitsOf(at.token, Math.floor(at.profiles / 2));
  const load = { port: at.usher.port, request, status: 200, rate: RATE };
  const seconds = bench.quick ? 2 : 10;
  await drive({ ...load, seconds });

  const results = [];
  const wanted = process.env.BENCH_BESIDE ?? '';
  for (const [part, start] of Object.entries(await tasksOf(bench, at))) {
    if (!part.includes(wanted)) continue;
    const quiet = await drive({ ...load, seconds });
    const task = await start();
    const busy = await drive({ ...load, seconds });
    const rounds = task.rounds();
    await task.stop();
    await untilSegmentsCounted(at.usher);
    await pause(bench.quick ? 100 : 2000);
    bench.note(
      `${part}: p50 ${busy.p50.toFixed(2)} ms and p99 ${busy.p99.toFixed(2)} ms, quiet ${quiet.p50.toFixed(2)} and ${quiet.p99.toFixed(2)} ms; finished ${rounds} times meanwhile`,
    );
    results.push(
      { part, value: busy.p99 / quiet.p99, unit: 'ratio', target: { most: MOST_TIMES } },
      { part: `${part}.p50`, value: busy.p50, unit: 'ms' },
      { part: `${part}.p99`, value: busy.p99, unit: 'ms' },
      { part: `${part}.quiet.p99`, value: quiet.p99, unit: 'ms' },
      { part: `${part}.rounds`, value: rounds / seconds, unit: 'per second' },
    );
  }
  if (bench.engine === 'sqlite') results.push(...(await besideCompact(bench, at, load)));
  return results;
}

/**
 * The longest wait of a page load while the file is compacted: at the end, the server closes it for a moment.
 * @param {Bench} bench
 * @param {Installation} at
 * @param {Omit<import('../load.mjs').Load, 'seconds'>} load
 */
async function besideCompact(bench, { store }, load) {
  const start = performance.now();
  let seconds = 0;
  const compacting = run(['compact', '--json'], store.env).finally(() => {
    seconds = (performance.now() - start) / 1000;
  });
  compacting.catch(() => {});
  let longest = 0;
  while (seconds === 0) {
    const { latencies } = await drive({ ...load, seconds: 2 });
    longest = Math.max(longest, ...latencies);
  }
  const { bytes_before, bytes } = JSON.parse(await compacting);
  bench.note(
    `compact: ${seconds.toFixed(1)} s from ${Math.round(bytes_before / 1e6)} to ${Math.round(bytes / 1e6)} MB`,
  );
  return [
    { part: 'compact.max', value: longest, unit: 'ms', target: { most: 1000 } },
    { part: 'compact.seconds', value: seconds, unit: 's' },
  ];
}

/**
 * @param {Bench} bench
 * @param {Installation} at
 * @returns {Promise<Record<string, () => Promise<Task>>>}
 */
async function tasksOf(bench, at) {
  const { tour, survey, targeted, usher, profiles, store } = at;
  const days = lastDays(DAYS + 1);
  const repeat =
    (/** @type {[string, string, unknown?][]} */ requests, from = 0) =>
    () =>
      repeatRequests(bench, { port: usher.port, requests, from });
  const count = (/** @type {object} */ params) => [
    'POST',
    '/v3/analyze/profiles/count',
    { ...params, within_ms: 2000 },
  ];
  const backups = mkdtempSync(join(bench.folder, 'backups-'));
  await bench.cleanup.add(() => rmSync(backups, { recursive: true, force: true }));
  const tasks = {
    'results of tour': repeat([['GET', `/v3/analyze/tours/${tour.id}/stats?${days}`]]),
    'results of survey': repeat([['GET', `/v3/analyze/surveys/${survey.id}/stats?${days}`]]),
    'Segments page': repeat([
      ['POST', '/v3/analyze/segments/count', {}],
      ['GET', '/v3/analyze/segments'],
    ]),
    'count nested': repeat([count({ filters: nestedFilters })]),
    audience: repeat([['POST', `/v3/edit/tours/${targeted.id}/audience`, {}]]),
    'publish check': repeat([['GET', `/v3/edit/tours/${tour.id}/publish_check`]]),
    'list 500': repeat([['GET', '/v3/edit/experiences?order=started_count&limit=500']]),
    'list with trends': repeat([['GET', '/v3/edit/experiences?order=updated_at&fields=list&trend=true&limit=50']]),
    live: repeat([['GET', '/v3/analyze/live']]),
    problems: repeat([['GET', `/v3/analyze/tours/${tour.id}/problems?${days}`]]),
    'translations progress': repeat([['GET', '/v3/edit/i18n']]),
    'translations download': repeat([['GET', '/v3/edit/experiences/i18n.yaml?language=de']]),
    'search, none found': repeat([['GET', '/v3/edit/profiles/search?text=unknown']]),
    'responses CSV': repeat([['GET', `/v3/analyze/responses.csv?id=${survey.id}&${days}`]]),
    'audit export': repeat([['GET', '/v3/analyze/audit_entries.json']]),
    backup: () => repeatCommand(bench, store, ['backup', join(backups, 'backup'), '--force']),
    // Page loads are of the first half of the users, so each of these exists.
    clear: repeat([['DELETE', '/v3/edit/profiles?uid=user-{n}']], Math.ceil((3 * profiles) / 4)),
    forget: repeat([['DELETE', '/v3/edit/profiles/forget?uid=user-{n}']], Math.ceil(profiles / 2)),
    // A small installation has too few Companies, so each is created again if it does not exist.
    'delete Company': repeat([
      ['POST', '/v3/observe/hooks/companies', { uid: 'company-{n}' }],
      ['DELETE', '/v3/edit/company?uid=company-{n}'],
    ]),
    'batch of profiles': () => sendBatches(bench, at),
  };
  const events = Array.from({ length: 1000 }, (_, n) => ({ uid: `user-${n}`, name: 'Report exported', count: n }));
  return { ...tasks, 'batch of events': repeat([['POST', '/v3/observe/hooks/events/batch', { events }]]) };
}

/**
 * @param {Bench} bench
 * @param {{ port: number, requests: [string, string, unknown?][], from: number }} what
 * @returns {Promise<Task>}
 */
async function repeatRequests(bench, what) {
  const child = fork(requestsFile, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  return whileRunning(bench, child, () => child.send({ ...what, secret: SECRET }));
}

/**
 * Sends batches of profiles that exist, each with changed values.
 * @param {Bench} bench
 * @param {Installation} at
 * @returns {Promise<Task>}
 */
async function sendBatches(bench, { usher }) {
  const inOne = 1000;
  const sender = await startSender(bench, { port: usher.port, from: 0, count: inOne, inOne, again: true });
  return whileRunning(bench, sender.child, sender.go);
}

/**
 * Counts the messages of a process, and throws if it has ended before it is stopped: then nothing was measured.
 * @param {Bench} bench
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => unknown} go
 * @returns {Promise<Task>}
 */
async function whileRunning(bench, child, go) {
  let rounds = 0;
  child.on('message', () => {
    rounds += 1;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const kill = async () => {
    if (hasEnded()) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await bench.cleanup.add(kill);
  go();
  const stop = async () => {
    if (hasEnded()) throw new Error('The client ended before it was stopped');
    await kill();
  };
  return { stop, rounds: () => rounds };
}

/**
 * Runs a command again and again.
 * @param {Bench} bench
 * @param {import('../store.mjs').Store} store
 * @param {string[]} args
 * @returns {Promise<Task>}
 */
async function repeatCommand(bench, store, args) {
  const stopping = new AbortController();
  await bench.cleanup.add(() => stopping.abort());
  let rounds = 0;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await run(args, store.env, stopping.signal);
      if (!stopping.signal.aborted) rounds += 1;
    }
  })();
  // The error is thrown by stop().
  running.catch(() => {});
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { stop, rounds: () => rounds };
}

/**
 * Runs a command of Usher and returns what it prints.
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {AbortSignal} [signal] kills it, which is not an error
 */
async function run(args, env, signal) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', kill);
  const exited = once(child, 'exit');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  signal?.removeEventListener('abort', kill);
  if (code !== 0 && !signal?.aborted) throw new Error(`usher ${args.join(' ')} failed: ${errors || output}`);
  return output;
}

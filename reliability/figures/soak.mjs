import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drive } from '../../bench/load.mjs';
import { receiverEnv, startReceiver } from '../../bench/receiver.mjs';
import { SECRET, startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { createRandom } from '../deliveries/random.mjs';
import { Client } from '../soak/client.mjs';
import { compareQuarters, describeMinute, readProcess } from '../soak/samples.mjs';
import { countLost, createWork, prepare } from '../soak/work.mjs';
import { Ledger } from '../webhooks/ledger.mjs';
import { sendTheRest } from './webhooks.mjs';

const SAMPLE_SECONDS = 10;
const CALIBRATION_SECONDS = 5;
const MAX_WARM_UP_SECONDS = 60;
/** On PostgreSQL, Usher looks every five seconds for new tables to analyze. Until then PostgreSQL plans queries as if the tables were empty. */
const ANALYZED_AFTER_MS = 10_000;
const KNOWN = 5000;
/** One of this many page loads is of a new user. */
const NEW_EVERY = 50;
/** A shorter run says little about memory and times, which are then printed without a target. */
const MIN_MINUTES = 20;
const BACKUP_EVERY_MS = 4 * 60_000;
const HOUR_MS = 60 * 60_000;
const clockFile = new URL('../webhooks/clock.mjs', import.meta.url).href;
const usherFile = fileURLToPath(new URL('../../server/bin/usher.js', import.meta.url));
const commandsFile = new URL('../../server/src/cli/cli.ts', import.meta.url);
/** An hour of page loads of new users is more than unproven pages may create in a day. */
const unlimited = { USHER_PAGE_PROFILES_PER_DAY: '0', USHER_PAGE_EVENTS_PER_DAY: '0' };

/**
 * Pages are loaded at half of the rate that saturates the server, usually for an hour, while content is published, users are imported, exported
 * and forgotten, events and reports arrive, a receiver of webhooks fails now and then, and backups are made.
 * @param {{ minutes?: number | undefined, rate?: number | undefined, seed?: number | undefined, usualMinutes: number }} options `rate` instead of half load
 */
export function soak({ minutes, rate: fixedRate, seed, usualMinutes }) {
  return async (/** @type {import('../../bench/harness.mjs').Bench} */ bench) => {
    const length = minutes ?? (bench.quick ? 1 : usualMinutes);
    const random = createRandom(seed ?? 1);
    const ledger = new Ledger();
    let isReliable = false;
    const receiver = await startReceiver(bench, (response, body, path) => {
      const { accepted } = ledger.record(path, JSON.parse(body));
      if (!isReliable && random.chance(0.02)) return void response.writeHead(500).end();
      response.once('finish', accepted);
      response.end();
    });
    const created = await createStore(bench);
    const store = { ...created, env: { ...created.env, ...receiverEnv, ...unlimited } };
    const usher = await startUsher(bench, store);
    const data = await prepare(usher, receiver.url);
    const client = new Client(usher.port, bench.note);
    await bench.cleanup.add(async () => client.close());
    const work = createWork(client, data);

    const request = pageLoads(data.token);
    const rate = fixedRate ?? (await findHalfLoad(bench, usher.port, request));
    bench.note(`${length} minutes with ${rate} page loads a second`);

    const end = performance.now() + length * 60_000;
    const isOver = () => performance.now() >= end;
    const others = work.runUntil(isOver);
    const backups = backUpUntil(bench, store, isOver);
    const samples = await loadUntil(bench, {
      usher,
      client,
      request,
      rate,
      folder: String(store.env.USHER_DATA),
      isOver,
    });
    await others;
    const { files, broken } = await backups;

    isReliable = true;
    const { lost, found } = await countLost(client, work.acknowledged, data.changing);
    const restored = await countBroken(bench, store, files);
    await usher.stop();
    let ahead = 0;
    const left = await sendTheRest(() => {
      ahead += HOUR_MS;
      const clock = { NODE_OPTIONS: `--import=${clockFile}`, CLOCK_AHEAD_MS: String(ahead) };
      return startUsher(bench, { ...store, env: { ...store.env, ...clock } });
    });
    const sent = ledger.check(['/hooks'], work.acknowledged.reports);
    const quarters = compareQuarters(samples);
    const isLong = length >= MIN_MINUTES;
    const total = samples.reduce((sum, { perSecond }) => sum + perSecond * SAMPLE_SECONDS, 0) + client.sent;
    return [
      { part: 'failed', value: client.failed, unit: 'requests', target: { most: 0 } },
      { part: 'lost', value: lost, unit: 'writes', target: { most: 0 } },
      { part: 'forgotten', value: found, unit: 'found', target: { most: 0 } },
      { part: 'webhooks', value: sent.lost.length + left, unit: 'lost', target: { most: 0 } },
      // A few connections to receivers open and close, and in a short run few samples are compared.
      { part: 'descriptors', value: quarters.descriptors, unit: 'more', target: { most: isLong ? 3 : 10 } },
      { part: 'memory', value: quarters.memory, unit: 'ratio', ...(isLong && { target: { most: 1.05 } }) },
      { part: 'memory.slope', value: quarters.megabytesPerHour, unit: 'MB/hour' },
      { part: 'p99', value: quarters.p99, unit: 'ratio', ...(isLong && { target: { most: 1.25 } }) },
      { part: 'backups', value: files.length, unit: 'backups' },
      { part: 'backups.broken', value: broken + restored, unit: 'backups', target: { most: 0 } },
      { part: 'requests', value: Math.round(total), unit: 'requests' },
      { part: 'minutes', value: length, unit: 'minutes' },
    ];
  };
}

/**
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {number} port
 * @param {() => Buffer} request
 */
async function findHalfLoad(bench, port, request) {
  // The first page load of a user brings its properties, which takes a transaction. Nearly all later ones bring nothing new.
  await drive({ port, request, status: 200, seconds: MAX_WARM_UP_SECONDS, count: KNOWN });
  if (bench.engine === 'postgres') await pause(ANALYZED_AFTER_MS);
  const { perSecond } = await drive({ port, request, status: 200, seconds: CALIBRATION_SECONDS });
  bench.note(`${Math.round(perSecond)} page loads a second saturate it`);
  return Math.round(perSecond / 2);
}

/**
 * @param {string} token
 * @returns {() => Buffer}
 */
function pageLoads(token) {
  let count = 0;
  return () => {
    const n = count++;
    const uid = n % NEW_EVERY === 0 ? `new-${n}` : `user-${(n * 7919) % KNOWN}`;
    const body = JSON.stringify({ account_token: token, uid, properties: { n: n % 10 }, href: 'http://localhost/' });
    return Buffer.from(
      `POST /v3/observe/visits HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}

/**
 * Loads pages at a fixed rate, and measures every ten seconds.
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {{ usher: Awaited<ReturnType<typeof startUsher>>, client: Client, request: () => Buffer, rate: number, folder: string, isOver: () => boolean }} load
 */
async function loadUntil(bench, { usher, client, request, rate, folder, isOver }) {
  /** @type {import('../soak/samples.mjs').Sample[]} */
  const samples = [];
  const start = performance.now();
  const perMinute = 60 / SAMPLE_SECONDS;
  while (!isOver()) {
    // This sample is taken in the middle, while all connections are open.
    const measured = pause((SAMPLE_SECONDS / 2) * 1000).then(() => readProcess(usher, folder));
    try {
      const load = { port: usher.port, request, status: 200, seconds: SAMPLE_SECONDS, rate };
      const [{ perSecond, p50, p99 }, process] = await Promise.all([drive(load), measured]);
      samples.push({ seconds: (performance.now() - start) / 1000, ...process, perSecond, p50, p99 });
    } catch (error) {
      client.count(`page loads: ${/** @type {Error} */ (error).message}`);
      await measured.catch(() => {});
    }
    if (samples.length % perMinute === 0 && samples.length > 0)
      bench.note(`minute ${samples.length / perMinute}: ${describeMinute(samples.slice(-perMinute), client.failed)}`);
  }
  return samples;
}

/**
 * Makes backups of SQLite as an operator does, beside the server.
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {import('../../bench/store.mjs').Store} store
 * @param {() => boolean} isOver
 */
async function backUpUntil(bench, store, isOver) {
  /** @type {string[]} */
  const files = [];
  let broken = 0;
  if (!hasBackups()) {
    bench.note('this version has no `usher backup`: no backups are made');
    return { files, broken };
  }
  const folder = mkdtempSync(join(bench.folder, 'backups-'));
  for (let next = performance.now() + BACKUP_EVERY_MS / 8; !isOver(); await pause(500)) {
    if (performance.now() < next) continue;
    next += BACKUP_EVERY_MS;
    const file = join(folder, `${files.length}.backup`);
    const { code, text } = await runUsher(store, ['backup', file]);
    if (code === 0) files.push(file);
    else {
      broken += 1;
      bench.note(`a backup failed: ${text}`);
    }
  }
  return { files, broken };
}

/**
 * Restores each backup of SQLite into a folder of its own, and starts a server on it.
 * @param {import('../../bench/harness.mjs').Bench} bench
 * @param {import('../../bench/store.mjs').Store} store
 * @param {readonly string[]} files
 */
async function countBroken(bench, store, files) {
  if (bench.engine !== 'sqlite') return 0;
  let broken = 0;
  for (const file of files) {
    const restored = await createStore(bench);
    const key = { USHER_MASTER_KEY_FILE: join(String(store.env.USHER_DATA), 'master.key') };
    const env = { ...store.env, ...restored.env, ...key };
    const { code, text } = await runUsher({ ...restored, env }, ['restore', file]);
    const usher = code === 0 ? await startUsher(bench, { ...restored, env }) : undefined;
    const health = usher && JSON.parse(await usher.get('/v3/analyze/profiles/count'));
    await usher?.stop();
    if (health?.count > 0) continue;
    broken += 1;
    bench.note(`${file} could not be restored: ${text}`);
  }
  return broken;
}

function hasBackups() {
  return /^ {2}usher backup /m.test(readFileSync(commandsFile, 'utf8'));
}

/**
 * @param {import('../../bench/store.mjs').Store} store
 * @param {string[]} args
 */
async function runUsher(store, args) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, USHER_BOOTSTRAP_SECRET: SECRET, ...store.env };
  const child = spawn(process.execPath, [usherFile, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  const [code] = await once(child, 'close');
  return { code, text };
}

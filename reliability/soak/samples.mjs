import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../../bench/numbers.mjs';

/**
 * What is measured every ten seconds.
 * @typedef {object} Sample
 * @property {number} seconds since the start
 * @property {number} memory resident, in bytes
 * @property {number | undefined} descriptors undefined where the system does not show them
 * @property {number} log the bytes of the write-ahead log of SQLite
 * @property {number} waiting webhook items that are due or waiting
 * @property {number} perSecond page loads
 * @property {number} p50 in milliseconds
 * @property {number} p99
 */

/**
 * @param {{ pid: number, get: (path: string) => Promise<string> }} usher
 * @param {string} folder its data folder
 */
export async function readProcess(usher, folder) {
  const metrics = await usher.get('/metrics');
  const read = (/** @type {string} */ name) => Number(metrics.split(`\n${name} `)[1]?.split('\n')[0] ?? 0);
  const descriptors = `/proc/${usher.pid}/fd`;
  const log = join(folder, 'usher.db-wal');
  return {
    memory: read('process_resident_memory_bytes'),
    descriptors: existsSync(descriptors) ? readdirSync(descriptors).length : undefined,
    log: existsSync(log) ? statSync(log).size : 0,
    waiting: read('usher_webhook_items{state="due"}') + read('usher_webhook_items{state="waiting"}'),
  };
}

/**
 * The first quarter of a run fills caches and heaps, so the last one is compared with the second.
 * @param {readonly Sample[]} samples
 */
export function compareQuarters(samples) {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [second, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const ratio = (/** @type {(sample: Sample) => number} */ value) =>
    median(last.map(value)) / median(second.map(value));
  // A connection that opens or closes at this moment is no leak. A leaked connection stays, so the minimum grows too.
  const fewest = (/** @type {readonly Sample[]} */ part) => Math.min(...part.map(({ descriptors = 0 }) => descriptors));
  return {
    memory: ratio(({ memory }) => memory),
    p99: ratio(({ p99 }) => p99),
    descriptors: fewest(last) - fewest(second),
    megabytesPerHour: (slope(samples.slice(quarter)) * 3600) / 1_000_000,
  };
}

/**
 * The growth of the memory in bytes a second, by least squares.
 * @param {readonly Sample[]} samples
 */
function slope(samples) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(({ memory }) => memory))];
  const spread = samples.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0);
  return spread === 0
    ? 0
    : samples.reduce((sum, { seconds, memory }) => sum + (seconds - x) * (memory - y), 0) / spread;
}

/**
 * @param {readonly Sample[]} samples of the last minute
 * @param {number} failed
 */
export function describeMinute(samples, failed) {
  const of = (/** @type {(sample: Sample) => number} */ value) => median(samples.map(value));
  const megabytes = (/** @type {number} */ bytes) => (bytes / 1_000_000).toFixed(0);
  return [
    `${of(({ perSecond }) => perSecond).toFixed(0)} page loads a second`,
    `p50 ${of(({ p50 }) => p50).toFixed(1)} ms, p99 ${of(({ p99 }) => p99).toFixed(1)} ms`,
    `${megabytes(of(({ memory }) => memory))} MB`,
    `${of(({ descriptors = 0 }) => descriptors)} descriptors`,
    `log ${megabytes(of(({ log }) => log))} MB`,
    `${of(({ waiting }) => waiting)} webhook items wait`,
    `${failed} failed`,
  ].join(', ');
}

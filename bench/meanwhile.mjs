import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { drive } from './load.mjs';
import { requestText, SECRET } from './servers.mjs';

const senderFile = fileURLToPath(new URL('./batches.mjs', import.meta.url));
const RATE = 200;

/**
 * Starts a process that sends batches.
 * @param {import('./harness.mjs').Bench} bench
 * @param {{ port: number, from: number, count: number, inOne: number, again: boolean }} what
 */
export async function startSender(bench, what) {
  const child = fork(senderFile, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await bench.cleanup.add(stop);
  child.send({ ...what, secret: SECRET });
  await once(child, 'message');
  return { child, go: () => child.send('go'), stop };
}

/**
 * Returns the 99th percentile of reading and writing single profiles at a low rate.
 * @param {import('./harness.mjs').Bench} bench
 * @param {number} port
 * @param {number} known how many profiles there are
 */
export async function single(bench, port, known) {
  const seconds = bench.quick ? 1 : 10;
  const uid = (/** @type {number} */ n) => `user-${(n * 7919) % known}`;
  const load = { port, status: 200, seconds, rate: RATE };
  const reads = await drive({ ...load, request: (n) => requestText('GET', `/v3/analyze/profile?uid=${uid(n)}`) });
  const writes = await drive({
    ...load,
    request: (n) => requestText('POST', '/v3/observe/hooks/profiles', { uid: uid(n), visits: n }),
  });
  return { reads: reads.p99, writes: writes.p99 };
}

/**
 * Compares these times under other load with those without.
 * @param {{ reads: number, writes: number }} calm
 * @param {{ reads: number, writes: number }} busy
 */
export function compareSingle(calm, busy) {
  return [
    { part: 'reads', value: busy.reads / calm.reads, unit: 'ratio', target: { most: 2 } },
    { part: 'writes', value: busy.writes / calm.writes, unit: 'ratio', target: { most: 2 } },
    { part: 'reads.p99', value: busy.reads, unit: 'ms' },
    { part: 'writes.p99', value: busy.writes, unit: 'ms' },
  ];
}

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { processSeconds } from '../processor-time.mjs';
import { startUsher, unlimited } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { HOST } from './visits.mjs';

/** The budget of a stream: 200 MB for ten thousand. */
const MAX_BYTES = 20_000;
const TOGETHER = 20;
/** In so long, every stream is checked one time a second and gets one ticket. */
const LOOK_SECONDS = 20;

/**
 * Measures the memory, and the processor time, of pages that wait for events, each with its own user: what they and their visits take above the memory of the
 * idle server, divided by the budget; and the milliseconds of a core that they take in a second in which nothing happens. BENCH_STREAMS is their number.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function memoryStreams(bench) {
  const count = bench.quick ? 200 : Number(process.env.BENCH_STREAMS ?? 10_000);
  const store = await createStore(bench);
  const usher = await startUsher(bench, store, {
    ...unlimited,
    ...{ USHER_STREAMS: String(count), USHER_STREAMS_PER_ACCOUNT: '0', USHER_STREAMS_PER_ADDRESS: '0' },
    ...{ USHER_CONNECTIONS: '0', USHER_CONNECTIONS_PER_ADDRESS: '0' },
  });
  await usher.post('/v3/edit/urls', { host: HOST, enabled: 'on' }, 201);
  const steps = [{ title: 'Hello', step_trigger: 'event', trigger_event: { name: 'Invite sent' } }];
  await usher.post('/v3/edit/tours', { name: 'Invited', steps, published_at: '$now' }, 201);
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  /** @param {number} n */
  const visit = async (n) => {
    const sent = { account_token: account.token, uid: `user ${n}`, href: `https://${HOST}/` };
    return String(JSON.parse(await usher.post('/v3/observe/visits', sent, 200)).visit.stream);
  };
  // The first visits compile the code, which is no memory of streams.
  await inTurn(Math.min(count, 500), visit);
  await pause(bench.quick ? 500 : 10_000);
  const idle = await usher.memory();
  const tickets = await inTurn(count, visit);
  const sockets = await inTurn(count, (n) => open(usher.port, String(tickets[n])));
  // Each has sent two tickets by now.
  await pause(bench.quick ? 2000 : 45_000);
  const opened = Number(/^usher_page_streams_open (\d+)$/m.exec(await usher.get('/metrics'))?.[1]);
  if (opened !== count) throw new Error(`${opened} of ${count} streams are open`);
  const taken = (await usher.memory()) - idle;
  bench.note(`${count} streams take ${Math.round(taken / 1e6)} MB above ${Math.round(idle / 1e6)} MB`);
  const before = processSeconds(usher.pid);
  const seconds = bench.quick ? 2 : LOOK_SECONDS;
  await pause(seconds * 1000);
  const look = (1000 * (processSeconds(usher.pid) - before)) / seconds;
  const last = /** @type {import('node:net').Socket} */ (sockets[count - 1]);
  const sentAt = performance.now();
  await usher.post('/v3/observe/hooks/events', { uid: `user ${count - 1}`, name: 'Invite sent' }, 200);
  for (let text = ''; !text.includes('event: wake'); ) text += String((await once(last, 'data'))[0]);
  const wake = performance.now() - sentAt;
  for (const socket of sockets) socket.destroy();
  return [
    { value: taken / (MAX_BYTES * count), unit: 'of the budget', target: { most: 1 } },
    { part: 'look', value: look, unit: 'ms of a core' },
    { part: 'wake', value: wake / 1000, unit: 's', target: { most: 2 } },
  ];
}

/**
 * @param {number} port
 * @param {string} ticket
 */
async function open(port, ticket) {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').write(`GET /v3/observe/stream?ticket=${ticket} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const [text] = await once(socket, 'data');
  if (!String(text).startsWith('HTTP/1.1 200')) throw new Error(String(text));
  socket.resume();
  return socket;
}

/**
 * Does the work for each number below the count, a few at a time.
 * @template T
 * @param {number} count
 * @param {(n: number) => Promise<T>} work
 */
async function inTurn(count, work) {
  /** @type {T[]} */
  const results = [];
  let next = 0;
  const run = async () => {
    while (next < count) {
      const n = next++;
      results[n] = await work(n);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, run));
  return results;
}

import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { percentile } from './numbers.mjs';

const TIMEOUT_MS = 10_000;
const TICK_MS = 1;

/**
 * @typedef {object} Load
 * @property {number} port on this machine
 * @property {(n: number) => string | Buffer} request the bytes of the n-th request, counted from 0
 * @property {number} status the status of every response; any other fails the run
 * @property {number} seconds no request is sent after them
 * @property {number} [count] nor after this many
 * @property {number} [connections] each with one request in flight
 * @property {number} [patience] fails the run after so many milliseconds without a response
 * @property {number} [rate] requests per second; without it each connection sends the next request as soon as it has the response
 */

/**
 * Sends requests and measures the time to the responses. It implements only the HTTP that it needs, over bare sockets,
 * because it must cost less than the servers it measures: node:http as a client costs more than node:http as a server.
 * At a given rate the time a request waits for a free connection counts, so a server that stalls gets a bad result.
 * @param {Load} load
 * @returns {Promise<{ perSecond: number, p50: number, p99: number, latencies: number[], busy: number }>}
 *   latencies in milliseconds, in the order of the responses; busy is the share of the time this process worked
 */
export async function drive({
  port,
  request,
  status,
  seconds,
  count = 10_000_000,
  connections = 32,
  patience = TIMEOUT_MS,
  rate,
}) {
  const connected = await Promise.all(Array.from({ length: connections }, () => openConnection(port, status)));
  try {
    return await sendAll(connected, { request, seconds, count, patience, rate });
  } finally {
    for (const connection of connected) connection.close();
  }
}

/**
 * @param {Connection[]} connections
 * @param {Pick<Required<Load>, 'request' | 'seconds' | 'count' | 'patience'> & { rate: number | undefined }} load
 */
async function sendAll(connections, { request, seconds, count, patience, rate }) {
  /** @type {number[]} */
  const latencies = [];
  const free = [...connections];
  const loopBefore = performance.eventLoopUtilization();
  const start = performance.now();
  const end = start + seconds * 1000;
  let sent = 0;
  let lastResponse = start;
  /** @type {number[]} When each request that has not been sent yet fell due. */
  const due = [];
  let fellDue = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let ticking;
  /** @type {NodeJS.Timeout | undefined} */
  let watching;

  await new Promise((resolve, reject) => {
    const send = () => {
      for (let connection = free.pop(); connection; connection = free.pop()) {
        const now = performance.now();
        const since = rate ? due.shift() : sent < count && now < end ? now : undefined;
        if (since === undefined) {
          free.push(connection);
          break;
        }
        connection.send(request(sent++), since);
      }
      const over = rate ? due.length === 0 && (fellDue === count || performance.now() >= end) : true;
      if (over && free.length === connections.length) resolve(undefined);
    };
    for (const connection of connections) {
      connection.onFailure = reject;
      connection.onResponse = (since) => {
        lastResponse = performance.now();
        latencies.push(lastResponse - since);
        free.push(connection);
        send();
      };
    }
    if (rate) {
      ticking = setInterval(() => {
        const now = Math.min(performance.now(), end);
        const wanted = Math.min(count, Math.floor(((now - start) / 1000) * rate));
        for (; fellDue < wanted; fellDue++) due.push(now);
        send();
      }, TICK_MS);
    }
    let countBefore = 0;
    watching = setInterval(() => {
      if (latencies.length === countBefore) reject(new Error(`No response within ${patience / 1000} seconds`));
      countBefore = latencies.length;
    }, patience);
    send();
  }).finally(() => {
    clearInterval(ticking);
    clearInterval(watching);
  });

  return {
    perSecond: latencies.length / ((lastResponse - start) / 1000),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    latencies,
    busy: performance.eventLoopUtilization(loopBefore).utilization,
  };
}

/**
 * @param {number} port
 * @param {number} status
 */
async function openConnection(port, status) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return new Connection(socket, status);
}

/** A connection with at most one request in flight. */
class Connection {
  /** @type {(since: number) => void} */
  onResponse = () => {};
  /** @type {(error: Error) => void} */
  onFailure = () => {};
  #socket;
  #status;
  #since = 0;
  /** @type {Buffer | undefined} The beginning of a response. */
  #partial;

  /**
   * @param {import('node:net').Socket} socket
   * @param {number} status
   */
  constructor(socket, status) {
    this.#socket = socket;
    this.#status = status;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.onFailure(error));
    socket.on('close', () => this.onFailure(new Error('The server closed a connection')));
  }

  /**
   * @param {string | Buffer} request
   * @param {number} since the start of its time
   */
  send(request, since) {
    this.#since = since;
    this.#socket.write(request);
  }

  close() {
    this.onFailure = () => {};
    this.#socket.destroy();
  }

  /** @param {Buffer} chunk */
  #read(chunk) {
    const bytes = this.#partial ? Buffer.concat([this.#partial, chunk]) : chunk;
    this.#partial = bytes;
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = bytes.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.onFailure(new Error(`A response without Content-Length: ${head}`));
    const missing = headEnd + 4 + Number(length) - bytes.length;
    if (missing > 0) return;
    if (missing < 0) return this.onFailure(new Error('The server sent more than one response'));
    this.#partial = undefined;
    if (Number(head.slice(9, 12)) !== this.#status) {
      return this.onFailure(new Error(`Expected status ${this.#status}: ${bytes.toString('utf8', 0, 600)}`));
    }
    this.onResponse(this.#since);
  }
}

import { Agent, request } from 'node:http';
import { SECRET, startUsher } from '../../bench/servers.mjs';

const RESPONSE_TIMEOUT_MS = 30_000;

/**
 * One process, from its start until it is killed.
 * @typedef {{ usher: Awaited<ReturnType<typeof startUsher>>, agent: Agent, killed: boolean }} Member
 */

/**
 * The outcome of a request; undefined if it was not sent. Without a status, it is unknown whether the request took
 * effect. The message says what went wrong if the process was not killed.
 * @typedef {{ status?: number, body?: any, message?: string, begun: number, ended: number } | undefined} Outcome
 */

/** Several Usher processes on one database. From time to time one of them is killed with -9. */
export class Fleet {
  #bench;
  #store;
  /** @type {Member[]} */
  #members = [];
  /** Resolves when a process runs that accepts requests. @type {Promise<unknown>} */
  #back = Promise.resolve();
  kills = 0;

  /**
   * @param {import('../../bench/harness.mjs').Bench} bench
   * @param {import('../../bench/store.mjs').Store} store
   */
  constructor(bench, store) {
    this.#bench = bench;
    this.#store = store;
  }

  /** @param {number} count */
  async start(count) {
    this.#members = await Promise.all(Array.from({ length: count }, () => this.#startOne()));
  }

  /** @returns {Promise<Member>} */
  async #startOne() {
    const usher = await startUsher(this.#bench, this.#store);
    return { usher, agent: new Agent({ keepAlive: true }), killed: false };
  }

  /**
   * Picks different running processes, up to this count. It waits until there is at least one.
   * @param {import('./random.mjs').Random} random
   * @param {number} count
   */
  async pick(random, count) {
    for (;;) {
      const running = this.#members.filter(({ killed }) => !killed);
      const picked = [];
      while (picked.length < count && running.length > 0)
        picked.push(...running.splice(random.below(running.length), 1));
      if (picked.length > 0) return picked;
      await this.#back;
    }
  }

  /** @param {import('./random.mjs').Random} random */
  async replaceOne(random) {
    const index = random.below(this.#members.length);
    const member = /** @type {Member} */ (this.#members[index]);
    member.killed = true;
    this.kills += 1;
    const replaced = member.usher.kill().then(() => this.#startOne());
    this.#back = replaced;
    this.#members[index] = await replaced;
    member.agent.destroy();
  }

  async stop() {
    await Promise.all(this.#members.map(({ usher }) => usher.stop()));
    for (const { agent } of this.#members) agent.destroy();
  }
}

/**
 * @param {Member} member
 * @param {string} method
 * @param {string} path
 * @param {unknown} [content]
 * @returns {Promise<Outcome>}
 */
export function send(member, method, path, content) {
  const { usher, agent } = member;
  const isOfPage = path.startsWith('/v3/observe/');
  const headers = isOfPage ? { 'content-type': 'text/plain' } : { 'x-account-secret': SECRET };
  const begun = performance.now();
  return new Promise((resolve) => {
    const fail = (/** @type {NodeJS.ErrnoException} */ error) => {
      if (member.killed && error.code === 'ECONNREFUSED') return resolve(undefined);
      const message = member.killed ? {} : { message: `${error.code ?? ''} ${error.message}` };
      resolve({ ...message, begun, ended: performance.now() });
    };
    const options = { host: '127.0.0.1', port: usher.port, method, path, agent, headers, timeout: RESPONSE_TIMEOUT_MS };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('error', fail);
      response.on('end', () => {
        const ended = performance.now();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), begun, ended });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`No answer within ${RESPONSE_TIMEOUT_MS} ms`)));
    sent.on('error', fail);
    sent.end(content === undefined ? undefined : JSON.stringify(content));
  });
}

import { Agent, request } from 'node:http';
import { SECRET, startUsher } from '../../bench/servers.mjs';

const RESPONSE_TIMEOUT_MS = 30_000;

/**
 * One process, from its start until it is killed.
 * @typedef {{ usher: Awaited<ReturnType<typeof startUsher>>, agent: Agent, killed: boolean }} Member
 */

/**
 * The result of a request. Without a status it is unknown whether the request took effect. The message is the error, if
 * the process was not killed. The result is undefined if the request was not sent.
 * @typedef {{ status?: number, body?: any, message?: string, started: number, ended: number } | undefined} Outcome
 */

/** Several processes on one database. Now and then one is killed with -9 and replaced. */
export class Fleet {
  #bench;
  #store;
  /** @type {Member[]} */
  #members = [];
  /** Resolves when the killed process is replaced. @type {Promise<unknown>} */
  #replacement = Promise.resolve();
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
   * Picks up to this many different running processes. It waits until at least one runs.
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
      await this.#replacement;
    }
  }

  /** @param {import('./random.mjs').Random} random */
  async replaceOne(random) {
    const index = random.below(this.#members.length);
    const member = /** @type {Member} */ (this.#members[index]);
    member.killed = true;
    this.kills += 1;
    const replaced = member.usher.kill().then(() => this.#startOne());
    this.#replacement = replaced;
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
  const isPageRequest = path.startsWith('/v3/observe/');
  const headers = isPageRequest ? { 'content-type': 'text/plain' } : { 'x-account-secret': SECRET };
  const started = performance.now();
  return new Promise((resolve) => {
    const fail = (/** @type {NodeJS.ErrnoException} */ error) => {
      if (member.killed && error.code === 'ECONNREFUSED') return resolve(undefined);
      const message = member.killed ? {} : { message: `${error.code ?? ''} ${error.message}` };
      resolve({ ...message, started, ended: performance.now() });
    };
    const options = { host: '127.0.0.1', port: usher.port, method, path, agent, headers, timeout: RESPONSE_TIMEOUT_MS };
    const outgoing = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('error', fail);
      response.on('end', () => {
        const ended = performance.now();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), started, ended });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No response within ${RESPONSE_TIMEOUT_MS} ms`)));
    outgoing.on('error', fail);
    outgoing.end(content === undefined ? undefined : JSON.stringify(content));
  });
}

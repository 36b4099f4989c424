import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../send.mjs';

const CHECK_EVERY_MS = 100;
const CHECK_TIMEOUT_MS = 1000;
const FAILURE_PAUSE_MS = 50;

/**
 * @typedef {{ port: number, agent: Agent, isReady: boolean, inFlight: number }} Node
 */

/**
 * Does what a load balancer does: it sends requests to the nodes in turn, keeps its connections, and sends nothing new to a node whose
 * `/readyz` does not return 200. A connection that a node does not accept is tried at the next node, since nothing was sent. It repeats
 * no request that was sent: that is a failure.
 */
export class Balancer {
  /** @type {Node[]} */
  #nodes = [];
  #next = 0;
  #checking;
  failed = 0;
  retried = 0;
  /** @type {number[]} */
  latencies = [];
  #note;

  /** @param {(text: string) => void} note */
  constructor(note) {
    this.#note = note;
    this.#checking = setInterval(() => {
      for (const node of this.#nodes) void check(node);
    }, CHECK_EVERY_MS);
  }

  /** @param {number} port of a node that is ready */
  add(port) {
    this.#nodes.push({ port, agent: new Agent({ keepAlive: true }), isReady: true, inFlight: 0 });
  }

  /**
   * Sends nothing more to a node, and waits for its responses.
   * @param {number} port
   */
  async remove(port) {
    const node = this.#nodes.find((one) => one.port === port);
    this.#nodes = this.#nodes.filter((one) => one !== node);
    while (node && node.inFlight > 0) await pause(5);
    node?.agent.destroy();
  }

  stop() {
    clearInterval(this.#checking);
    for (const { agent } of this.#nodes) agent.destroy();
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [content]
   * @returns {Promise<any>} the body, or undefined after a failure
   */
  async send(method, path, content) {
    const started = performance.now();
    try {
      const { status, text } = await this.#sendToOne(method, path, content);
      if (status < 200 || status > 202) throw new Error(`${status}: ${text.slice(0, 300)}`);
      this.latencies.push(performance.now() - started);
      return JSON.parse(text);
    } catch (error) {
      this.failed += 1;
      if (this.failed <= 10) this.#note(`failed: ${method} ${path}: ${/** @type {Error} */ (error).message}`);
      // Without any node, clients that try again immediately would let nothing else run.
      await pause(FAILURE_PAUSE_MS);
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} content
   */
  async #sendToOne(method, path, content) {
    for (let tries = 0; ; tries++) {
      const ready = this.#nodes.filter(({ isReady }) => isReady);
      const node = ready[this.#next++ % ready.length];
      if (!node) throw new Error('no node is ready');
      node.inFlight += 1;
      try {
        return await send(node, method, path, content);
      } catch (error) {
        const { code } = /** @type {NodeJS.ErrnoException} */ (error);
        if (code !== 'ECONNREFUSED' || tries === 3) throw error;
        node.isReady = false;
        this.retried += 1;
      } finally {
        node.inFlight -= 1;
      }
    }
  }
}

/** @param {Node} node */
async function check(node) {
  const options = { host: '127.0.0.1', port: node.port, path: '/readyz', agent: false, timeout: CHECK_TIMEOUT_MS };
  node.isReady = await new Promise((resolve) => {
    const outgoing = request(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(false));
    outgoing.end();
  });
}

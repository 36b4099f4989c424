import { Agent } from 'node:http';
import { send } from '../send.mjs';

/**
 * A client that keeps its connections, and counts the requests that failed: without a response, or with another status than the
 * expected ones.
 */
export class Client {
  #agent = new Agent({ keepAlive: true });
  #note;
  port;
  sent = 0;
  failed = 0;

  /**
   * @param {number} port
   * @param {(text: string) => void} note prints the first failures
   */
  constructor(port, note) {
    this.port = port;
    this.#note = note;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ content?: unknown, statuses?: number[] }} [options] the statuses that are no failure, 200, 201 and 202 if not given
   * @returns {Promise<any>} the body, or undefined after a failure
   */
  async send(method, path, { content, statuses = [200, 201, 202] } = {}) {
    this.sent += 1;
    try {
      const { status, text } = await send({ port: this.port, agent: this.#agent }, method, path, content);
      if (!statuses.includes(status)) throw new Error(`${status}: ${text.slice(0, 200)}`);
      return JSON.parse(text);
    } catch (error) {
      this.count(`${method} ${path}: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {string} what has failed */
  count(what) {
    this.failed += 1;
    if (this.failed <= 10) this.#note(`failed: ${what}`);
  }

  close() {
    this.#agent.destroy();
  }
}

import { Agent, request } from 'node:http';
import { SECRET } from '../../bench/servers.mjs';

const RESPONSE_TIMEOUT_MS = 30_000;

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
      const { status, text } = await this.#request(method, path, content);
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

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} content
   * @returns {Promise<{ status: number, text: string }>}
   */
  #request(method, path, content) {
    const isFromPage = /^\/v3\/observe\/(visits|interactions|events)/.test(path);
    const headers = isFromPage ? { 'content-type': 'text/plain' } : { 'x-account-secret': SECRET };
    const options = { host: '127.0.0.1', port: this.port, method, path, agent: this.#agent, headers };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...options, timeout: RESPONSE_TIMEOUT_MS }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${RESPONSE_TIMEOUT_MS} ms`)));
      outgoing.on('error', reject);
      outgoing.end(content === undefined ? undefined : JSON.stringify(content));
    });
  }
}

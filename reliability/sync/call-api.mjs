import { Agent } from 'node:http';
import { send } from '../send.mjs';

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request, with POST if it has content and GET otherwise, and repeats it after 429 and 503.
 * @param {number} port
 * @param {string} path
 * @param {{ method?: string, content?: unknown, status?: number }} [options]
 * @returns {Promise<any>}
 */
export async function callApi(port, path, { content, method = content ? 'POST' : 'GET', status } = {}) {
  for (;;) {
    const response = await send({ port, agent }, method, path, content);
    if (response.status === 429 || response.status === 503) continue;
    if (status ? response.status !== status : response.status >= 300)
      throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`);
    return JSON.parse(response.text);
  }
}

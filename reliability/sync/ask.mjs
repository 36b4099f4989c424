import { Agent, request } from 'node:http';
import { SECRET } from '../../bench/servers.mjs';

const agent = new Agent({ keepAlive: true });

/**
 * Asks until there is an answer that is none of "later": POST with content, GET without.
 * @param {number} port
 * @param {string} path
 * @param {{ method?: string, content?: unknown, status?: number }} [sent]
 * @returns {Promise<any>}
 */
export async function ask(port, path, { content, method = content ? 'POST' : 'GET', status } = {}) {
  for (;;) {
    const answer = await send(port, path, method, content);
    if (answer.status === 429 || answer.status === 503) continue;
    if (status ? answer.status !== status : answer.status >= 300)
      throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text);
  }
}

/**
 * @param {number} port
 * @param {string} path
 * @param {string} method
 * @param {unknown} content
 * @returns {Promise<{ status: number, text: string }>}
 */
function send(port, path, method, content) {
  const headers = { 'content-type': 'application/json', 'x-account-secret': SECRET };
  const ofPage = /^\/v3\/observe\/(visits|interactions)/.test(path);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, agent };
    const sent = request({ ...options, headers: ofPage ? { 'content-type': 'text/plain' } : headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(content === undefined ? undefined : JSON.stringify(content));
  });
}

import { Agent, request } from 'node:http';
import { SECRET } from '../../bench/servers.mjs';

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
    const response = await send(port, path, method, content);
    if (response.status === 429 || response.status === 503) continue;
    if (status ? response.status !== status : response.status >= 300)
      throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`);
    return JSON.parse(response.text);
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
  const isPageRequest = /^\/v3\/observe\/(visits|interactions)/.test(path);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, agent };
    const outgoing = request(
      { ...options, headers: isPageRequest ? { 'content-type': 'text/plain' } : headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(content === undefined ? undefined : JSON.stringify(content));
  });
}

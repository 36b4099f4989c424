import { request } from 'node:http';
import { SECRET } from '../bench/servers.mjs';

const RESPONSE_TIMEOUT_MS = 30_000;

/**
 * Sends one request to a server on this machine, as a page for the paths of pages, and otherwise with the secret. It repeats nothing.
 * @param {{ port: number, agent: import('node:http').Agent }} node
 * @param {string} method
 * @param {string} path
 * @param {unknown} [content]
 * @returns {Promise<{ status: number, text: string }>}
 */
export function send({ port, agent }, method, path, content) {
  const isFromPage = /^\/v3\/observe\/(visits|interactions|events)/.test(path);
  const headers = isFromPage
    ? { 'content-type': 'text/plain' }
    : { 'content-type': 'application/json', 'x-account-secret': SECRET };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, agent, method, path, headers, timeout: RESPONSE_TIMEOUT_MS };
    const outgoing = request(options, (response) => {
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

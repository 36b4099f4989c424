import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Starts a receiver of webhooks on this machine that counts the requests.
 * @param {import('./harness.mjs').Bench} bench
 * @param {(response: import('node:http').ServerResponse, body: string, path: string) => void} respond
 * @param {number} [port]
 */
export async function startReceiver(bench, respond, port = 0) {
  let count = 0;
  /** @type {{ at: number, reached: () => void }[]} */
  let waiting = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part) => {
      body += part;
    });
    request.on('error', () => {});
    request.on('end', () => {
      count += 1;
      respond(response, body, request.url ?? '');
      for (const { reached } of waiting.filter(({ at }) => count >= at)) reached();
      waiting = waiting.filter(({ at }) => count < at);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const stop = async () => {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  await bench.cleanup.add(stop);
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/hooks`,
    count: () => count,
    /**
     * Resolves when this many requests have arrived since the start.
     * @param {number} at
     * @returns {Promise<void>}
     */
    reaches: (at) =>
      new Promise((resolve) => {
        if (count >= at) resolve();
        else waiting.push({ at, reached: resolve });
      }),
    stop,
  };
}

/** Allows Usher to send to receivers on this machine. */
export const receiverEnv = { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };

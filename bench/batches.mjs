import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { sentProfile } from './profiles.mjs';

/*
 * Sends batches of profiles. It is a separate process, because building them would disturb the measurement. After the
 * message `{ port, secret, from, count, inOne, again }` it builds the bodies and sends 'made'. After 'go' it posts them
 * one after the other, with `again` forever, and sends the time of each.
 */

/** @type {Buffer[]} */
let bodies = [];
/** @type {{ port: number, secret: string, from: number, count: number, inOne: number, again: boolean }} */
let options;

process.on('message', async (message) => {
  if (message !== 'go') {
    options = /** @type {typeof options} */ (message);
    bodies = [];
    for (let start = options.from; start < options.from + options.count; start += options.inOne) {
      // Each round has other values, because unchanged profiles are not written.
      const rounds = options.again ? [1, 2, 3, 4] : [0];
      for (const round of rounds) {
        const profiles = Array.from({ length: options.inOne }, (_, n) =>
          sentProfile(start + n, round * 1000 + (n % 100)),
        );
        bodies.push(Buffer.from(JSON.stringify({ profiles })));
      }
    }
    process.send?.('made');
    return;
  }
  let at = 0;
  do {
    const body = /** @type {Buffer} */ (bodies[at % bodies.length]);
    const start = performance.now();
    const response = await send(body);
    if (!/^\{"batch":\{"id":"\w+"\}\}$/.test(response))
      throw new Error(`Unexpected response to a batch: ${response.slice(0, 300)}`);
    process.send?.({ profiles: options.inOne, bytes: body.length, seconds: (performance.now() - start) / 1000 });
    at += 1;
  } while (options.again || at < bodies.length);
});

/**
 * @param {Buffer} body
 * @returns {Promise<string>}
 */
function send(body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port: options.port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v3/observe/hooks/profiles/batch',
        headers: { 'x-account-secret': options.secret, 'content-length': body.length },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

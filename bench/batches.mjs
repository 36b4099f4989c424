import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { sentProfile } from './profiles.mjs';

/*
 * Sends batches of profiles: a process of its own, because making them would disturb whoever measures.
 * Told `{ port, secret, from, count, inOne, again }`, it makes the bodies and says 'made'; told 'go', it sends them one
 * after the other, with `again` for ever, and says how long each took.
 */

/** @type {Buffer[]} */
let bodies = [];
/** @type {{ port: number, secret: string, from: number, count: number, inOne: number, again: boolean }} */
let told;

process.on('message', async (message) => {
  if (message !== 'go') {
    told = /** @type {typeof told} */ (message);
    bodies = [];
    for (let start = told.from; start < told.from + told.count; start += told.inOne) {
      // Again with other values: what is as it was is not even written.
      const rounds = told.again ? [1, 2, 3, 4] : [0];
      for (const round of rounds) {
        const profiles = Array.from({ length: told.inOne }, (_, n) => sentProfile(start + n, round * 1000 + (n % 100)));
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
    const answer = await send(body);
    if (!/^\{"batch":\{"id":"\w+"\}\}$/.test(answer)) throw new Error(`A batch was answered: ${answer.slice(0, 300)}`);
    process.send?.({ profiles: told.inOne, bytes: body.length, seconds: (performance.now() - start) / 1000 });
    at += 1;
  } while (told.again || at < bodies.length);
});

/**
 * @param {Buffer} body
 * @returns {Promise<string>}
 */
function send(body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port: told.port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v3/observe/hooks/profiles/batch',
        headers: { 'x-account-secret': told.secret, 'content-length': body.length },
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

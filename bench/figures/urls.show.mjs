import { compareWithEcho } from '../compare.mjs';
import { requestText, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { insertUrls, urlId } from '../urls.mjs';

/**
 * Reads one record.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function urlsShow(bench) {
  const rows = bench.quick ? 100 : 10_000;
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertUrls(bench, store, rows);
  const usher = await startUsher(bench, store);
  const requests = Array.from({ length: rows }, (_, n) => Buffer.from(requestText('GET', `/v3/edit/urls/${urlId(n)}`)));
  return compareWithEcho(bench, usher, {
    request: (n) => /** @type {Buffer} */ (requests[(n * 7919) % rows]),
    status: 200,
    response: JSON.parse(await usher.get(`/v3/edit/urls/${urlId(0)}`)),
  });
}

import { compareWithEcho } from '../compare.mjs';
import { requestText, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { insertUrls, urlId } from '../urls.mjs';

/**
 * Writes one record, which is on the disk before the response.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function urlsCreate(bench) {
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertUrls(bench, store, 1);
  const usher = await startUsher(bench, store);
  let created = 0;
  return compareWithEcho(bench, usher, {
    request: () => requestText('POST', '/v3/edit/urls', { host: `new.place-${created++}.com`, enabled: 'on' }),
    status: 201,
    response: JSON.parse(await usher.get(`/v3/edit/urls/${urlId(0)}`)),
  });
}

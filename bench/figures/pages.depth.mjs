import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { requestText, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { insertUrls, urlId } from '../urls.mjs';

const ON_A_PAGE = 100;

/**
 * How much longer the last page of a long list takes than the first one.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function pagesDepth(bench) {
  const pages = bench.quick ? 100 : 10_000;
  // One row is left after the last page, so that it is a page like the first: full, with more behind it.
  const rows = pages * ON_A_PAGE + 1;
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertUrls(bench, store, rows);
  const usher = await startUsher(bench, store);

  const first = `/v3/edit/urls?limit=${ON_A_PAGE}`;
  const last = `${first}&before=${urlId(ON_A_PAGE + 1)}`;
  await expectPage(usher, first, rows - 1);
  await expectPage(usher, last, ON_A_PAGE);

  const requests = [requestText('GET', first), requestText('GET', last)].map((text) => Buffer.from(text));
  const load = { port: usher.port, status: 200, connections: 1, seconds: 120 };
  const request = (/** @type {number} */ n) => /** @type {Buffer} */ (requests[n % 2]);
  await drive({ ...load, request, count: 200 });
  const { latencies } = await drive({ ...load, request, count: bench.quick ? 200 : 4000 });
  const firstTime = median(latencies.filter((_, n) => n % 2 === 0));
  const lastTime = median(latencies.filter((_, n) => n % 2 === 1));
  return [
    { value: lastTime / firstTime, unit: 'ratio', target: { most: 1.2 } },
    { part: 'first', value: firstTime, unit: 'ms' },
    { part: 'last', value: lastTime, unit: 'ms' },
  ];
}

/**
 * @param {{ get: (path: string) => Promise<string> }} usher
 * @param {string} path
 * @param {number} newest the number of the row that the page begins with
 */
async function expectPage(usher, path, newest) {
  const { urls, cursor } = JSON.parse(await usher.get(path));
  const right = urls.length === ON_A_PAGE && urls[0].id === urlId(newest) && urls.at(-1).id === cursor.before;
  if (!right) throw new Error(`${path} is not the page that begins with ${urlId(newest)}: it has ${urls[0]?.id}`);
}

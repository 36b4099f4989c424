import { drive } from './load.mjs';
import { median } from './numbers.mjs';
import { startEcho } from './servers.mjs';

/**
 * Compares the requests per second of Usher with a server that only reads and writes JSON. The two alternate, so
 * that other load on the machine affects both, and each period is compared with the one next to it.
 * @param {import('./harness.mjs').Bench} bench
 * @param {{ port: number }} usher
 * @param {{ request: (n: number) => string | Buffer, status: number, response: unknown }} what the request to both, and a
 *   response of Usher that the other one returns
 * @returns {Promise<import('./harness.mjs').Result[]>}
 */
export async function compareWithEcho(bench, usher, { request, status, response }) {
  const echo = await startEcho(bench, { status, response });
  return compareWith(bench, echo, usher, { request, status });
}

/**
 * @param {import('./harness.mjs').Bench} bench
 * @param {{ port: number }} echo
 * @param {{ port: number }} usher
 * @param {{ request: (n: number) => string | Buffer, status: number, least?: number, most?: number }} what the request to
 *   both, and the targets: of the ratio, and of the 99th percentile in milliseconds
 * @returns {Promise<import('./harness.mjs').Result[]>}
 */
export async function compareWith(bench, echo, usher, { request, status, least, most }) {
  const seconds = bench.quick ? 0.3 : 3;
  const rounds = bench.quick ? 2 : 7;
  const load = { request, status, seconds };
  await drive({ ...load, port: echo.port });
  await drive({ ...load, port: usher.port });

  const ratios = [];
  const rates = [];
  for (let round = 1; round <= rounds; round++) {
    const bare = await drive({ ...load, port: echo.port });
    const ours = await drive({ ...load, port: usher.port });
    ratios.push(ours.perSecond / bare.perSecond);
    rates.push(ours.perSecond);
    bench.note(`round ${round} of ${rounds}: ${Math.round(ours.perSecond)} against ${Math.round(bare.perSecond)}`);
    if (bare.busy > 0.95) bench.note('the load generator itself was the limit: the true ratio is lower');
  }
  const rate = median(rates);
  // With a target for p99 this takes longer: garbage is collected every few seconds, and a short period may miss that.
  const calm = await drive({ ...load, port: usher.port, rate: rate / 2, seconds: most ? 4 * seconds : seconds });
  return [
    { value: median(ratios), unit: 'ratio', ...(least && { target: { least } }) },
    { part: 'rate', value: rate, unit: 'requests/s' },
    { part: 'p99', value: calm.p99, unit: 'ms', ...(most && { target: { most } }) },
  ];
}

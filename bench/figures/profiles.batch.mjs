import { compareSingle, single, startSender } from '../meanwhile.mjs';
import { median } from '../numbers.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const MEGABYTE = 1_000_000;

/**
 * New profiles in batches: how many per second, how much memory, and how much slower single requests become.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function profilesBatch(bench) {
  const inOne = bench.quick ? 1000 : 50_000;
  const count = inOne * (bench.quick ? 2 : 6);
  const store = await createStore(bench);
  const usher = await startUsher(bench, store);

  const before = await usher.memory();
  const sender = await startSender(bench, { port: usher.port, from: 0, count, inOne, again: false });
  const rates = await new Promise((resolve) => {
    /** @type {number[]} */
    const seen = [];
    sender.child.on('message', (/** @type {{ profiles: number, bytes: number, seconds: number }} */ batch) => {
      seen.push(batch.profiles / batch.seconds);
      bench.note(
        `${Math.round(batch.profiles / batch.seconds)} profiles/s, ${(batch.bytes / MEGABYTE).toFixed(1)} MB a batch`,
      );
      if (seen.length * inOne === count) resolve(seen);
    });
    sender.go();
  });
  await sender.stop();

  await single(bench, usher.port, count);
  const calm = await single(bench, usher.port, count);
  const senders = [];
  for (let n = 0; n < 2; n++)
    senders.push(await startSender(bench, { port: usher.port, from: n * inOne, count: inOne, inOne, again: true }));
  for (const one of senders) one.go();
  let most = 0;
  const watching = setInterval(async () => {
    most = Math.max(most, await usher.memory());
  }, 200);
  const busy = await single(bench, usher.port, count);
  clearInterval(watching);
  for (const one of senders) await one.stop();
  return [
    { value: median(rates), unit: 'profiles/s', target: { least: bench.engine === 'sqlite' ? 30_000 : 15_000 } },
    { part: 'memory', value: (most - before) / MEGABYTE, unit: 'MB' },
    ...compareSingle(calm, busy),
  ];
}

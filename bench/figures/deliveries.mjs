import { insertDeliveries } from '../deliveries.mjs';
import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { requestText, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

const FEW = 1000;

/**
 * Creates Deliveries, each for another user, and compares the time with that in an account that has many.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function deliveriesCreate(bench) {
  const many = bench.quick ? 5000 : 100_000;
  const at = bench.quick ? 200 : 1000;
  const rounds = bench.quick ? 2 : 9;
  const seconds = bench.quick ? 0.3 : 3;
  const profiles = many + (bench.quick ? 10_000 : 100_000);
  const withFew = await startWithDeliveries(bench, FEW, profiles);
  const withMany = await startWithDeliveries(bench, many, profiles);
  for (const account of [withFew, withMany]) await account.create({ count: at, seconds: 60 });

  // The two alternate with few requests each, so that the account with few Deliveries still has few.
  const ratios = [];
  for (let round = 1; round <= rounds; round++) {
    const some = await withFew.create({ count: at, seconds: 60 });
    const more = await withMany.create({ count: at, seconds: 60 });
    ratios.push(some / more);
    bench.note(`round ${round} of ${rounds}: ${Math.round(more)} a second against ${Math.round(some)}`);
  }
  const rates = [];
  for (let round = 0; round < 3; round++) rates.push(await withMany.create({ seconds }));
  const target = bench.engine === 'sqlite' ? { least: 5000 } : undefined;
  return [
    { part: 'rate', value: median(rates), unit: 'requests/s', ...(target && { target }) },
    { part: 'existing', value: median(ratios), unit: 'ratio', target: { most: 1.2 } },
  ];
}

/**
 * Starts Usher with this many Deliveries, and users without any.
 * @param {import('../harness.mjs').Bench} bench
 * @param {number} count
 * @param {number} profiles
 */
async function startWithDeliveries(bench, count, profiles) {
  const store = await createStore(bench);
  const first = await startUsher(bench, store);
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
  const made = await first.post('/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' }, 201);
  const model_id = JSON.parse(made).tour.id;
  await first.stop();
  await insertProfiles(bench, store, profiles);
  await insertDeliveries(bench, store, model_id, count);
  const { port } = await startUsher(bench, store);
  let next = count;
  const request = () =>
    requestText('POST', '/v3/edit/deliveries', { model_kind: 'tour', model_id, uid: `user-${next++}`, until: '+30d' });
  return {
    /** @param {{ count?: number, seconds: number }} load */
    create: async (load) => (await drive({ port, request, status: 201, ...load })).perSecond,
  };
}

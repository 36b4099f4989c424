import { performance } from 'node:perf_hooks';
import { compareSingle, single } from '../meanwhile.mjs';
import { median } from '../numbers.mjs';
import { insertProfiles } from '../profiles.mjs';
import { startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

/**
 * Counting a Segment of a million profiles, and how much slower single requests become.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function profilesCount(bench) {
  const rows = bench.quick ? 3000 : 1_000_000;
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertProfiles(bench, store, rows);
  const usher = await startUsher(bench, store);
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  const { segment } = JSON.parse(await usher.post('/v3/edit/segments', { name: 'On the pro plan', items }, 201));
  const count = async () => {
    const start = performance.now();
    const { count } = JSON.parse(await usher.get(`/v3/analyze/profiles/count?segment_id=${segment.id}`));
    if (count !== Math.floor((rows + 1) / 3)) throw new Error(`Counted ${count} of ${rows}`);
    return (performance.now() - start) / 1000;
  };
  await count();
  const times = [];
  for (let round = 0; round < 5; round++) times.push(await count());
  bench.note(`counted in ${times.map((time) => time.toFixed(2)).join(', ')} s`);

  await single(bench, usher.port, rows);
  const calm = await single(bench, usher.port, rows);
  let over = false;
  const counting = (async () => {
    while (!over) await count();
  })();
  const busy = await single(bench, usher.port, rows);
  over = true;
  await counting;
  return [
    { value: median(times), unit: 's', target: { most: 1.5 } },
    ...compareSingle(calm, busy),
    ...(bench.engine === 'postgres' ? await plans(bench, store) : []),
  ];
}

/**
 * Counts the most common searches for profiles that use an index on PostgreSQL: all of them must.
 * @param {import('../harness.mjs').Bench} bench
 * @param {import('../store.mjs').Store} store
 */
async function plans(bench, store) {
  const connection = await store.connect();
  try {
    const [account] = await connection.run('select id from accounts');
    const conditions = {
      uid: `profiles.uid = 'user-77'`,
      email: `profiles.email_key = 'user77@example.com'`,
      property: `profiles.custom @> '{"name":"Some Name 77"}'::jsonb`,
      last_seen_at: 'profiles.last_seen_at > 1600000999000',
    };
    let found = 0;
    for (const [name, condition] of Object.entries(conditions)) {
      const rows = await connection.run(
        `explain select * from profiles where profiles.account_id = '${account?.id}' and ${condition} order by id desc limit 51`,
      );
      const plan = rows.map((row) => String(row['QUERY PLAN']));
      bench.note(`by ${name}:\n${plan.map((line) => `      ${line}`).join('\n')}`);
      const index = /(?:profiles_account_id_uid_key|profiles_by_\w+)/.exec(plan.join('\n'))?.[0];
      if (index) found += 1;
    }
    return [{ part: 'indexed', value: found, unit: 'of 4', target: { least: 4 } }];
  } finally {
    await connection.close();
  }
}

import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { idAt, insertRows, numbers, onBoth } from '../rows.mjs';
import { requestText, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';
import { urlId as changeId } from '../urls.mjs';

const ON_A_PAGE = 100;
/** One of this many Changes is of the goal; all others are of the name. */
const GOALS = 100;
const FIRST_SECOND = 1_600_000_000;
const TOUR = 'a'.repeat(24);

/**
 * How much longer the last page of a long feed takes than the first one: of all Changes, and of the Changes of a rare
 * property.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function changesDepth(bench) {
  const pages = bench.quick ? 100 : 10_000;
  // One row is left after the last page, so that it is a page like the first: full, with more behind it.
  const rows = pages * ON_A_PAGE + 1;
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertRows(bench, store, 'changes', rows, changes);
  await insertRows(bench, store, 'change_properties', rows, properties);
  const usher = await startUsher(bench, store);

  const all = `/v3/edit/changes?limit=${ON_A_PAGE}`;
  const rare = `/v3/edit/changes?limit=${bench.quick ? 10 : ON_A_PAGE}&filters=goal,title`;
  const paths = [
    all,
    `${all}&before=${changeId(ON_A_PAGE + 1)}`,
    rare,
    `${rare}&before=${changeId((bench.quick ? 10 : ON_A_PAGE) * GOALS + 1)}`,
  ];
  await expectPage(usher, paths[0], rows - 1);
  await expectPage(usher, paths[1], ON_A_PAGE);
  await expectPage(usher, paths[3], (bench.quick ? 10 : ON_A_PAGE) * GOALS);

  const requests = paths.map((path) => Buffer.from(requestText('GET', path)));
  const load = { port: usher.port, status: 200, connections: 1, seconds: 120 };
  const request = (/** @type {number} */ n) => /** @type {Buffer} */ (requests[n % 4]);
  await drive({ ...load, request, count: 200 });
  const { latencies } = await drive({ ...load, request, count: bench.quick ? 200 : 4000 });
  const [first, last, rareFirst, rareLast] = [0, 1, 2, 3].map((at) => median(latencies.filter((_, n) => n % 4 === at)));
  return [
    { value: Number(last) / Number(first), unit: 'ratio', target: { most: 1.2 } },
    { part: 'filtered', value: Number(rareLast) / Number(rareFirst), unit: 'ratio', target: { most: 1.2 } },
    { part: 'first', value: Number(first), unit: 'ms' },
    { part: 'last', value: Number(last), unit: 'ms' },
  ];
}

/**
 * @param {{ get: (path: string) => Promise<string> }} usher
 * @param {string | undefined} path
 * @param {number} newest the number of the row that the page begins with
 */
async function expectPage(usher, path, newest) {
  const { changes, cursor } = JSON.parse(await usher.get(String(path)));
  const right = changes[0]?.id === changeId(newest) && changes.at(-1).id === cursor.before;
  if (!right) throw new Error(`${path} is not the page that begins with ${changeId(newest)}: it has ${changes[0]?.id}`);
}

const id = (/** @type {'sqlite' | 'postgres'} */ engine) => idAt[engine](`${FIRST_SECOND}000 + n`);

const changes = onBoth(
  (account, engine, from, to) => `
    insert into changes (account_id, id, write_id, experience_id, model_id, model_type, kind, op, path, object, options, admin_id)
    select '${account}', made, made, '${TOUR}', '${TOUR}', 'Campaign', 'update', 'update', 'model',
      '{"name":["Welcome","Welcome aboard"]}', '{"capture_id":[null,null]}', (select id from admins limit 1)
    from (select ${id(engine)} as made from ${numbers[engine](from, to)} as numbered) as made_of_them`,
);
const properties = onBoth(
  (account, engine, from, to) => `
    insert into change_properties (account_id, property, change_id, experience_id)
    select '${account}', case when n % ${GOALS} = 0 then 'goal' else 'name' end, ${id(engine)}, '${TOUR}'
    from ${numbers[engine](from, to)} as numbered`,
);

import { createStore } from '../../bench/store.mjs';
import { findHistoryProblems } from '../deliveries/check.mjs';
import { Clients } from '../deliveries/clients.mjs';
import { checkTheChecker } from '../deliveries/faults.mjs';
import { Fleet, send } from '../deliveries/fleet.mjs';
import { openLists } from '../deliveries/lists.mjs';
import { createRandom } from '../deliveries/random.mjs';

const PROCESSES = { sqlite: 1, postgres: 4 };
const LIMIT = 4;
const OPERATIONS_A_KILL = 1000;
const MAX_EXAMPLES = 3;

/**
 * Many concurrent clients create, change, cancel, claim and clear Deliveries at random, while processes are killed. All
 * responses and all stored rows must be consistent.
 * @param {{ operations: number | undefined, seed: number | undefined }} options
 */
export function deliveriesAtRandom(options) {
  return async (/** @type {import('../../bench/harness.mjs').Bench} */ bench) => {
    const operations = options.operations ?? (bench.quick ? 2000 : 100_000);
    const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
    const kills = Math.ceil(operations / OPERATIONS_A_KILL);
    bench.note(`seed ${seed}; the checker judged ${checkTheChecker()} test histories correctly`);

    const store = await createStore(bench);
    const fleet = new Fleet(bench, store);
    // The first process creates the tables, the account and its secret.
    await fleet.start(1);
    const prepared = await prepare(fleet);
    await fleet.stop();
    await fleet.start(PROCESSES[bench.engine]);
    const lists = await openLists(bench, store);
    const clients = new Clients({
      ...{ fleet, lists, operations, kills, killEvery: OPERATIONS_A_KILL / 2, seed, note: bench.note, limit: LIMIT },
      ...prepared,
    });
    await clients.run();
    const rows = await lists.deliveries();

    const triggered = rows.flatMap(({ id, at }) => (at === null ? [] : { id, at }));
    const observedTriggers = [...clients.observedTriggers, ...triggered];
    const history = { limit: LIMIT, operations: clients.operations, observedTriggers, rows };
    const problems = [...clients.problems, ...findHistoryProblems(history)];
    printProblems(problems, bench.note);
    const unknown = clients.operations.filter(({ status }) => status === undefined).length;
    return [
      { part: 'broken', value: problems.length, unit: 'invariants', target: { most: 0 } },
      { part: 'requests', value: clients.operations.length, unit: 'requests' },
      { part: 'unknown', value: unknown, unit: 'requests' },
      { part: 'unavailable', value: clients.unavailable, unit: 'requests' },
      { part: 'kills', value: fleet.kills, unit: 'kills' },
      { part: 'created', value: rows.length, unit: 'Deliveries' },
      { part: 'triggers', value: triggered.length, unit: 'Deliveries' },
      { part: 'compared', value: clients.compared, unit: 'lists' },
      { part: 'read', value: clients.read, unit: 'lists' },
    ];
  };
}

/**
 * @param {import('../deliveries/check.mjs').Problem[]} problems
 * @param {(text: string) => void} note
 */
function printProblems(problems, note) {
  for (const name of new Set(problems.map(({ invariant }) => invariant))) {
    const found = problems.filter(({ invariant }) => invariant === name);
    note(`${name}: ${found.length} times`);
    for (const { what } of found.slice(0, MAX_EXAMPLES)) note(`  ${what}`);
  }
}

/**
 * Creates two tours that can be delivered, one of them for paying users only.
 * @param {Fleet} fleet
 */
async function prepare(fleet) {
  const [member] = await fleet.pick(createRandom(1), 1);
  if (!member) throw new Error('No process runs');
  const request = async (/** @type {[string, string, unknown?]} */ ...what) => {
    const outcome = await send(member, ...what);
    if (outcome?.status !== 200 && outcome?.status !== 201)
      throw new Error(`${what[1]} returned ${outcome?.status}: ${JSON.stringify(outcome?.body)}`);
    return outcome.body;
  };
  const { account } = await request('PATCH', '/v3/edit/account', { delivery_ids_limit: LIMIT });
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  const { segment } = await request('POST', '/v3/edit/segments', { name: 'Paying', items });
  const steps = [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }];
  const tours = [];
  for (const segment_ids of [[], [segment.id]]) {
    const content = { name: 'Welcome', steps, segment_ids, published_at: '$now' };
    const { tour } = await request('POST', '/v3/edit/tours', content);
    tours.push(String(tour.id));
  }
  return { token: String(account.token), tours };
}

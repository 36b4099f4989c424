// Simulates a day of page loads on many nodes with Citus, from what one page load costs: npm run bench -- --only workers.
//
// node bench/scale.mjs                                       a billion page loads a day
// node bench/scale.mjs --nodes 24 --database-nodes 12        with other sizes
// node bench/scale.mjs --help                                all flags, with their defaults
import { parseArgs } from 'node:util';
import { percentile } from './numbers.mjs';

/** @type {Record<string, [value: number, meaning: string]>} */
const flags = {
  loads: [1e9, 'page loads a day'],
  peak: [3, 'the busiest hour against the mean'],
  nodes: [6, 'nodes that run Usher'],
  cores: [8, 'workers of each node, one core each'],
  'node-ms': [0.41, 'processor time of a page load in Usher'],
  'database-nodes': [4, 'nodes of the database that have shards'],
  'database-cores': [8, 'cores of each'],
  'database-ms': [0.29, 'processor time of a page load in the database'],
  'coordinator-cores': [16, 'cores of the coordinator, which passes every statement on'],
  'coordinator-ms': [0.24, 'processor time of a page load in the coordinator'],
  'commit-ms': [1, 'time to flush a commit to the disk'],
  'wal-bytes': [939, 'bytes that a page load writes to the log of the database'],
  'disk-bytes': [79, 'bytes by which a page load makes the database grow'],
  'disk-mb': [500, 'megabytes a second that the disk of a database node writes'],
  shards: [128, 'shards of each table'],
  accounts: [20_000, 'accounts'],
  skew: [1, 'exponent of the sizes of accounts: the n-th largest has 1/n^skew of the largest'],
  connections: [8, 'connections of each worker to the database'],
  'account-kb': [300, 'memory of the published content of an account, in each worker'],
  seconds: [4, 'simulated seconds in each hour'],
  seed: [1, 'of the random numbers'],
};

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    ...Object.fromEntries(Object.keys(flags).map((name) => [name, { type: /** @type {const} */ ('string') }])),
  },
});
if (values.help) {
  for (const [name, [value, meaning]] of Object.entries(flags))
    console.log(`--${name.padEnd(18)}${String(value).padEnd(12)}${meaning}`);
  process.exit(0);
}
const of = (/** @type {string} */ name) => {
  const text = /** @type {Record<string, unknown>} */ (values)[name];
  const value = text === undefined ? flags[name]?.[0] : Number(text);
  if (value === undefined || !(value > 0)) throw new Error(`--${name} must be a number above 0, not "${text}"`);
  return value;
};

let state = of('seed') >>> 0;
/** Mulberry32: the same numbers in every run. */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const exponential = (/** @type {number} */ mean) => -mean * Math.log(1 - random());

/** Sizes of accounts, as a share of all page loads, and the database node of each: accounts are in shards by a hash. */
const accounts = of('accounts');
const cumulative = new Float64Array(accounts);
let sum = 0;
for (let n = 0; n < accounts; n++) {
  sum += 1 / (n + 1) ** of('skew');
  cumulative[n] = sum;
}
const shardOf = Uint32Array.from({ length: accounts }, () => Math.floor(random() * of('shards')));
const shareOf = (/** @type {number} */ n) => 1 / (n + 1) ** of('skew') / sum;
const databaseOf = (/** @type {number} */ account) => Number(shardOf[account]) % of('database-nodes');
function pickAccount() {
  const at = random() * sum;
  let [low, high] = [0, accounts - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(cumulative[middle]) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const mean = of('loads') / 86_400;
/** A wave over the day, with its highest point at 14 o'clock; its mean is 1. */
const flat = (/** @type {number} */ hour) => Math.max(0, Math.cos(((hour - 14) / 12) * Math.PI)) ** 2;
const heights = Array.from({ length: 24 }, (_, hour) => flat(hour));
const base = (24 - heights.reduce((a, b) => a + b, 0) * spread()) / 24;
function spread() {
  const total = heights.reduce((a, b) => a + b, 0);
  return (of('peak') - 1) / (1 - total / 24);
}
const rateAt = (/** @type {number} */ hour) => mean * Math.max(0.05, base + spread() * Number(heights[hour]));

/** A machine with some cores: a request takes the core that is free first. */
class Machine {
  /** @param {number} cores */
  constructor(cores) {
    this.free = new Float64Array(cores);
    this.busy = 0;
  }
  /** Returns when the work is done. @param {number} at @param {number} work */
  run(at, work) {
    let first = 0;
    for (let core = 1; core < this.free.length; core++)
      if (Number(this.free[core]) < Number(this.free[first])) first = core;
    const end = Math.max(at, Number(this.free[first])) + work;
    this.free[first] = end;
    this.busy += work;
    return end;
  }
}

/**
 * Simulates some seconds at this rate. Requests come at random. The proxy sends each to one of the nodes in turn, and there to a
 * worker in turn; then it goes through the coordinator, and its account decides about the database node.
 * @param {number} rate
 * @param {{ nodes: number, databases: number }} running
 */
function simulate(rate, { nodes, databases }) {
  const seconds = of('seconds');
  const workers = Array.from({ length: nodes * of('cores') }, () => new Machine(1));
  const coordinator = new Machine(of('coordinator-cores'));
  const stores = Array.from({ length: databases }, () => new Machine(of('database-cores')));
  const latencies = [];
  let count = 0;
  for (let at = exponential(1000 / rate); at < seconds * 1000; at += exponential(1000 / rate)) {
    const worker = /** @type {Machine} */ (workers[count++ % workers.length]);
    const parsed = worker.run(at, exponential(of('node-ms')));
    // When a database node is gone, its standby, or another node, takes over its shards.
    const store = /** @type {Machine} */ (stores[databaseOf(pickAccount()) % databases]);
    const routed = coordinator.run(parsed, exponential(of('coordinator-ms')));
    latencies.push(store.run(routed, exponential(of('database-ms'))) + of('commit-ms') - at);
  }
  const part = (/** @type {Machine[]} */ machines, /** @type {number} */ cores) =>
    machines.map(({ busy }) => busy / (seconds * 1000 * cores));
  const inStores = part(stores, of('database-cores'));
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    node: part(workers, 1).reduce((a, b) => a + b, 0) / workers.length,
    coordinator: coordinator.busy / (seconds * 1000 * of('coordinator-cores')),
    database: inStores.reduce((a, b) => a + b, 0) / inStores.length,
    hottest: Math.max(...inStores),
  };
}

const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`.padStart(9);
const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US');
const all = { nodes: of('nodes'), databases: of('database-nodes') };
const row = (
  /** @type {string} */ name,
  /** @type {number} */ rate,
  /** @type {ReturnType<typeof simulate>} */ result,
) =>
  console.log(
    `${name.padEnd(24)}${whole(rate).padStart(9)}${percent(result.node)}${percent(result.coordinator)}${percent(result.database)}${percent(result.hottest)}${result.p50.toFixed(1).padStart(9)}${result.p99.toFixed(1).padStart(9)}${Math.max(result.node, result.coordinator, result.hottest) > 1 ? '   saturated' : ''}`,
  );

console.log(
  `${whole(of('loads'))} page loads a day: ${whole(mean)} a second on average, ${whole(mean * of('peak'))} at the peak\n`,
);
console.log(
  [
    'hour'.padEnd(24),
    ...['a second', 'nodes', 'coord.', 'db.', 'hottest', 'p50 ms', 'p99 ms'].map((name) => name.padStart(9)),
  ].join(''),
);
for (let hour = 0; hour < 24; hour += 2) row(`${hour}:00`, rateAt(hour), simulate(rateAt(hour), all));
const peak = mean * of('peak');
row('peak', peak, simulate(peak, all));
row('peak, a node down', peak, simulate(peak, { ...all, nodes: Math.max(1, all.nodes - 1) }));
row('peak, a database down', peak, simulate(peak, { ...all, databases: Math.max(1, all.databases - 1) }));

/** How many times the peak each kind of node can take. */
const workers = of('nodes') * of('cores');
const shares = new Array(of('database-nodes')).fill(0);
for (let n = 0; n < accounts; n++) shares[databaseOf(n)] += shareOf(n);
const hottest = Math.max(...shares);
const largest = shareOf(0);
const storeRate = (1000 * of('database-cores')) / of('database-ms');
const limits = [
  { what: 'the workers', times: (1000 * workers) / of('node-ms') / peak },
  { what: 'the coordinator: its processor', times: (1000 * of('coordinator-cores')) / of('coordinator-ms') / peak },
  { what: 'the hottest database node: its processor', times: storeRate / (peak * hottest) },
  {
    what: 'the hottest database node: its disk, by the log',
    times: (of('disk-mb') * 1e6) / (peak * hottest * of('wal-bytes')),
  },
  { what: 'the largest account, alone on a database node', times: storeRate / (peak * largest) },
].sort((one, other) => one.times - other.times);
const inFlight = (peak * (of('coordinator-ms') + of('database-ms') + of('commit-ms'))) / 1000;
console.log(`
What is full first, as a multiple of the peak:`);
for (const { what, times } of limits) console.log(`  ${times.toFixed(1).padStart(5)}   ${what}`);
console.log(`
Log of the database      ${whole((of('loads') * of('wal-bytes')) / 1e9)} GB a day, ${whole((peak * of('wal-bytes')) / 1e6)} MB/s at the peak
Growth of the database   ${whole((of('loads') * of('disk-bytes')) / 1e9)} GB a day
Statements in flight     ${whole(inFlight)} at the peak, of ${whole(workers * of('connections'))} connections to the coordinator
Published content        ${whole((Math.min(accounts, 1000) * of('account-kb')) / 1e3)} MB in each worker, ${whole((Math.min(accounts, 1000) * of('account-kb') * of('cores')) / 1e6)} GB in each node
Largest account          ${(100 * largest).toFixed(1)} % of all page loads, ${whole(largest * peak)} a second at the peak; one database node can take ${whole(storeRate)}`);

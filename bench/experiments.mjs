import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

/*
 * npm run bench:experiments                 simulated experiments that somebody looks at every day: how often they are wrong
 * npm run bench:experiments -- --quick      a tenth of them
 * npm run bench:experiments -- --seed 7     other random numbers
 *
 * An A/A test has two arms that are alike, and is wrong if any daily look finds a difference. An A/B test is wrong if the interval of any
 * daily look does not contain the true difference. Arms are drawn by the rule of page loads, and people reach the goal at random.
 */

/** @typedef {{ name: string, tests: number, days: number, people: number, rates: [number, number], shares: number[], sums?: boolean }} Plan */

/** @type {any} */
let rules;
/** @type {() => number} */
let random;

/** @type {Plan[]} */
const alike = [
  { name: 'half of the people', tests: 4000, days: 60, people: 200, rates: [0.1, 0.1], shares: [50, 50] },
  { name: 'a rare goal', tests: 2000, days: 60, people: 300, rates: [0.01, 0.01], shares: [50, 50] },
  { name: 'a frequent goal', tests: 2000, days: 60, people: 100, rates: [0.7, 0.7], shares: [50, 50] },
  { name: 'a tenth of the people', tests: 1000, days: 60, people: 400, rates: [0.05, 0.05], shares: [90, 10] },
  { name: 'sums of money', tests: 1000, days: 60, people: 300, rates: [0.1, 0.1], shares: [50, 50], sums: true },
];
/** @type {Plan[]} */
const different = [
  { name: 'half of the people', tests: 400, days: 60, people: 200, rates: [0.1, 0.13], shares: [50, 50] },
  { name: 'a rare goal', tests: 200, days: 60, people: 500, rates: [0.01, 0.015], shares: [50, 50] },
  { name: 'a small difference', tests: 200, days: 60, people: 200, rates: [0.4, 0.41], shares: [50, 50] },
  { name: 'a tenth of the people', tests: 100, days: 60, people: 400, rates: [0.05, 0.08], shares: [90, 10] },
  { name: 'sums of money', tests: 100, days: 60, people: 300, rates: [0.1, 0.12], shares: [50, 50], sums: true },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, seed: { type: 'string', default: '1' } } });
  const results = await simulateExperiments({ size: values.quick ? 0.1 : 1, seed: Number(values.seed) });
  for (const result of results) report(result);
}

/**
 * @param {{ size: number, seed: number }} options
 * @returns {Promise<import('./harness.mjs').Result[]>}
 */
export async function simulateExperiments({ size, seed }) {
  rules = await loadRules();
  random = createRandom(seed);
  const aa = runAll('A/A', alike, size);
  const ab = runAll('A/B', different, size);
  const wrongRatio = (aa.wrongRatio + ab.wrongRatio) / (aa.tests + ab.tests);
  return [
    { part: 'aa.rejected', value: aa.rejected / aa.tests, unit: 'share', target: { most: 0.05 } },
    { part: 'ab.covered', value: 1 - ab.missed / ab.tests, unit: 'share', target: { least: 0.95 } },
    { part: 'ratio.rejected', value: wrongRatio, unit: 'share', target: { most: 0.001 } },
  ];
}

/**
 * @param {string} kind
 * @param {Plan[]} plans
 * @param {number} size
 */
function runAll(kind, plans, size) {
  const sum = { tests: 0, rejected: 0, missed: 0, wrongRatio: 0 };
  for (const plan of plans) {
    const tests = Math.ceil(plan.tests * size);
    const found = { rejected: 0, missed: 0, wrongRatio: 0 };
    for (let test = 0; test < tests; test++) {
      const { rejected, missed, wrongRatio } = simulate(plan);
      found.rejected += Number(rejected);
      found.missed += Number(missed);
      found.wrongRatio += Number(wrongRatio);
    }
    const percent = (/** @type {number} */ count) => `${((100 * count) / tests).toFixed(2)} %`;
    console.log(
      `${kind}, ${plan.name}: ${tests} experiments, ${percent(found.rejected)} found a difference, ${percent(found.missed)} missed the true one`,
    );
    sum.tests += tests;
    sum.rejected += found.rejected;
    sum.missed += found.missed;
    sum.wrongRatio += found.wrongRatio;
  }
  return sum;
}

/** @param {Plan} plan */
function simulate({ days, people, rates, shares, sums = false }) {
  const { compareSamples, hasWrongRatio, pickVariant } = rules;
  const variants = shares.map((share, at) => ({ id: String(at), name: String(at), experience_id: String(at), share }));
  const samples = shares.map(() => ({ count: 0, sum: 0, squares: 0 }));
  // The mean of the log-normal distribution from which values are drawn.
  const truth = (rates[1] - rates[0]) * (sums ? Math.exp(3 + 1 / 2) : 1);
  const found = { rejected: false, missed: false, wrongRatio: false };
  for (let day = 0; day < days; day++) {
    for (let person = 0; person < people; person++) {
      const at = Number(pickVariant(variants, random()).id);
      samples[at].count++;
      if (random() >= rates[at]) continue;
      const value = sums ? Math.exp(3 + gaussian()) : 1;
      samples[at].sum += value;
      samples[at].squares += value * value;
    }
    const difference = compareSamples(samples[0], samples[1]);
    if (difference && (difference.low > 0 || difference.high < 0)) found.rejected = true;
    if (difference && (difference.low > truth || difference.high < truth)) found.missed = true;
    if (hasWrongRatio([{ counts: samples.map(({ count }) => count), shares }])) found.wrongRatio = true;
  }
  return found;
}

/** @param {import('./harness.mjs').Result} result */
function report({ part, value, unit, target = {} }) {
  const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = target;
  const isOk = value <= most && value >= least;
  const limit = Number.isFinite(most) ? `≤ ${most}` : `≥ ${least}`;
  console.log(`experiments.${part} ${value.toFixed(4)} ${unit} ${limit} ${isOk ? 'ok' : 'short'}`);
  if (!isOk) process.exitCode = 1;
}

function gaussian() {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * Random numbers that a seed repeats (mulberry32).
 * @param {number} seed
 */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The rules are those of the server, which are TypeScript. */
async function loadRules() {
  const folder = fileURLToPath(new URL('../domain/src/experiments/', import.meta.url));
  const names = ['sequential-interval', 'sample-ratio', 'variants'];
  const contents = names.map((name) => `export * from './${name}.ts';`).join('\n');
  const stdin = { contents, resolveDir: folder, loader: /** @type {const} */ ('js') };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false });
  const text = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${text}`);
}

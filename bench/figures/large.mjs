import { performance } from 'node:perf_hooks';
import {
  createInstallation,
  installationSizes,
  lastDays,
  nestedFilters,
  untilSegmentsCounted,
} from '../installation.mjs';
import { DAYS, whoSawTour } from '../installation-rows.mjs';
import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { databaseSeconds, processSeconds } from '../processor-time.mjs';
import { createStore } from '../store.mjs';
import { urlId as profileId } from '../urls.mjs';
import { visitsOf } from './visits.mjs';

/** @typedef {import('../installation.mjs').Installation} Installation */

/**
 * @typedef {object} Operation
 * @property {(at: Installation, n: number) => Promise<unknown>} run once; it returns what the server has responded
 * @property {number} [most] how many times as much processor time it may take in the large installation
 * @property {number} [times] how often it is run at most, if it uses something up
 * @property {(at: Installation) => number} [per] divides the costs, if the response itself is larger
 */

/** The dashboard counts people for at most this long. Then it says that there are more. */
const COUNT_MS = 2000;
const ROUNDS = 3;

/**
 * Everything that should not depend on the number of users, and what may: in an installation with 10,000 profiles and in one
 * with a million.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function large(bench) {
  const { small, large: many } = installationSizes(bench);
  const few = await createInstallation(bench, await createStore(bench), small);
  const more = await createInstallation(bench, await createStore(bench), many);
  const results = [
    { part: 'profiles.small', value: small, unit: 'profiles' },
    { part: 'profiles', value: many, unit: 'profiles' },
  ];
  for (const [table, { rows, bytes }] of Object.entries(more.sizes))
    results.push({ part: `bytes.${table}`, value: Math.round(bytes / rows), unit: 'bytes/row' });
  const all = Object.values(more.sizes).reduce((sum, { bytes }) => sum + bytes, 0);
  results.push({ part: 'bytes', value: Math.round(all / many), unit: 'bytes/profile' });

  const meter = await createMeter(bench, more);
  results.push(...(await compare(bench, 'page load', { most: 1.2, measure: loadPages(bench) }, few, more, meter)));
  for (const [name, operation] of Object.entries(operations)) {
    const measure = repeat(bench, name, operation);
    results.push(...(await compare(bench, name, { ...operation, measure }, few, more, meter)));
    if (name === 'Segments page') for (const { usher } of [few, more]) await untilSegmentsCounted(usher);
  }
  return results;
}

const get = (/** @type {(at: Installation, n: number) => string} */ path) => ({
  run: (/** @type {Installation} */ at, /** @type {number} */ n) => at.usher.send('GET', path(at, n)),
});
const count = (/** @type {Installation} */ at, /** @type {object} */ params) =>
  at.usher.send('POST', '/v3/analyze/profiles/count', { ...params, without_test_users: true, within_ms: COUNT_MS });
const uidOf = (/** @type {Installation} */ at, /** @type {number} */ n) => `user-${whoSawTour(at.profiles, n)}`;

/** What deletes users comes last. @type {Record<string, Operation>} */
const operations = {
  'show tour': { ...get(({ tour }) => `/v3/edit/tours/${tour.id}`), most: 1.5 },
  'save tour': { run: ({ usher, tour }, n) => usher.send('PATCH', `/v3/edit/tours/${tour.id}`, changed(tour, n)) },
  'publish tour': {
    run: ({ usher, tour }, n) =>
      usher.send('PATCH', `/v3/edit/tours/${tour.id}`, { ...changed(tour, -n), published_at: '$now' }),
  },
  // The popular tour was saved last, so it is on the first page.
  'list 50': get(() => '/v3/edit/experiences?order=updated_at&limit=50'),
  'list 500': get(() => '/v3/edit/experiences?order=updated_at&limit=500'),
  'list with trends': get(() => '/v3/edit/experiences?order=updated_at&fields=list&trend=true&limit=50'),
  'list by users': get(() => '/v3/edit/experiences?order=started_count&fields=list&limit=50'),
  live: get(() => '/v3/analyze/live'),
  'results of tour': { ...get(({ tour }) => `/v3/analyze/tours/${tour.id}/stats?${lastDays(DAYS + 1)}`), most: 3 },
  'results of survey': {
    ...get(({ survey }) => `/v3/analyze/surveys/${survey.id}/stats?${lastDays(DAYS + 1)}`),
    most: 3,
  },
  problems: get(({ tour }) => `/v3/analyze/tours/${tour.id}/problems?${lastDays(DAYS + 1)}`),
  'responses CSV, by row': {
    ...get(({ survey }) => `/v3/analyze/responses.csv?id=${survey.id}&${lastDays(DAYS + 1)}`),
    per: ({ sizes }) => Number(sizes.responses?.rows),
  },
  'Segments page': get(() => '/v3/analyze/segments?limit=50'),
  'count Segments': {
    run: async (at) => {
      const texts = [];
      for (const segment_id of at.segments.slice(0, 10)) texts.push(await count(at, { segment_id }));
      return texts.join();
    },
  },
  'count nested': { run: (at) => count(at, { filters: nestedFilters }) },
  'audience, everybody': { run: ({ usher, tour }) => usher.send('POST', `/v3/edit/tours/${tour.id}/audience`, {}) },
  'audience, event': { run: ({ usher, targeted }) => usher.send('POST', `/v3/edit/tours/${targeted.id}/audience`, {}) },
  'publish check, everybody': get(({ tour }) => `/v3/edit/tours/${tour.id}/publish_check`),
  'publish check, event': get(({ targeted }) => `/v3/edit/tours/${targeted.id}/publish_check`),
  'translations progress': get(() => '/v3/edit/i18n'),
  'translations download': get(() => '/v3/edit/experiences/i18n.yaml?language=de'),
  'search by email': get((_, n) => `/v3/edit/profiles/search?text=user${1 + (n % 9)}`),
  'search, none found': get(() => '/v3/edit/profiles/search?text=unknown'),
  timeline: get((at, n) => `/v3/edit/profiles/${profileId(whoSawTour(at.profiles, n % (at.profiles / 2)))}/timeline`),
  clear: { run: (at, n) => at.usher.send('DELETE', `/v3/edit/profiles?uid=${uidOf(at, 2 * n)}`), times: 300 },
  forget: {
    run: (at, n) => at.usher.send('DELETE', `/v3/edit/profiles/forget?uid=${uidOf(at, 2 * n + 1)}`),
    most: 2,
    times: 300,
  },
  'delete Company': { run: (at, n) => at.usher.send('DELETE', `/v3/edit/company?uid=company-${n}`), times: 40 },
};

/**
 * Another title of the first step, as the dashboard saves it.
 * @param {Installation['tour']} tour
 * @param {number} n
 */
function changed(tour, n) {
  const [first, ...others] = tour.steps.map((/** @type {{ id: string }} */ { id }) => ({ id }));
  return { steps: [{ ...first, title: `Title ${n}` }, ...others] };
}

/** Runs an operation again and again for a while, and returns the milliseconds of each. @typedef {(at: Installation) => Promise<number[]>} Measure */

/**
 * @param {import('../harness.mjs').Bench} bench
 * @param {string} name
 * @param {Operation} operation
 * @returns {Measure}
 */
function repeat(bench, name, { run, times = Number.POSITIVE_INFINITY }) {
  const most = bench.quick ? Math.min(times, 5) : times;
  /** @type {Map<Installation, number>} */
  const counts = new Map();
  return async (at) => {
    const taken = [];
    const end = performance.now() + (bench.quick ? 50 : 1500);
    do {
      const n = (counts.get(at) ?? 0) + 1;
      counts.set(at, n);
      const start = performance.now();
      const text = String(await run(at, n));
      taken.push(performance.now() - start);
      if (n === 1 && text.includes('"is_complete":false'))
        bench.note(`${name}: the count of ${at.profiles} profiles ended before it was complete`);
    } while (performance.now() < end && taken.length < most);
    return taken;
  };
}

/**
 * Page loads of known users, and of one in twenty who is new, over eight connections.
 * @param {import('../harness.mjs').Bench} bench
 * @returns {Measure}
 */
function loadPages(bench) {
  return async (at) => {
    const request = visitsOf(at.token, at.profiles);
    const seconds = bench.quick ? 0.3 : 4;
    return (await drive({ port: at.usher.port, request, status: 200, seconds, connections: 8 })).latencies;
  };
}

/**
 * Measures an operation in both installations in turn, and returns the large one against the small one.
 * @param {import('../harness.mjs').Bench} bench
 * @param {string} part
 * @param {Pick<Operation, 'most' | 'per'> & { measure: Measure }} operation
 * @param {Installation} few
 * @param {Installation} more
 * @param {(at: Installation) => number} meter
 */
async function compare(bench, part, { most, per = () => 1, measure }, few, more, meter) {
  const once = async (/** @type {Installation} */ at) => {
    const before = meter(at);
    const taken = await measure(at);
    const cpu = (1000 * (meter(at) - before)) / taken.length / per(at);
    return { cpu, ms: median(taken) / per(at) };
  };
  const rounds = [];
  for (let round = 0; round < (bench.quick ? 1 : ROUNDS); round++)
    rounds.push({ small: await once(few), large: await once(more) });
  const of = (/** @type {(round: (typeof rounds)[number]) => number} */ value) => median(rounds.map(value));
  const show = (/** @type {'small' | 'large'} */ size) =>
    `${of((round) => round[size].ms).toPrecision(3)} ms, ${of((round) => round[size].cpu).toPrecision(3)} ms of a core`;
  bench.note(`${part}: ${show('small')}; in the large installation ${show('large')}`);
  return [
    {
      ...{ part, value: of(({ small, large }) => large.cpu / small.cpu), unit: 'ratio' },
      ...(most && { target: { most } }),
    },
    { part: `${part}.time`, value: of(({ small, large }) => large.ms / small.ms), unit: 'ratio' },
    { part: `${part}.ms`, value: of(({ large }) => large.ms), unit: 'ms' },
    { part: `${part}.cpu`, value: of(({ large }) => large.cpu), unit: 'ms of a core' },
  ];
}

/**
 * Reads the seconds of processor time that an installation has taken until now, on PostgreSQL with the database.
 * @param {import('../harness.mjs').Bench} bench
 * @param {Installation} of
 */
async function createMeter(bench, of) {
  if (bench.engine === 'sqlite') return (/** @type {Installation} */ { usher }) => processSeconds(usher.pid);
  const connection = await of.store.connect();
  await bench.cleanup.add(() => connection.close());
  const [row] = await connection.run('select pg_backend_pid() as pid');
  return (/** @type {Installation} */ { usher }) =>
    processSeconds(usher.pid) + databaseSeconds(Number(row?.pid)).database;
}

import { setTimeout as pause } from 'node:timers/promises';
import { experience, HOST, KINDS } from './figures/visits.mjs';
import { DAYS, fillInstallation } from './installation-rows.mjs';
import { SECRET, startUsher } from './servers.mjs';

const LIVE_HERE = 25;

/** @typedef {Awaited<ReturnType<typeof createInstallation>>} Installation */

/**
 * How many profiles a small and a large installation have.
 * @param {import('./harness.mjs').Bench} bench
 */
export function installationSizes(bench) {
  const given = Number(process.env.BENCH_PROFILES ?? 1_000_000);
  if (!(given >= 1000))
    throw new Error(`BENCH_PROFILES must be a number from 1000, not "${process.env.BENCH_PROFILES}"`);
  return bench.quick ? { small: 1000, large: 4000 } : { small: Math.min(10_000, given / 2), large: given };
}

/**
 * Fills an empty installation with users and what they have done in 90 days. What administrators make comes through the API
 * and has the same size in a small and in a large installation: 1,000 Experiences and 100 Segments. The rest is SQL: for
 * each 10 profiles there are 50 events, 5 users of one tour, 2 responses to a survey, and a Change.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store
 * @param {number} profiles
 */
export async function createInstallation(bench, store, profiles) {
  const first = await startUsher(bench, store);
  const content = await createContent(bench, first);
  await first.stop();
  const sizes = await fillInstallation(bench, store, profiles, { ...content, host: HOST });
  const usher = await startUsher(bench, store);
  await expectFilled(usher, profiles, content);
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  return { ...content, store, usher, profiles, sizes, token: String(account.token) };
}

/**
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./servers.mjs').Usher} usher
 */
async function createContent(bench, usher) {
  const counts = bench.quick ? { experiences: 30, segments: 20 } : { experiences: 1000, segments: 100 };
  const create = async (/** @type {string} */ path, /** @type {object} */ params) =>
    Object.values(JSON.parse(await usher.post(`/v3/edit/${path}`, params, 201)))[0];
  const live = { published_at: '$now' };
  await create('urls', { host: HOST, enabled: 'on' });
  const tour = await create('tours', {
    ...experience('tour', 0, [], '/dashboard/*'),
    ...live,
    name: 'The popular tour',
  });
  const survey = await create('surveys', { name: 'The survey', steps: questions, ...live });

  /** @type {string[]} */
  const segments = [];
  for (let n = 0; n < counts.segments; n++) {
    const items = segmentItems(n, tour.id, survey.id, segments);
    segments.push((await create('segments', { name: `Segment ${n}`, items })).id);
  }
  for (let n = 2; n < counts.experiences; n++) {
    const kind = KINDS[n % KINDS.length];
    const path = n < LIVE_HERE ? '/dashboard/*' : `/area-${n}/*`;
    await create(`${kind}s`, {
      ...experience(String(kind), n, [String(segments[n % segments.length])], path),
      ...live,
    });
    if (n % 100 === 0) bench.note(`${n} of ${counts.experiences} Experiences created`);
  }
  const forEvent = { segment_ids: [segments[2]], name: 'For an event' };
  const targeted = await create('tours', { ...experience('tour', 1, [], '/nowhere/*'), ...forEvent });
  await create('languages', { code: 'de' });
  await translate(usher);
  return { tour, survey, targeted, segments };
}

/**
 * A figure that measures an empty installation would look good.
 * @param {import('./servers.mjs').Usher} usher
 * @param {number} profiles
 * @param {{ tour: { id: string }, survey: { id: string } }} content
 */
async function expectFilled(usher, profiles, { tour, survey }) {
  const statsOf = async (/** @type {string} */ path) =>
    JSON.parse(await usher.send('GET', `/v3/analyze/${path}/stats?${lastDays(DAYS + 1)}`)).stats;
  const found = {
    profiles: JSON.parse(await usher.send('POST', '/v3/analyze/profiles/count', {})).count,
    'users of the tour': 2 * (await statsOf(`tours/${tour.id}`)).totals.displayed,
    'users who answered': 5 * (await statsOf(`surveys/${survey.id}`)).nps.count,
  };
  // One user of 1,000 is a test user, whom results do not count.
  for (const [name, count] of Object.entries(found))
    if (!(count > 0.99 * profiles && count <= profiles))
      throw new Error(`The installation has not the ${name} that were inserted: ${count} for ${profiles} profiles`);
}

/**
 * Waits until the Segments are not being counted in the background: that would be part of the next figure.
 * @param {import('./servers.mjs').Usher} usher
 */
export async function untilSegmentsCounted(usher) {
  while (JSON.parse(await usher.send('GET', '/v3/analyze/segments?limit=1')).counting !== null) await pause(50);
}

/** The parameters of the results of the last days. @param {number} days */
export function lastDays(days) {
  const date = (/** @type {number} */ ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  return `from=${date(days - 1)}&until=${date(0)}`;
}

const questions = [
  { title: 'How likely are you to recommend us?', preset: 'survey_nps' },
  { title: 'How was it?', preset: 'survey_two', buttons: [{ text: 'Good' }, { text: 'Bad' }] },
  { title: 'Why?', preset: 'survey_input' },
];

/**
 * Ten different shapes of Segments, in turn.
 * @param {number} n
 * @param {string} tour
 * @param {string} survey
 * @param {string[]} earlier
 */
function segmentItems(n, tour, survey, earlier) {
  const plan = { kind: 'property', prop: 'plan', op: 'eq', value: 'pro' };
  const seats = { kind: 'property', prop: 'seats', op: 'gte', value: n };
  const paid = { kind: 'event', value: 'paid' };
  const shapes = [
    [plan],
    [plan, seats],
    [paid],
    [{ kind: 'event', value: 'opened', mod: 'gte', range: 3 }],
    [{ kind: 'event', value: 'saved', cond: 'gt-d', int: 10 }],
    [{ kind: 'tour', value: tour, range: 'completed' }],
    [{ kind: 'survey', value: survey, mod: 'gte', range: 9 }],
    [{ kind: 'property', prop: 'company.size', op: 'gte', value: 10 }],
    nestedFilters,
    [{ kind: 'segment', value: earlier[0] }, seats],
  ];
  return shapes[n % shapes.length];
}

export const nestedFilters = [
  {
    kind: 'group',
    filters_op: 'or',
    filters: [
      {
        kind: 'group',
        filters_op: 'and',
        filters: [
          { kind: 'property', prop: 'plan', op: 'eq', value: 'pro' },
          { kind: 'property', prop: 'seats', op: 'gte', value: 50 },
        ],
      },
      { kind: 'event', value: 'paid' },
      { kind: 'property', prop: 'company.size', op: 'gte', value: 30 },
    ],
  },
  { kind: 'event', op: 'nx', value: 'exported' },
];

/**
 * Uploads the texts of all Experiences in a second language.
 * @param {import('./servers.mjs').Usher} usher
 */
async function translate(usher) {
  const file = await usher.send('GET', '/v3/edit/experiences/i18n.yaml?language=de');
  const translated = file.replaceAll(/text: "(.)/g, 'text: "Ä$1').replaceAll(' # not translated', '');
  const body = new FormData();
  body.append('file', new Blob([translated]), 'de.yaml');
  const address = `http://127.0.0.1:${usher.port}/v3/edit/i18n`;
  const response = await fetch(address, { method: 'POST', headers: { 'x-account-secret': SECRET }, body });
  if (!response.ok) throw new Error(`The upload returned ${response.status}: ${await response.text()}`);
}

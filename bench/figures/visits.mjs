import { compareWith } from '../compare.mjs';
import { drive } from '../load.mjs';
import { median } from '../numbers.mjs';
import { insertProfiles, PLANS } from '../profiles.mjs';
import { SECRET, startEcho, startUpdates, startUsher } from '../servers.mjs';
import { createStore } from '../store.mjs';

export const HOST = 'app.example.com';
export const KINDS = /** @type {const} */ (['tour', 'survey', 'launcher', 'tooltip', 'embed']);
const SEGMENTS = 20;
/** One of this many visits is of a new user. */
const NEW_EVERY = 20;
/** Different paths of the pages that are loaded, for the figure that records them. */
const PATHS = 1200;

/**
 * Compares page loads with a minimal server: on SQLite a JSON echo, on PostgreSQL one update per request.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function visits(bench) {
  const known = bench.quick ? 2000 : 100_000;
  const { usher, store, token } = await prepare(bench, known, 50, 25);
  const request = visitsOf(token, known);
  const response = await typicalResponse(usher.port, request);
  bench.note(`a response has ${JSON.stringify(response).length} bytes and ${response.experiences.length} Experiences`);
  if (bench.engine === 'sqlite') {
    const echo = await startEcho(bench, { status: 200, response });
    return compareWith(bench, echo, usher, { request, status: 200, least: 0.5, most: 10 });
  }
  const connection = await store.connect();
  const [account] = await connection.run('select id from accounts');
  await connection.close();
  const what = { url: String(store.env.DATABASE_URL), account: String(account?.id), count: known, response };
  const updates = await startUpdates(bench, what);
  return compareWith(bench, updates, usher, { request, status: 200, least: 0.5 });
}

/**
 * Returns a response of median length, because responses differ from user to user.
 * @param {number} port
 * @param {(n: number) => Buffer} request
 */
async function typicalResponse(port, request) {
  const responses = [];
  for (let n = 0; n < 61; n++) responses.push(await visit(port, request(n)));
  responses.sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  return /** @type {(typeof responses)[number]} */ (responses[30]);
}

/**
 * How much slower page loads are with a million profiles than with a thousand.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function visitsProfiles(bench) {
  const many = bench.quick ? 5000 : 1_000_000;
  const few = await prepare(bench, 1000, 50, 25);
  const more = await prepare(bench, many, 50, 25);
  const all = [
    { usher: few.usher, request: visitsOf(few.token, 1000) },
    { usher: more.usher, request: visitsOf(more.token, many) },
  ];
  return [{ value: await slowdown(bench, all), unit: 'ratio', target: { most: 1.25 } }];
}

/**
 * The same with a thousand live Experiences against ten. Five of them are for the page, in both cases.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function visitsExperiences(bench) {
  const few = await prepare(bench, 1000, 10, 5);
  const more = await prepare(bench, 1000, bench.quick ? 50 : 1000, 5);
  const all = [few, more].map(({ usher, token }) => ({ usher, request: visitsOf(token, 1000) }));
  return [{ value: await slowdown(bench, all), unit: 'ratio', target: { most: 3 } }];
}

/**
 * How much slower page loads are if the paths that people visit are recorded. There are as many paths as an account may record in a
 * day, and some more.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function visitsPaths(bench) {
  const without = await prepare(bench, 1000, 50, 25);
  await without.usher.post('/v3/edit/account', { record_paths: false }, 200, 'PATCH');
  const recorded = await prepare(bench, 1000, 50, 25);
  const all = [without, recorded].map(({ usher, token }) => ({ usher, request: visitsOf(token, 1000, PATHS) }));
  const value = await slowdown(bench, all);
  await expectPaths(without.usher, false);
  await expectPaths(recorded.usher, true);
  return [{ value, unit: 'ratio', target: { most: 1.05 } }];
}

/**
 * How much slower page loads are if a theme with two variations is the default. One of them has a merge tag.
 * @param {import('../harness.mjs').Bench} bench
 */
export async function visitsThemes(bench) {
  const without = await prepare(bench, 1000, 50, 25);
  const themed = await prepare(bench, 1000, 50, 25);
  const colors = {
    style_color_background: 'fbf8f1',
    style_color_text: '2f2b24',
    style_color_button_highlight: '1f5f4a',
  };
  const variation = (/** @type {string} */ value, /** @type {object} */ overrides) => ({
    ...{ name: value, overrides, filters: [{ kind: 'property', prop: 'plan', op: 'eq', value }] },
  });
  const variations = [
    variation(String(PLANS[0]), { style_radius: '12' }),
    variation(String(PLANS[1]), { style_color_button_highlight: '{{brand_color | fallback: "#3b48cc"}}' }),
  ];
  const theme = { name: 'Brand', default: true, published_at: '$now', ...colors, style_radius: '4', variations };
  await themed.usher.post('/v3/edit/themes', theme, 201);
  const all = [without, themed].map(({ usher, token }) => ({ usher, request: visitsOf(token, 1000) }));
  const [plain, styled] = await Promise.all(all.map(({ usher, request }) => typicalResponse(usher.port, request)));
  if (plain?.themes || !styled?.themes) throw new Error('themes are not as expected');
  return [{ value: await slowdown(bench, all), unit: 'ratio', target: { most: 1.1 } }];
}

/**
 * @param {{ get: (path: string) => Promise<string> }} usher
 * @param {boolean} expected
 */
async function expectPaths(usher, expected) {
  const { paths } = JSON.parse(await usher.get('/v3/analyze/paths'));
  if (paths.length > 0 !== expected) throw new Error(`${paths.length} paths are recorded`);
}

/**
 * Measures two servers. They alternate, so that other load on the machine affects both.
 * @param {import('../harness.mjs').Bench} bench
 * @param {{ usher: { port: number }, request: (n: number) => Buffer }[]} all
 */
async function slowdown(bench, all) {
  const rounds = bench.quick ? 2 : 7;
  const seconds = bench.quick ? 0.3 : 3;
  const rate = async (/** @type {number} */ at) => {
    const { usher, request } = /** @type {(typeof all)[number]} */ (all[at]);
    return (await drive({ port: usher.port, request, status: 200, seconds })).perSecond;
  };
  await rate(0);
  await rate(1);
  const ratios = [];
  for (let round = 1; round <= rounds; round++) {
    const [less, more] = [await rate(0), await rate(1)];
    ratios.push(less / more);
    bench.note(`round ${round} of ${rounds}: ${Math.round(more)} a second against ${Math.round(less)}`);
  }
  return median(ratios);
}

/**
 * Starts Usher with this many known users, live Experiences of every kind, Segments, and a domain.
 * @param {import('../harness.mjs').Bench} bench
 * @param {number} profiles
 * @param {number} experiences
 * @param {number} here how many of them are for the page that is loaded
 */
export async function prepare(bench, profiles, experiences, here) {
  const store = await createStore(bench);
  await (await startUsher(bench, store)).stop();
  await insertProfiles(bench, store, profiles);
  const usher = await startUsher(bench, store);
  await usher.post('/v3/edit/urls', { host: HOST, enabled: 'on' }, 201);
  const segments = [];
  for (let n = 0; n < SEGMENTS; n++) {
    const items = [
      { kind: 'property', prop: 'plan', op: 'in-v', value: PLANS.slice(0, 1 + (n % PLANS.length)) },
      { kind: 'property', prop: 'seats', op: 'gte', value: n },
    ];
    const created = await usher.post('/v3/edit/segments', { name: `Segment ${n}`, items }, 201);
    segments.push(JSON.parse(created).segment.id);
  }
  for (let n = 0; n < experiences; n++) {
    const kind = KINDS[n % KINDS.length];
    const path = n < here ? '/dashboard/*' : `/area-${n}/*`;
    const content = experience(String(kind), n, [segments[n % SEGMENTS]], path);
    await usher.post(`/v3/edit/${kind}s`, { ...content, published_at: '$now' }, 201);
  }
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  return { store, usher, token: account.token };
}

/**
 * @param {string} kind
 * @param {number} n
 * @param {string[]} segment_ids
 * @param {string} url
 */
export function experience(kind, n, segment_ids, url) {
  const quantifier_urls = [{ url, match_type: 'simple' }];
  const common = { name: `${kind} ${n}`, segment_ids };
  if (kind === 'launcher') {
    const items = [{ kind: 'url', title: 'Read the guide', url: 'https://example.com/guide' }];
    return { ...common, title: 'Help', quantifier_urls, items };
  }
  const element = { position_type: 'snap_to_element', elements: [{ selector: '#report' }] };
  const step = {
    title: `Hello {{first_name | fallback: "there"}}, this is ${n}`,
    body: 'Here is what you can do **in this place**, in a sentence or two, and why it is good for you.',
    quantifier_urls,
    ...(kind === 'survey' && { preset: 'survey_two' }),
    ...(kind === 'tooltip' && element),
    ...(kind === 'embed' && { ...element, position_type: 'inline' }),
    buttons: [
      { text: 'Next', tour_action: 'next' },
      { text: 'Not now', tour_action: 'exit' },
    ],
  };
  const steps = kind === 'tour' ? [step, { ...step, title: 'And this' }, { ...step, title: 'And that' }] : [step];
  return { ...common, steps };
}

/**
 * Page loads of known users, and of one in twenty who is new.
 * @param {string} token
 * @param {number} known
 * @param {number} [paths] of different pages
 * @returns {(n: number) => Buffer}
 */
export function visitsOf(token, known, paths = 1) {
  const run = Math.random().toString(36).slice(2);
  let count = 0;
  return () => {
    const n = count++;
    const uid = n % NEW_EVERY === 0 ? `new-${run}-${n}` : `user-${(n * 7919) % known}`;
    const body = JSON.stringify({
      account_token: token,
      uid,
      properties: { plan: PLANS[((n * 7919) % known) % PLANS.length] },
      href: `https://${HOST}/dashboard/reports${paths > 1 ? `/report-${n % paths}` : ''}?tab=${n % 7}`,
      browser: { x: 1440, tz: -8, l: 'pt-BR', n: 'chrome', k: 'desktop' },
    });
    return Buffer.from(
      `POST /v3/observe/visits HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://${HOST}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}

/**
 * @param {number} port
 * @param {Buffer} request
 */
async function visit(port, request) {
  const [, body = ''] = request.toString().split('\r\n\r\n');
  const headers = { origin: `https://${HOST}`, 'content-type': 'text/plain', 'x-account-secret': SECRET };
  const response = await fetch(`http://127.0.0.1:${port}/v3/observe/visits`, { method: 'POST', headers, body });
  const content = await response.json();
  if (response.status !== 200) throw new Error(`A visit returned ${response.status}: ${JSON.stringify(content)}`);
  return /** @type {{ experiences: unknown[], themes?: object }} */ (content);
}

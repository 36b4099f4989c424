import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { visit } from '../../../../test/visiting.ts';

/*
 * Random drafts of ten Experiences, random users and random pages. The explanation of each draft and of what is live is
 * compared with real page loads: one before the draft is published, and one after. Then a tour or survey that shows is started, or
 * its Delivery is claimed, and the user loads another page. All explanations and the queue are compared with that page load, too.
 */

/** A case is two page loads and a publish, about 0.1 s on SQLite, so only `npm run test:all` has time for all of them. */
const CASES = process.env.USHER_TEST_MODE === 'all' ? 1000 : randomRuns(100);
const HOUR = 60 * 60_000;
const USERS = 12;
const kinds = [
  'tour',
  'tour',
  'tour',
  'survey',
  'survey',
  'launcher',
  'launcher',
  'tooltip',
  'embed',
  'embed',
] as const;

let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
let segments: string[];
let environments: string[];
let experiences: string[];
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  environments = [
    await add('url_groups', 'url_group', { name: 'A' }),
    await add('url_groups', 'url_group', { name: 'B' }),
  ];
  await addHosts();
  for (let number = 0; number < USERS; number++) await addUser(number);
  segments = await addSegments();
  experiences = [];
  for (const [index, kind] of kinds.entries())
    experiences.push(await add(`${kind}s`, kind, { name: `Experience ${index}`, ...contentOf(kind, [], []) }));
  const some = experiences.slice(0, 3);
  await add('limit_groups', 'limit_group', { name: 'All', max_count: 3, period_hours: 24 });
  await add('limit_groups', 'limit_group', { name: 'Some', max_count: 1, period_hours: 48, experience_ids: some });
}, 120_000);
afterAll(() => api.stop());

async function add(path: string, key: string, params: object): Promise<string> {
  const { status, body } = await api.post(`/v3/edit/${path}`, params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[key].id;
}

async function addHosts(): Promise<void> {
  const [first, second] = environments;
  await add('urls', 'url', { host: 'a.example.com', enabled: 'on', url_group_id: first });
  await add('urls', 'url', { host: 'b.example.com', enabled: 'on', url_group_id: second });
  await add('urls', 'url', { host: 'free.example.com', enabled: 'on' });
  await add('urls', 'url', { host: 'off.example.com', enabled: 'off' });
  await add('urls', 'url', { host: 'old.example.com', enabled: 'on', archived_at: '$now' });
  await add('urls', 'url', { host: 'wide.example.org', enabled: 'subdomain', url_group_id: first });
}

/** Every user differs from the others, and one is switched off. */
async function addUser(number: number): Promise<void> {
  const user = {
    uid: `user ${number}`,
    plan: ['free', 'pro', 'team'][number % 3],
    seats: number,
    ...(number % 2 === 0 && { email: `user${number}@example.com` }),
    ...(number % 4 === 0 && { company: { uid: `company ${number % 3}`, size: number } }),
    ...(number === USERS - 1 && { disabled: true }),
  };
  const { status } = await api.post('/v3/observe/hooks/profiles', user);
  expect(status).toBe(200);
  if (number % 5 === 0) await api.post('/v3/observe/hooks/events', { uid: user.uid, name: 'Paid' });
}

async function addSegments(): Promise<string[]> {
  const property = (prop: string, op: string, value: unknown) => ({ kind: 'property', prop, op, value });
  const made = [];
  for (const [index, items] of [
    [property('plan', 'eq', 'pro')],
    [property('seats', 'gt', 5)],
    [property('company.size', 'gt', 4)],
    [property('last_seen_session_count', 'lt', 6)],
    [property('last_seen_at', 'lt-d', 1)],
    [property('percent', 'lt', 60)],
    [{ kind: 'event', op: 'ex', value: 'paid' }],
  ].entries())
    made.push(await add('segments', 'segment', { name: `Segment ${index}`, items }));
  const items = [{ kind: 'segment', op: 'nx', value: made[0] }];
  return [...made, await add('segments', 'segment', { name: 'Not pro', items })];
}

function contentOf(kind: string, first: readonly object[], second: readonly object[]): object {
  if (kind === 'launcher')
    return { title: 'Help', items: [{ kind: 'url', title: 'Docs', url: '/docs' }], quantifier_urls: first };
  const place = { elements: [{ selector: 'main' }] };
  const step = {
    title: 'Hello',
    snooze_hours: 200,
    quantifier_urls: first,
    ...(kind === 'survey' && { preset: 'survey_nps' }),
    ...(kind === 'tooltip' && { ...place, position_type: 'snap_to_element' }),
    ...(kind === 'embed' && { ...place, position_type: 'inline' }),
  };
  const more = kind === 'tour' ? [{ title: 'Then', snooze_hours: 200, quantifier_urls: second }] : [];
  return { steps: [step, ...more] };
}

const url = fc.oneof(
  fc.constantFrom('/home', '/settings/*', 'a.example.com/*', '/home?tab=x', '*').map((url) => ({ url })),
  fc.constantFrom('/home', 'b.example.com/*').map((url) => ({ url, match_type: 'inverse_simple' })),
  fc.constantFrom('^https://[ab]\\.', 'settings/\\w+$').map((url) => ({ url, match_type: 'regex' })),
);
const urls = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(url, { maxLength: 2 }) },
);
const rarely = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
const some = (count: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 3 }) },
  );

const host = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a.example.com', 'b.example.com', 'free.example.com', 'wide.example.org') },
  { weight: 1, arbitrary: fc.constantFrom('off.example.com', 'old.example.com', 'else.example.net') },
  { weight: 1, arbitrary: fc.nat(200).map((number) => `s${number}.wide.example.org`) },
);
const path = fc.constantFrom('/home', '/home?tab=x', '/settings/team', '/settings/team#top');

const randomCase = fc.record({
  experience: fc.nat(kinds.length - 1),
  user: fc.nat(USERS - 1),
  host,
  path,
  /** The page that the user goes to in the middle of a tour. */
  next: fc.record({ host, path, minutes: fc.constantFrom(1, 1, 1, 100) }),
  urls,
  laterUrls: urls,
  segments: some(8),
  any: fc.boolean(),
  excluded: rarely(some(8), []),
  environments: rarely(some(2), []),
  style: rarely(fc.constantFrom('manual'), 'auto'),
  position: fc.nat(3),
  repeatDays: fc.constantFrom(null, 0, 1),
  experiment: rarely(
    fc.record({ range: fc.constantFrom('0-50', '30-100', '0-0'), hours: fc.constantFrom(-1, 1) }),
    null,
  ),
  unlimited: fc.boolean(),
  untilHours: rarely(fc.constantFrom(-1, 1), null),
  archived: rarely(fc.boolean(), false),
  hours: fc.constantFrom(0, 0.2, 1, 2, 30),
  report: fc.constantFrom(null, 'started', 'started', 'started', 'completed', 'exited', 'snoozed'),
  /** The step that is seen last. */
  step: fc.nat(1),
  /** Who starts it. */
  group_kind: fc.constantFrom('campaign', 'api_js'),
  delivery: fc.option(fc.record({ use_segmentation: fc.boolean(), skip_url_match: fc.boolean(), once: fc.boolean() }), {
    freq: 3,
  }),
});
type RandomCase = typeof randomCase extends fc.Arbitrary<infer Case> ? Case : never;

const timeIn = (hours: number | null) => (hours === null ? null : new Date(now + hours * HOUR).toISOString());

function draftOf(one: RandomCase): Record<string, unknown> {
  const kind = kinds[one.experience] as string;
  return {
    ...contentOf(kind, one.urls, one.laterUrls),
    ...((kind === 'tour' || kind === 'survey') && { style: one.style }),
    segment_ids: one.segments.map((index) => segments[index]),
    segments_op: one.any ? 'or' : 'and',
    excluded_segment_ids: one.excluded.map((index) => segments[index]),
    url_group_ids: one.environments.map((index) => environments[index]),
    position: one.position,
    repeat_days: one.repeatDays,
    experiment_at: timeIn(one.experiment?.hours ?? null),
    experiment_range: one.experiment?.range ?? null,
    rate_unlimit_at: timeIn(one.unlimited ? -1 : null),
    published_until: timeIn(one.untilHours),
    archived_at: timeIn(one.archived ? -1 : null),
  };
}

describe('explanations', () => {
  it(
    'agree with real page loads before and after the draft is published',
    async () => {
      const seen = { shows: 0, not: 0, continued: 0, waiting: 0, delivered: 0, rules: new Set<string>() };
      for (const one of fc.sample(randomCase, CASES)) {
        now += 1 + Math.round(one.hours * HOUR);
        const { draft, live, page, isDelivered } = await explainAndVisit(one);
        for (const { automatic, waiting, step_id } of page.experiences ?? []) {
          if (waiting) seen.waiting++;
          else if (automatic && step_id) seen.continued++;
        }
        if (isDelivered) seen.delivered++;
        seen[draft.shows ? 'shows' : 'not']++;
        for (const { rule } of [...draft.reasons, ...(live?.reasons ?? [])]) seen.rules.add(rule);
      }
      if (CASES < 100) return;
      expect(Math.min(seen.continued, seen.waiting, seen.delivered)).toBeGreaterThan(CASES / 50);
      if (CASES < 1000) return;
      // The cases are no use if nearly all of them are alike.
      expect(Math.min(seen.shows, seen.not)).toBeGreaterThan(CASES / 8);
      const rules = ['page', 'disabled', 'live', 'environment', 'url', 'manual', 'segments', 'excluded'];
      expect([...seen.rules]).toEqual(
        expect.arrayContaining([...rules, 'experiment', 'snoozed', 'seen', 'limit', 'another']),
      );
    },
    20 * 60_000,
  );
});

interface Showing {
  shows: boolean;
  reasons: { rule: string; message: string; field: string | null }[];
}

interface Explained {
  draft: Showing;
  live: Showing | null;
  /** Whether its Delivery was ready. */
  isDelivered: boolean;
  /** The next page load. */
  page: Partial<LoadedPage>;
}

async function explainAndVisit(one: RandomCase): Promise<Explained> {
  const kind = kinds[one.experience] as string;
  const id = experiences[one.experience] as string;
  const path = `/v3/edit/${kind}s/${id}`;
  const uid = `user ${one.user}`;
  const href = `https://${one.host}${one.path}`;
  const draft = draftOf(one);
  const hasEnded = one.untilHours !== null && one.untilHours < 0;
  // A published Experience must end after it begins, so such an end is saved in a draft only.
  if (hasEnded) await api.patch(path, { published_at: null });
  const saved = await api.patch(path, draft);
  expect([saved.status, saved.body.messages]).toEqual([200, undefined]);
  const exclusive = kind === 'tour' || kind === 'survey';
  if (one.delivery && exclusive)
    await api.post('/v3/edit/deliveries', { model_kind: kind, model_id: id, uid, ...one.delivery });
  const response = await api.post(`${path}/explanations`, { uid, href });
  expect([response.status, response.body.messages]).toEqual([200, undefined]);
  const { explanation } = response.body;
  const shownNow = async () => {
    const { status, body } = await visit(api, { uid, href });
    expect([200, 403]).toContain(status);
    return { shows: listShown(body).includes(id), body };
  };
  const context = { ...one, draft, explanation };
  // A page load may drop a Delivery, and then the next page load differs.
  if (!one.delivery) {
    const { shows } = await shownNow();
    expect({ ...context, live: shows }).toEqual({ ...context, live: explanation.live?.shows ?? false });
  }
  const published = await api.patch(path, { published_at: '$now' });
  expect(published.status).toBe(hasEnded ? 422 : 200);
  const { shows, body } = await shownNow();
  expect({ ...context, shows }).toEqual({ ...context, shows: explanation.draft.shows });
  expect(explanation.draft.shows).toBe(explanation.draft.reasons.length === 0);
  if (shows && body.visit && one.report) await report(body, one, id, href);
  const { deliveries = [] }: Partial<LoadedPage> = body;
  const isDelivered = deliveries.some(({ ready, model_id }) => ready && model_id === id);
  return { ...explanation, isDelivered, page: await visitNext(one, uid, context) };
}

async function visitNext({ next }: RandomCase, uid: string, context: object): Promise<Partial<LoadedPage>> {
  now += next.minutes * 60_000;
  const href = `https://${next.host}${next.path}`;
  const explained = await explainAll(uid, href);
  const { body } = await visit(api, { uid, href });
  if (body.visit) expect({ ...context, ...explained }).toEqual({ ...context, ...listAll(body) });
  return body;
}

interface LoadedPage {
  visit: { token: string };
  deliveries: { id: string; model_id: string; ready: boolean }[];
  experiences: { id: string; automatic: boolean; waiting?: boolean; step_id?: string; steps?: { id: string }[] }[];
}

/** What a page shows: what is delivered, and what starts automatically. */
function listShown({ deliveries = [], experiences = [] }: Partial<LoadedPage>): string[] {
  const delivered = deliveries.filter(({ ready }) => ready).map(({ model_id }) => model_id);
  const automatic = experiences.filter((one) => one.automatic && !one.waiting).map(({ id }) => id);
  return [...new Set([...delivered, ...automatic])];
}

const listAll = (page: LoadedPage) => {
  const shown = listShown(page);
  return { explained: [...shown].sort(), queued: shown };
};

/** What the explanation of a page load and the queue of the user say would show. */
async function explainAll(uid: string, href: string) {
  const explained = await api.post('/v3/observe/visits', { uid, href, explain: true });
  const { profile } = (await api.get(`/v3/analyze/profile?uid=${encodeURIComponent(uid)}`)).body;
  const { queue } = (await api.post(`/v3/edit/profiles/${profile.id}/queue`, { href })).body;
  const shown = (explained.body.explanations ?? [])
    .filter((one: Showing) => one.shows)
    .map((one: { id: string }) => one.id);
  return {
    explained: [...shown].sort(),
    queued: [...new Set(queue.next.map((one: { experience: { id: string } }) => one.experience.id))],
  };
}

/** Reports as a page does: it claims a Delivery, starts at the first step, goes on to the last one that is seen, and ends. */
async function report({ visit, deliveries, experiences }: LoadedPage, one: RandomCase, id: string, href: string) {
  const delivery = deliveries.find(({ ready, model_id }) => ready && model_id === id);
  const steps = experiences.find((experience) => experience.id === id)?.steps ?? [];
  const step_id = steps[Math.min(one.step, steps.length - 1)]?.id;
  const shared = { visit_token: visit.token, experience_id: id, href };
  const by = delivery ? { delivery_id: delivery.id } : { group_kind: one.group_kind };
  const reports = [
    { state: 'started', ...by },
    ...(step_id ? [{ step_id }] : []),
    ...(one.report === 'started' ? [] : [{ state: one.report, ...by }]),
  ];
  for (const item of reports) {
    const { status, body } = await api.post('/v3/observe/interactions', { ...shared, ...item }, { as: null });
    expect([status, body.messages]).toEqual([200, undefined]);
  }
}

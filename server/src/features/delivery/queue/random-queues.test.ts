import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { visit } from '../../../../test/visiting.ts';

/*
 * Random Experiences, users, Deliveries and pages. Before each page load the queue of the user is read, and compared with what
 * the page load then returns.
 */

const CASES = process.env.USHER_TEST_MODE === 'all' ? 500 : randomRuns(60);
const HOUR = 60 * 60_000;
const USERS = 4;
const kinds = ['tour', 'tour', 'tour', 'survey', 'survey', 'launcher', 'tooltip'] as const;

let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
let segments: string[];
let environment: string;
let experiences: string[];
const users: { id: string; uid: string }[] = [];
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  environment = await add('url_group', { name: 'A' });
  await add('url', { host: 'a.example.com', enabled: 'on', url_group_id: environment });
  await add('url', { host: 'free.example.com', enabled: 'on' });
  await add('url', { host: 'off.example.com', enabled: 'off' });
  await add('url', { host: 'wide.example.org', enabled: 'subdomain' });
  for (let number = 0; number < USERS; number++) users.push(await addUser(`user ${number}`, number));
  const property = (prop: string, op: string, value: unknown) => ({ kind: 'property', prop, op, value });
  segments = [];
  for (const item of [
    property('plan', 'eq', 'pro'),
    property('last_seen_session_count', 'lt', 4),
    property('percent', 'lt', 60),
    { kind: 'event', op: 'ex', value: 'paid' },
  ])
    segments.push(await add('segment', { name: 'Segment', items: [item] }));
  experiences = [];
  for (const [index, kind] of kinds.entries())
    experiences.push(await add(kind, { name: `Experience ${index}`, published_at: '$now', ...contentOf(kind, []) }));
  await add('limit_group', { name: 'All', max_count: 3, period_hours: 24 });
  await add('limit_group', { name: 'Some', max_count: 1, period_hours: 4, experience_ids: experiences.slice(0, 2) });
}, 120_000);
afterAll(() => api.stop());

async function add(kind: string, params: object): Promise<string> {
  const { status, body } = await api.post(`/v3/edit/${kind}s`, params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

async function addUser(uid: string, number: number): Promise<{ id: string; uid: string }> {
  const disabled = number === USERS - 1 && { disabled: true };
  const user = { uid, plan: ['free', 'pro'][number % 2], ...disabled };
  const { status, body } = await api.post('/v3/observe/hooks/profiles', user);
  expect(status).toBe(200);
  if (number % 3 === 0) await api.post('/v3/observe/hooks/events', { uid, name: 'Paid' });
  return { id: body.profile.id, uid };
}

function contentOf(kind: string, quantifier_urls: readonly object[]): object {
  if (kind === 'launcher')
    return { title: 'Help', items: [{ kind: 'url', title: 'Docs', url: '/docs' }], quantifier_urls };
  const step = {
    title: 'Hello',
    snooze_hours: 200,
    quantifier_urls,
    ...(kind === 'survey' && { preset: 'survey_nps' }),
    ...(kind === 'tooltip' && { elements: [{ selector: 'main' }], position_type: 'snap_to_element' }),
  };
  return { steps: [step] };
}

const rarely = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
const hours = fc.constantFrom(null, null, -1, 0, 2, 30);
const randomCase = fc.record({
  experience: fc.nat(kinds.length - 1),
  user: fc.nat(USERS - 1),
  /** Users who never loaded a page. */
  isNew: rarely(fc.constant(true), false),
  host: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a.example.com', 'free.example.com', 'free.example.com') },
    { weight: 1, arbitrary: fc.constantFrom('off.example.com', 'else.example.net') },
    { weight: 1, arbitrary: fc.nat(100).map((number) => `s${number}.wide.example.org`) },
  ),
  path: fc.constantFrom('/home', '/settings/team'),
  urls: rarely(
    fc.constantFrom('/home', '/settings/*').map((url) => [{ url }]),
    [],
  ),
  segments: rarely(fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 2 }), []),
  inEnvironment: rarely(fc.boolean(), false),
  style: rarely(fc.constantFrom('manual'), 'auto'),
  position: fc.nat(3),
  repeatDays: fc.constantFrom(null, 0, 1),
  isPublished: rarely(fc.constant(false), true),
  hours: fc.constantFrom(0, 0, 0.2, 0.2, 1, 30),
  report: fc.constantFrom(null, 'started', 'started', 'completed', 'exited', 'snoozed'),
  delivery: fc.option(
    fc.record({
      use_segmentation: fc.boolean(),
      skip_url_match: fc.boolean(),
      once: fc.boolean(),
      from: hours,
      length: fc.constantFrom(null, 0, 3),
      delivery_ids_position: fc.constantFrom('first', 'last'),
    }),
    { freq: 3 },
  ),
});
type RandomCase = typeof randomCase extends fc.Arbitrary<infer Case> ? Case : never;

const timeIn = (hours: number | null) => (hours === null ? null : new Date(now + hours * HOUR).toISOString());

interface QueueItem {
  experience: { id: string };
  delivery_id: string | null;
  why: string;
  reasons: { rule: string }[];
}

describe('the queue', () => {
  it(
    'is what real page loads return',
    async () => {
      const seen = { next: new Set<string>(), rules: new Set<string>(), limits: 0, snoozes: 0, problems: 0 };
      for (const one of fc.sample(randomCase, CASES)) {
        now += 1 + Math.round(one.hours * HOUR);
        const queue = await checkCase(one);
        for (const { why } of queue.next) seen.next.add(why);
        for (const { rule } of queue.rest.flatMap(({ reasons }: QueueItem) => reasons)) seen.rules.add(rule);
        seen.limits += queue.limits.filter(({ is_reached }: { is_reached: boolean }) => is_reached).length;
        seen.snoozes += queue.snoozes.length;
        if (queue.problem !== null) seen.problems++;
      }
      if (CASES < 60) return;
      // The cases are no use if nearly all of them are alike.
      expect([...seen.next].sort()).toEqual(['always', 'automatic', 'delivery', 'in_progress']);
      expect([...seen.rules]).toEqual(expect.arrayContaining(['page', 'seen', 'another', 'limit', 'segments', 'from']));
      expect(Math.min(seen.limits, seen.snoozes, seen.problems)).toBeGreaterThan(0);
    },
    10 * 60_000,
  );
});

async function checkCase(one: RandomCase) {
  const kind = kinds[one.experience] as string;
  const experienceId = experiences[one.experience] as string;
  const { id, uid } = one.isNew
    ? await addUser(`new ${now}`, one.user)
    : (users[one.user] as { id: string; uid: string });
  const saved = await api.patch(`/v3/edit/${kind}s/${experienceId}`, {
    ...contentOf(kind, one.urls),
    ...((kind === 'tour' || kind === 'survey') && { style: one.style }),
    segment_ids: one.segments.map((index) => segments[index]),
    url_group_ids: one.inEnvironment ? [environment] : [],
    position: one.position,
    repeat_days: one.repeatDays,
    published_at: one.isPublished ? '$now' : null,
  });
  expect([saved.status, saved.body.messages]).toEqual([200, undefined]);
  if (one.delivery && one.isPublished && (kind === 'tour' || kind === 'survey')) {
    const { from, length, ...options } = one.delivery;
    const times = { from: timeIn(from), until: length === null ? null : timeIn((from ?? 0) + length) };
    const params = { model_kind: kind, model_id: experienceId, uid, ...options, ...times };
    const { status, body } = await api.post('/v3/edit/deliveries', params);
    // Users who never loaded a page get none, and others have a limit.
    if (status !== 201) expect(body.messages.join()).toMatch(/never seen|pending/);
  }
  const href = `https://${one.host}${one.path}`;
  const response = await api.post(`/v3/edit/profiles/${id}/queue`, { href });
  expect([response.status, response.body.messages]).toEqual([200, undefined]);
  const { queue } = response.body;
  const { delivery_ids } = (await api.get(`/v3/analyze/profiles/${id}`)).body.profile;
  const page = await visit(api, { uid, href });
  compare(queue, delivery_ids, page);
  const [first] = queue.next.filter(({ why }: QueueItem) => why !== 'always');
  if (first && one.report) await report(page.body.visit.token, first, one.report, href);
  return queue;
}

type Loaded = Awaited<ReturnType<typeof visit>>;

function compare(
  queue: { problem: string | null; next: QueueItem[]; rest: QueueItem[] },
  pending: string[],
  page: Loaded,
) {
  const { next, rest } = queue;
  const byDelivery = (items: QueueItem[]) => items.flatMap(({ delivery_id }) => delivery_id ?? []);
  const automatic = next.flatMap(({ delivery_id, experience }) => (delivery_id === null ? experience.id : []));
  expect(rest.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
  expect([...byDelivery(next), ...byDelivery(rest)].sort()).toEqual([...pending].sort());
  const others = rest.filter(({ delivery_id }) => delivery_id === null).map(({ experience }) => experience.id);
  expect(others.filter((id) => next.some(({ experience }) => experience.id === id))).toEqual([]);
  expect(new Set(others).size).toBe(others.length);

  expect([200, 403]).toContain(page.status);
  if (page.status === 403) {
    expect(page.body.messages.join()).toContain((queue.problem ?? 'no problem').split(' ')[0]);
    expect(next).toEqual([]);
    return;
  }
  const loadedContents: { id: string; automatic: boolean; waiting?: boolean }[] = page.body.experiences;
  // What waits for its page, or for another to end, is in the rest with that reason.
  const waits = new Set(loadedContents.filter(({ waiting }) => waiting).map(({ id }) => id));
  for (const { experience, delivery_id, reasons } of rest)
    if (waits.has(experience.id) && delivery_id === null) expect(['another', 'url']).toContain(reasons[0]?.rule);
  const contents = loadedContents.filter(({ id }) => !waits.has(id));
  const deliveries: { id: string; ready: boolean }[] = page.body.deliveries;
  expect(byDelivery(next)).toEqual(deliveries.filter(({ ready }) => ready).map(({ id }) => id));
  const loaded = contents.filter(({ automatic }) => automatic).map(({ id }) => id);
  // Contents of Deliveries that begin later come first, also if they show automatically now.
  const isLater = contents.some(({ id }) => !next.some(({ experience }) => experience.id === id));
  if (isLater) expect([...loaded].sort()).toEqual([...automatic].sort());
  else expect(loaded).toEqual(automatic);
  for (const { experience } of next) expect(contents.map(({ id }) => id)).toContain(experience.id);
  const later = rest.filter(({ delivery_id }) => delivery_id !== null).map(({ experience }) => experience.id);
  for (const { id } of contents) expect([...next.map(({ experience }) => experience.id), ...later]).toContain(id);
}

async function report(visit_token: string, item: QueueItem, state: string, href: string): Promise<void> {
  const { experience, delivery_id } = item;
  const start = { visit_token, experience_id: experience.id, state: 'started', group_kind: 'campaign', href };
  const started = await api.post('/v3/observe/interactions', { ...start, delivery_id }, { as: null });
  expect([started.status, started.body.messages]).toEqual([200, undefined]);
  if (state === 'started') return;
  const { status } = await api.post('/v3/observe/interactions', { ...start, state }, { as: null });
  expect(status).toBe(200);
}

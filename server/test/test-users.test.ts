import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '../src/app.ts';
import { type Api, startApi } from './api.ts';
import { loadPage } from './open-page.ts';

/*
 * No number counts a test user. Every endpoint that reads is called three times: before the user came, after, and after
 * the user was marked as a test user. Responses that the user changed must be the same as before, except in the lists
 * of records below. So an endpoint that counts test users by mistake fails here without being named here.
 */

/** Endpoints that list or show records, with test users among them. */
const records = new Set([
  '/v3/analyze/interactions',
  '/v3/analyze/deliveries',
  '/v3/analyze/interactions/:id',
  '/v3/analyze/responses',
  '/v3/analyze/responses/:id',
  '/v3/analyze/responses.:format',
  '/v3/analyze/profiles',
  '/v3/analyze/profiles/:id',
  '/v3/analyze/profile',
  '/v3/edit/profiles/:id/timeline',
  '/v3/edit/profiles/:id/queue',
  '/v3/edit/profiles/search',
  '/v3/edit/profiles/:id',
  '/v3/edit/profiles/:id/export',
  // This endpoint counts what the search lists, unless `without_test_users` is sent.
  '/v3/analyze/profiles/count',
  '/v3/analyze/:kind/:id/steps/:step_id/texts',
  '/v3/analyze/test_users',
  '/v3/edit/audit_entries',
  '/v3/analyze/audit_entries',
  '/v3/analyze/audit_entries.:format',
  // These endpoints show samples of values, and which events there are.
  '/v3/edit/properties',
  '/v3/edit/event_names',
  '/v3/analyze/event_names',
  // This endpoint lists visited pages, without anything about the users.
  '/v3/analyze/paths',
]);
/** Endpoints whose responses change with time. */
const volatile = new Set(['/v3/analyze/health', '/v3/edit/picks/:id/events']);
const queries: Record<string, string[]> = {
  '/v3/edit/experiences': ['', 'trend=true', 'order=started_count'],
  '/v3/analyze/profiles/count': ['', 'without_test_users=true'],
};

const NOW = Date.UTC(2029, 3, 7, 12, 18);
const HREF = 'http://localhost:3000/home';
let api: Api;
let tour: Made;
let survey: Made;
let segment: string;
const clock = NOW;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
  const elements = [{ selector: '#new' }];
  tour = await make('tours', { steps: [{ title: 'Here', elements, position_type: 'snap_to_element' }] });
  survey = await make('surveys', {
    steps: [
      { title: 'How likely?', preset: 'survey_nps' },
      { title: 'Why?', preset: 'survey_input' },
    ],
  });
  const { body } = await api.post('/v3/edit/segments', { name: 'All', items: [], items_op: 'and' });
  segment = body.segment.id;
});
afterAll(() => api.stop());

interface Made {
  id: string;
  steps: { id: string }[];
}

async function make(kind: string, params: object): Promise<Made> {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: kind, published_at: '$now', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as Made;
}

/** Loads a page, and does everything there that is counted somewhere. */
async function use(uid: string, problem: boolean): Promise<string> {
  const page = await loadPage(api, uid);
  const send = async (params: object) => {
    const { status, body } = await page.report({ href: HREF, ...params });
    expect([status, body.messages]).toEqual([200, undefined]);
  };
  const [step] = tour.steps;
  if (problem) await send({ experience_id: tour.id, step_id: step?.id, problem: { reason: 'not_found' } });
  for (const params of [
    { state: 'displayed' },
    { state: 'started' },
    ...(problem ? [] : [{ step_id: step?.id }]),
    { state: 'completed' },
  ])
    await send({ experience_id: tour.id, ...params });
  const [nps, why] = survey.steps;
  for (const params of [
    { state: 'started' },
    { step_id: nps?.id, response: { value: '9' } },
    { step_id: why?.id, response: { input: `Because ${uid}` } },
    { state: 'exited' },
  ])
    await send({ experience_id: survey.id, ...params });
  expect((await page.track({ name: 'Signed up' })).status).toBeLessThan(300);
  return page.profile.id;
}

/** The responses of all endpoints that read, by path. */
async function readAll(): Promise<Map<string, unknown>> {
  const { account_id } = api.account;
  await api.app.pageCounts.flush(account_id);
  await api.app.visitedPaths.flush(account_id);
  await api.app.propertyRegistry.flush(account_id);
  await api.post('/v3/analyze/segments/count');
  const found = new Map<string, unknown>();
  for (const route of routes) {
    const method = route.methods.includes('GET') ? 'GET' : 'POST';
    if (method === 'POST' && !(route.methods.includes('POST') && route.permission === 'read')) continue;
    if (volatile.has(route.path) || route.forSession || route.runOpen) continue;
    const filled = pathsOf(route.path).flatMap((path) =>
      (queries[route.path] ?? ['']).map((query) => ({ path, query })),
    );
    for (const { path, query } of filled) {
      const { status, body, text } = await api.send(method, path, { query });
      expect([path, status < 500]).toEqual([path, true]);
      found.set(`${route.path} ${path} ${query}`, body ?? text);
    }
  }
  return found;
}

function pathsOf(path: string): string[] {
  const fill = (kind: string, id: string, step: string) =>
    path
      .replace(':kind', kind)
      .replace(':id', id)
      .replace(':step_id', step)
      .replace(':format', path.includes('/captures/') ? 'svg' : 'csv')
      .replace(':account_secret', api.account.account_secret)
      .replace(/:\w+/g, 'f'.repeat(24));
  if (path.includes('/segments/:id')) return [fill('', segment, '')];
  if (!path.includes(':id') && !path.includes(':kind')) return [fill('', '', '')];
  return [
    fill('tours', tour.id, tour.steps[0]?.id ?? ''),
    ...(path.includes(':kind') ? [fill('surveys', survey.id, survey.steps[1]?.id ?? '')] : []),
  ];
}

const changedSince = (before: Map<string, unknown>, after: Map<string, unknown>) =>
  [...after.keys()].filter((path) => !isDeepStrictEqual(before.get(path), after.get(path)));
const isNumber = (path: string) => !records.has(path.split(' ')[0] ?? '') || path.includes('without_test_users');

/**
 * The endpoints that show numbers of users. Each of them must change when a user comes, because otherwise this test
 * would prove nothing.
 */
const counting = [
  '/v3/analyze/:kind/:id/stats',
  '/v3/analyze/:kind/:id/days.:format',
  '/v3/analyze/:kind/:id/problems',
  '/v3/analyze/live',
  '/v3/edit/:kind',
  '/v3/edit/:kind/:id',
  '/v3/edit/:kind/:id/audience',
  '/v3/edit/experiences',
  '/v3/edit/experiences/:id',
];

it('shows the same numbers as if a test user had never come', async () => {
  for (const [index, uid] of ['ann', 'bob', 'cat'].entries()) await use(uid, index === 2);
  const before = await readAll();
  expect(changedSince(before, await readAll())).toEqual([]);

  const id = await use('tess', true);
  const counted = await readAll();
  const changed = changedSince(before, counted).filter(isNumber);
  const routesOf = (paths: string[]) => new Set(paths.map((path) => path.split(' ')[0]));
  for (const route of counting) expect([route, routesOf(changed).has(route)]).toEqual([route, true]);

  expect((await api.patch(`/v3/edit/profiles/${id}`, { test: true })).body).toEqual({
    profile: { id, test: true, is_test: true },
  });
  const marked = await readAll();
  for (const path of changed) expect([path, marked.get(path)]).toEqual([path, before.get(path)]);

  // The records are still there, and the numbers come back when the mark is removed.
  const { body } = await api.get('/v3/analyze/profiles');
  expect(body.profiles.map((profile: { uid: string }) => profile.uid)).toContain('tess');
  await api.patch(`/v3/edit/profiles/${id}`, { test: null });
  expect(changedSince(counted, await readAll()).filter(isNumber)).toEqual([]);
});

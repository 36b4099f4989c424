import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { loadPage } from '../../../../test/open-page.ts';
import { HOST, newUid, openDomain, visit } from '../../../../test/visiting.ts';

let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += 60_000;
  await api.replaceAccounts();
  await openDomain(api);
});

async function add(params: object): Promise<string> {
  const { status, body } = await api.post('/v3/edit/tours', { name: 'One', ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour.id;
}

async function check(id: string) {
  const { status, body } = await api.get(`/v3/edit/tours/${id}/publish_check`);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.publish_check;
}

const on = (url: string) => [{ title: 'Hello', quantifier_urls: [{ url }] }];
const codesOf = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

describe('the check before publishing', () => {
  it('lists the same problems as publishing, with their fields', async () => {
    const id = await add({
      steps: [{ title: 'Hello', buttons: [{ text: 'Go', additional_actions: ['cta_url'] }] }, {}],
    });
    const { problems } = await check(id);
    expect(problems.map(({ path }: { path: string }) => path)).toEqual([
      'steps.0.buttons.0.action_url',
      'steps.1.title',
    ]);
    const { status, body } = await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    expect([status, body.messages]).toEqual([422, problems.map(({ message }: { message: string }) => message)]);
  });

  it('has no problems exactly when publishing succeeds, and says what changes', async () => {
    const id = await add({ steps: on('/home') });
    const { problems, summary } = await check(id);
    expect(problems).toEqual([]);
    expect(summary).toEqual((await api.get(`/v3/edit/tours/${id}/changes/summary`)).body);
    expect((await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' })).status).toBe(200);
  });

  it('warns of a trigger that its people hardly meet, and of one that a manual start skips', async () => {
    const items = [{ kind: 'property', prop: 'browser_k', op: 'eq', value: 'mobile' }];
    const segment = (await api.post('/v3/edit/segments', { name: 'Phones', items })).body.segment.id;
    const leaves = { title: 'Hello', secondary_trigger: 'exit_intent' };
    const scrolls = { title: 'Read', secondary_trigger: 'scroll_percent', trigger_scroll_percent: 50 };
    const warned = async (params: object) =>
      (await check(await add(params))).warnings.filter(({ code }: { code: string }) => code === 'unlikely_trigger');
    expect(await warned({ steps: [scrolls, leaves], segment_ids: [segment] })).toEqual([
      {
        code: 'unlikely_trigger',
        message:
          'Step 2: its people use phones, which have no pointer: it shows after a fast swipe up, or when they come back to the tab',
        path: 'steps.1.secondary_trigger',
        experience_ids: [],
      },
    ]);
    expect(await warned({ steps: [leaves, scrolls], style: 'manual' })).toMatchObject([
      {
        message: 'Step 1: what starts a tour by hand starts it immediately, so it does not wait for anything',
        path: 'steps.0.secondary_trigger',
      },
    ]);
    expect(await warned({ steps: [leaves, scrolls] })).toEqual([]);
  });

  it('counts whom it reaches now and before', async () => {
    for (const plan of ['pro', 'free', 'free']) await api.post('/v3/observe/hooks/profiles', { uid: newUid(), plan });
    const id = await add({ steps: on('/home'), published_at: '$now' });
    const everybody = { now: 3, before: 3, is_complete: true, estimate: { now: 3, before: 3 } };
    expect((await check(id)).reach).toEqual(everybody);
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Pro', items })).body;
    await api.patch(`/v3/edit/tours/${id}`, { segment_ids: [segment.id] });
    const changed = await check(id);
    expect(changed.reach).toEqual({ ...everybody, now: 1, estimate: { now: 1, before: 3 } });
    expect(codesOf(changed)).toEqual([]);
  });

  it('warns of a draft for all users on every page', async () => {
    expect(codesOf(await check(await add({ steps: [{ title: 'Hello' }] })))).toEqual([
      'no_url_rule',
      'reaches_everyone',
    ]);
  });

  it('warns of texts without a translation', async () => {
    await api.post('/v3/edit/languages', { code: 'de' });
    const { warnings } = await check(await add({ steps: on('/home') }));
    expect(warnings).toContainEqual({
      code: 'untranslated',
      message: '1 of 1 texts are not translated into German (`de`)',
      path: 'translations.de',
      experience_ids: [],
    });
  });

  it('warns of an element that nobody has seen lately, until somebody sees it or a week has passed', async () => {
    const step = { title: 'Here', elements: [{ selector: '#new' }], position_type: 'snap_to_element' };
    const id = await add({ steps: [{ ...step }, { title: 'Anywhere' }], published_at: '$now' });
    const { tour } = (await api.get(`/v3/edit/tours/${id}`)).body;
    const report = async (params: object) => {
      const page = await loadPage(api, newUid(), { href: `https://${HOST}/` });
      const seen = { experience_id: id, step_id: tour.steps[0].id, href: `https://${HOST}/`, ...params };
      expect((await page.report(seen)).status).toBe(200);
    };
    const elementWarnings = async () =>
      (await check(id)).warnings.filter(({ code }: { code: string }) => code === 'element_not_seen');
    expect(await elementWarnings()).toEqual([]);
    await report({ problem: { reason: 'not_found' } });
    const message = 'No one saw step 1 in the last 7 days, because its element was not on the page';
    expect(await elementWarnings()).toEqual([
      { code: 'element_not_seen', message, path: 'steps.0.elements', experience_ids: [] },
    ]);
    now += 8 * 24 * 60 * 60_000;
    expect(await elementWarnings()).toEqual([]);
    await report({ problem: { reason: 'not_found' } });
    expect(await elementWarnings()).toHaveLength(1);
    await report({});
    expect(await elementWarnings()).toEqual([]);
  });

  it('warns of another Experience that comes first on a page that users visited', async () => {
    const other = await add({ name: 'Other', steps: on('/settings/*'), published_at: '$now' });
    const id = await add({ steps: on('/settings/team') });
    expect(codesOf(await check(id))).toEqual(['reaches_everyone']);
    await visit(api, { uid: newUid(), href: `https://${HOST}/settings/team` });
    expect((await check(id)).warnings).toContainEqual({
      code: 'others_first',
      message: 'On the same pages, others come first: “Other”',
      path: 'position',
      experience_ids: [other],
    });
    await api.patch('/v3/edit/experiences/order', { id, before_id: other });
    expect((await check(id)).warnings).toContainEqual({
      code: 'same_page',
      message: 'On the same pages, it comes before others: “Other”',
      path: 'position',
      experience_ids: [other],
    });
  });

  it.each([
    ['launcher', { title: 'Help', items: [{ kind: 'url', title: 'Docs', url: '/docs' }] }],
    ['embed', { steps: [{ title: 'Hi', elements: [{ selector: 'main' }], position_type: 'inline' }] }],
  ])('does not warn of a second %s on the same page, because both show', async (kind, content) => {
    const post = async (params: object) =>
      (await api.post(`/v3/edit/${kind}s`, { name: 'One', ...content, ...params })).body[kind].id;
    await post({ published_at: '$now' });
    const { body } = await api.get(`/v3/edit/${kind}s/${await post({})}/publish_check`);
    expect(codesOf(body.publish_check)).toEqual(['no_url_rule', 'reaches_everyone']);
  });

  it('spends no more on costly patterns than a page load does', async () => {
    const costly = (count: number) => [
      { title: 'Hello', quantifier_urls: [{ url: `(a?/?){${200 + count}}end$`, match_type: 'regex' }] },
    ];
    const id = await add({ steps: costly(0) });
    const others: string[] = [];
    for (let count = 1; count <= 15; count++) others.push(await add({ steps: costly(count), published_at: '$now' }));
    await visit(api, { uid: newUid(), href: `https://${HOST}/${'a'.repeat(20)}/${'a'.repeat(20)}/end` });
    const { warnings } = await check(id);
    const found = warnings.flatMap(({ experience_ids }: { experience_ids: string[] }) => experience_ids);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(others.length);
  });

  it('returns 404 for the Experience of another account', async () => {
    const id = await add({});
    expect((await api.get(`/v3/edit/tours/${id}/publish_check`, { as: api.other })).status).toBe(404);
  });
});

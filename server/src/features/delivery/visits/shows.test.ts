import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';

const HOUR = 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  await openDomain(api);
});
afterAll(() => api.stop());
beforeEach(() => {
  now += HOUR;
  uid = newUid();
});

const elsewhere = [{ url: '/elsewhere', match_type: 'simple' }];

async function add(params: object = {}, step: object = {}, kind = 'tour', as = api.account): Promise<string> {
  const content = kind === 'launcher' ? {} : { steps: [{ title: 'Hello', quantifier_urls: elsewhere, ...step }] };
  const made = { name: 'One', published_at: '$now', ...content, ...params };
  const { status, body } = await api.post(`/v3/edit/${kind}s`, made, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

/** Loads a page as the user. */
async function load(params: object = {}): Promise<string> {
  const { status, body } = await visit(api, { uid, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.visit.token;
}

const requestShow = (visit_token: string, experience_id: string, params: object = {}) =>
  api.post('/v3/observe/shows', { visit_token, experience_id, href: PAGE, ...params }, { as: null });

async function shown(token: string, id: string, params: object = {}): Promise<ApiResponse['body']> {
  const { status, body } = await requestShow(token, id, params);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

/** The reason why an Experience does not show. */
async function reason(token: string, id: string, params: object): Promise<string> {
  const { experience, reason, reason_code } = await shown(token, id, params);
  expect(experience).toBe(null);
  return `${reason_code}: ${reason}`;
}

const start = (visit_token: string, experience_id: string, params: object = {}) =>
  api.post('/v3/observe/interactions', { visit_token, experience_id, state: 'started', ...params }, { as: null });

describe('labels', () => {
  it('returns labels in the language of the user when something shows', async () => {
    const id = await add({}, { quantifier_urls: [] });
    const words = async (l: string) => {
      const { body } = await visit(api, { uid: newUid(), browser: { l } });
      expect((await shown(body.visit.token, id)).labels).toEqual(body.labels);
      return body.labels;
    };
    expect(await words('de-AT')).toMatchObject({ language: 'de', close: 'Schließen', progress: 'Schritt {0} von {1}' });
    expect(await words('en-GB')).toBe(undefined);
    await api.send('DELETE', `/v3/edit/tours/${id}`);
  });
});

describe('a requested Experience', () => {
  it.each(['tour', 'survey', 'launcher', 'tooltip', 'embed'])(
    'returns the same content as a page load: a %s',
    async (kind) => {
      const items = [{ kind: 'url', title: 'Docs', url: '/docs' }];
      const elements = [{ selector: '#here' }];
      const steps: Record<string, object> = {
        survey: { preset: 'survey_nps' },
        tooltip: { elements },
        embed: { elements, position_type: 'inline' },
      };
      const params = kind === 'launcher' ? { title: 'Help', items, quantifier_urls: elsewhere } : {};
      const id = await add(params, steps[kind], kind);
      const href = 'https://app.example.com/elsewhere';
      const { body } = await visit(api, { uid: newUid(), href });
      const { automatic, ...content } = body.experiences.find((one: { id: string }) => one.id === id);
      const token = await load();
      expect(automatic).toBe(true);
      expect(await shown(token, id)).toEqual({ experience: content, reason: null });
      await api.send('DELETE', `/v3/edit/${kind}s/${id}`);
    },
  );

  it('does not show on a host of another Environment', async () => {
    const groups: string[] = [];
    for (const name of ['Staging', 'Production'])
      groups.push((await api.post('/v3/edit/url_groups', { name })).body.url_group.id);
    const [staging, production] = groups;
    for (const [host, url_group_id] of [
      ['staging.example.net', staging],
      ['www.example.net', production],
    ])
      expect((await api.post('/v3/edit/urls', { host, enabled: 'on', url_group_id })).status).toBe(201);
    const id = await add({ url_group_ids: [staging] });
    const on = { href: 'https://staging.example.net/' };
    expect((await shown(await load(on), id, { ...on, skip_url_match: true })).experience).toMatchObject({ id });
    const off = { href: 'https://www.example.net/' };
    // Anyone can load a page, so the reason names no Environments.
    expect(await reason(await load(off), id, { ...off, skip_url_match: true })).toBe(
      'other_page: It does not show on this page',
    );
    // A page without a host belongs to no Environment, wherever its visit was.
    const hostless = async (one: string, page: object) => {
      const body = { visit_token: await load(page), experience_id: one, href: 'about:blank' };
      const { status, body: response } = await api.post('/v3/observe/shows', body, {
        ...{ as: null, headers: { Origin: 'null' } },
      });
      return [status, response.experience?.id ?? null, response.reason_code];
    };
    const free = await add();
    for (const page of [on, off]) {
      expect(await hostless(id, page)).toEqual([200, null, 'other_page']);
      expect(await hostless(free, page)).toEqual([200, free, undefined]);
    }
    await api.send('DELETE', `/v3/edit/tours/${free}`);
    // A launcher does not offer it there.
    const items = [
      { kind: 'url', title: 'Docs', url: '/docs' },
      { kind: 'tour', title: 'Tour', campaign_id: id },
    ];
    const launcher = await add({ title: 'Help', items }, {}, 'launcher');
    const itemsOn = async (page: object) => (await shown(await load(page), launcher, page)).experience.items.length;
    expect([await itemsOn(on), await itemsOn(off)]).toEqual([2, 1]);
    for (const [kind, one] of [
      ['launcher', launcher],
      ['tour', id],
    ])
      await api.send('DELETE', `/v3/edit/${kind}s/${one}`);
  });

  it('returns an Experience in the language of the user with merge tags filled in', async () => {
    const id = await add({}, { title: 'Hello {{first_name}}' });
    const { steps } = (await api.get(`/v3/edit/tours/${id}`)).body.tour;
    const texts = { id: steps[0].id, translations: { title: { text: 'Hallo {{first_name}}' } } };
    const language = { code: 'de', options: ['default'] };
    const file = { id: api.account.account_id, language, experiences: [{ id, name: 'One', steps: [texts] }] };
    const form = new FormData();
    form.append('file', new Blob([JSON.stringify(file)]), 'file.json');
    expect((await api.post('/v3/edit/i18n', form)).status).toBe(200);
    now += 1;
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    const token = await load({ properties: { first_name: 'Ann' }, browser: { l: 'de-AT' } });
    const { experience } = await shown(token, id);
    expect([experience.language, experience.steps[0].title]).toEqual(['de', ['Hallo Ann']]);
  });

  it('returns the step that the user is at', async () => {
    const id = await add({ steps: [{ title: 'One' }, { title: 'Two' }] });
    const token = await load();
    const step_id = (await shown(token, id)).experience.steps[1].id;
    await start(token, id, { step_id });
    expect((await shown(token, id)).experience.step_id).toBe(step_id);
  });

  it('ignores URL, Segments and earlier showings unless the page requests these checks', async () => {
    const segment = { name: 'Gold', items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }] };
    const segment_ids = [(await api.post('/v3/edit/segments', segment)).body.segment.id];
    const id = await add({ segment_ids, style: 'manual' });
    const token = await load();
    await start(token, id);
    expect((await shown(token, id)).experience.id).toBe(id);
    expect(await reason(token, id, { use_segmentation: true })).toBe('segment: It is not for this user');
    expect(await reason(token, id, { once: true })).toBe('seen: The user has seen it before');
    expect(await reason(token, id, { skip_url_match: false })).toBe('other_page: It does not show on this page');
    const href = 'https://app.example.com/elsewhere';
    expect((await shown(token, id, { skip_url_match: false, href })).experience.id).toBe(id);
    const gold = await load({ properties: { plan: 'gold' } });
    expect((await shown(gold, id, { use_segmentation: true })).experience.id).toBe(id);
  });

  it('does not show an Experience to a disabled user', async () => {
    const id = await add();
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: true });
    const token = await load();
    expect(await reason(token, id, {})).toBe('disabled: The user is switched off');
  });

  it('returns what is published now', async () => {
    const id = await add({ published_at: null });
    const token = await load();
    const statusNow = async () => (await requestShow(token, id)).status;
    const statuses = [await statusNow()];
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    statuses.push(await statusNow());
    await api.patch(`/v3/edit/tours/${id}`, { published_at: null });
    statuses.push(await statusNow());
    expect(statuses).toEqual([404, 200, 404]);
  });

  it('returns 404 for an Experience of another account with the message for an unknown one', async () => {
    const foreign = await add({}, {}, 'tour', api.other);
    const token = await load();
    const [response, unknown] = [await requestShow(token, foreign), await requestShow(token, 'f'.repeat(24))];
    expect([response.status, response.body]).toEqual([404, unknown.body]);
    expect(response.body.messages).toEqual(['There is no live Experience with this ID in this account']);
  });

  it('returns 403 on a host that is not enabled', async () => {
    const id = await add();
    const token = await load();
    expect((await requestShow(token, id, { href: 'https://elsewhere.example.org/' })).status).toBe(403);
  });

  it('records nothing', async () => {
    const id = await add();
    const token = await load();
    const before = await accountRows(api.app, api.account.account_id);
    await shown(token, id);
    await shown(token, id, { once: true, use_segmentation: true, skip_url_match: false });
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });
});

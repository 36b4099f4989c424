import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { HOST, openDomain, visit } from '../../../../test/visiting.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(async () => {
  await api.replaceAccounts();
  await openDomain(api);
});
afterAll(() => api.stop());

const PATH = '/v3/edit/event_names';
const byId = { kind: 'click', elements: [{ selector: '#buy' }] };
const byPath = (url: string) => ({ kind: 'page', quantifier_urls: [{ url }] });
const create = (params: object) => api.post(PATH, params);
const publish = async (name: string, definition: object) =>
  (await create({ name, definition, published_at: '$now' })).body.event_name;
const eventsOn = async (path = '/', uid = 'ann') => {
  const { body } = await visit(api, { uid, href: `https://${HOST}${path}` });
  return body.events;
};

describe('an event without code', () => {
  it('is made as a draft with its name, definition and summary', async () => {
    const { status, body } = await create({ name: 'Plan Bought', description: 'In the shop', definition: byId });
    expect([status, body.event_name]).toMatchObject([
      201,
      { name: 'Plan Bought', uid: 'plan_bought', kind: 'custom', published_at: null, source: null, last_seen_at: null },
    ]);
    expect(body.event_name.content_summary).toBe('Click on #buy');
    expect(body.event_name.definition).toMatchObject({ ...byId, quantifier_urls: [], url_group_ids: [] });
    expect(await eventsOn()).toBeUndefined();
    const { event_names } = (await api.get(PATH, { query: 'kind=custom' })).body;
    expect(event_names).toEqual([body.event_name]);
    expect((await api.get(PATH, { query: 'kind=tracked' })).body.event_names).toEqual([]);
  });

  it('is sent to the pages that match, while it is published', async () => {
    const anywhere = await publish('Bought', byId);
    await publish('Pricing Opened', byPath('/pricing/*'));
    const [click, page] = [
      { name: 'bought', elements: [{ selector: '#buy' }] },
      { name: 'pricing_opened', is_local: true },
    ];
    expect(await eventsOn('/')).toEqual([click]);
    expect(await eventsOn('/pricing/eu')).toEqual([click, page]);
    await api.patch(`${PATH}/${anywhere.id}`, { published_at: null });
    expect(await eventsOn('/pricing')).toEqual([page]);
    await api.patch(`${PATH}/${anywhere.id}`, { definition: { kind: 'click', elements: [{ text: 'Buy' }] } });
    expect(await eventsOn('/')).toBeUndefined();
    await api.patch(`${PATH}/${anywhere.id}`, { published_at: '$now' });
    expect(await eventsOn('/')).toEqual([{ name: 'bought', elements: [{ text: 'Buy' }] }]);
  });

  it('is sent only to pages of its Environments', async () => {
    const { url_group } = (
      await api.post('/v3/edit/url_groups', { name: 'Shop', short_name: 'S', style_short_name_color: 'C62F26' })
    ).body;
    const { url } = (
      await api.post('/v3/edit/urls', { host: 'shop.acme.test', enabled: 'on', url_group_id: url_group.id })
    ).body;
    const other = (
      await api.post('/v3/edit/url_groups', { name: 'Other', short_name: 'O', style_short_name_color: 'C62F26' })
    ).body.url_group;
    await publish('Bought', { ...byId, url_group_ids: [other.id] });
    expect(url.host).toBe('shop.acme.test');
    await publish('Bought in the shop', { ...byId, url_group_ids: [url_group.id] });
    const { body } = await visit(api, { uid: 'ann', href: 'https://shop.acme.test/' });
    expect(body.events.map(({ name }: { name: string }) => name)).toEqual(['bought_in_the_shop']);
    const unknown = await create({
      name: 'Else',
      definition: { ...byId, url_group_ids: ['6af9377200f0000ed01ca3b0'] },
    });
    expect([unknown.status, unknown.body.messages[0]]).toEqual([404, expect.stringContaining('url_group_ids[0]')]);
  });

  it('counts as other events do, with its source, and meets goals', async () => {
    const { id } = await publish('Plan Bought', byId);
    await api.post('/v3/edit/segments', { name: 'Buyers', items: [{ kind: 'event', op: 'ex', value: 'plan_bought' }] });
    const { body } = await visit(api, { uid: 'ann' });
    const sent = { visit_token: body.visit.token, name: 'plan_bought' };
    const { status } = await api.post('/v3/observe/events', sent, { as: null });
    expect(status).toBe(200);
    const { event_name } = (await api.get(`/v3/analyze/event_names/${id}`)).body;
    expect(event_name).toMatchObject({ kind: 'custom', sources: ['custom'], counts: { last_24_hours: 1 } });
    expect(event_name.uses.segments).toHaveLength(1);
    const filters = [{ kind: 'event', op: 'ex', value: 'Plan Bought' }];
    expect((await api.post('/v3/analyze/profiles/count', { filters })).body).toEqual({ count: 1 });
  });

  it('stays when the only user who did it is forgotten', async () => {
    const { id } = await publish('Plan Bought', byId);
    const { body } = await visit(api, { uid: 'ann' });
    await api.post('/v3/observe/events', { visit_token: body.visit.token, name: 'plan_bought' }, { as: null });
    await api.send('DELETE', '/v3/edit/profiles/forget', { query: 'uid=ann' });
    expect((await api.get(`${PATH}/${id}`)).status).toBe(200);
    expect((await api.get(`/v3/analyze/event_names/${id}/occurrences`)).body.occurrences).toEqual([]);
    expect((await api.get(`/v3/analyze/event_names/${id}`)).body.event_name.counts.last_30_days).toBe(0);
  });

  it.each([
    ['a click without an element', { kind: 'click' }, /no element is chosen/],
    ['a page without a pattern', { kind: 'page' }, /none is chosen/],
    ['a wrong selector', { kind: 'click', elements: [{ selector: 'a[' }] }, /selector/],
    ['a wrong pattern', { kind: 'page', quantifier_urls: [{ url: '(', match_type: 'regex' }] }, /pattern/],
  ])('is not published with %s', async (_, definition, message) => {
    const { status, body } = await create({ name: 'Wrong', definition, published_at: '$now' });
    expect([status, body.messages[0]]).toEqual([422, expect.stringMatching(message)]);
    expect((await api.get(PATH)).body.event_names).toEqual([]);
    const draft = await create({ name: 'Wrong', definition });
    expect(draft.status).toBe(201);
    expect((await api.patch(`${PATH}/${draft.body.event_name.id}`, { published_at: '$now' })).status).toBe(422);
  });

  it.each([
    [{ name: '!!!', definition: byId }, 422],
    [{ name: 'Bought' }, 422],
    [{ definition: byId }, 422],
    [{ name: 'Bought', definition: { kind: 'hover' } }, 422],
    [{ name: 'Bought', definition: { kind: 'click', elements: Array(11).fill({ selector: 'a' }) } }, 422],
    [{ name: 'Bought', definition: { kind: 'page', quantifier_urls: Array(51).fill({ url: '/a' }) } }, 422],
    [{ name: 'Bought', definition: { ...byId, elements: [{ selector: 'a'.repeat(1001) }] } }, 422],
  ])('rejects %j', async (params, status) => {
    expect((await create(params)).status).toBe(status);
    expect((await api.get(PATH)).body.event_names).toEqual([]);
  });

  it('rejects a name that is there already', async () => {
    await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Bought' });
    expect((await create({ name: 'bought', definition: byId })).status).toBe(409);
  });

  it('rejects a definition for a tracked event', async () => {
    await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Bought' });
    const [{ id }] = (await api.get(PATH)).body.event_names;
    for (const params of [{ definition: byId }, { published_at: '$now' }])
      expect((await api.patch(`${PATH}/${id}`, params)).status).toBe(422);
    expect((await api.patch(`${PATH}/${id}`, { published_at: null, name: 'Paid' })).status).toBe(200);
  });

  it('is published 100 times at most', async () => {
    for (let n = 0; n < 100; n++) await publish(`Event ${n}`, byId);
    const { status, body } = await create({ name: 'More', definition: byId, published_at: '$now' });
    expect([status, body.messages[0]]).toEqual([422, expect.stringContaining('at most 100')]);
    expect((await eventsOn()).length).toBe(100);
  });

  it('is deleted, and pages no longer count it', async () => {
    const { id } = await publish('Bought', byId);
    expect((await api.send('DELETE', `${PATH}/${id}`)).status).toBe(200);
    expect(await eventsOn()).toBeUndefined();
    const { audit_entries } = (await api.get('/v3/analyze/audit_entries')).body;
    const actions = audit_entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['event_name.delete', 'event_name.publish']));
  });

  it('is not found in another account', async () => {
    const { id } = await publish('Bought', byId);
    const as = api.other;
    expect((await api.patch(`${PATH}/${id}`, { published_at: null }, { as })).status).toBe(404);
    expect((await api.send('DELETE', `${PATH}/${id}`, { as })).status).toBe(404);
    expect(await eventsOn()).toHaveLength(1);
  });
});

describe('files', () => {
  const files = async () => (await api.get('/v3/edit/files')).body.files;

  it('have the events without code, and no tracked ones', async () => {
    await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Tracked' });
    await publish('Plan Bought', { ...byId, quantifier_urls: [{ url: '/shop/*' }] });
    const [file, ...others] = (await files()).filter(({ file }: { file: string }) => file.startsWith('event_names/'));
    expect(others).toEqual([]);
    expect(file).toMatchObject({ file: 'event_names/plan-bought', content: { name: 'Plan Bought' } });
    expect(file.content.definition).toMatchObject({ kind: 'click', elements: [{ selector: '#buy' }] });
  });
});

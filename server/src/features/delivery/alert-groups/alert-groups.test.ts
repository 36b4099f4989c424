import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const path = '/v3/edit/alert_groups';
const unknownId = 'f'.repeat(24);
const weekly = { name: 'Not seen for a week', interval: 7 };

async function make(kind: string, params: object = {}, as = api.account): Promise<string> {
  const { status, body } = await api.post(`/v3/edit/${kind}`, { name: 'Watched', ...params }, { as });
  expect([status, body.messages]).toEqual([201, undefined]);
  return (Object.values(body) as { id: string }[])[0]?.id ?? '';
}
const create = (params: object = {}, as = api.account) => api.post(path, { ...weekly, ...params }, { as });
async function add(params: object = {}) {
  const { status, body } = await create(params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.alert_group;
}
const show = (id: string, as = api.account) => api.get(`${path}/${id}`, { as });
const change = (id: string, params: object, as = api.account) => api.patch(`${path}/${id}`, params, { as });
const remove = (id: string, as = api.account) => api.send('DELETE', `${path}/${id}`, { as });

describe('create', () => {
  it('creates an alert group for all tours and surveys, which watches nothing until it is published', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const { id, created_at, updated_at, ...rest } = body.alert_group;
    expect(Object.keys(body)).toEqual(['alert_group']);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({
      ...{ ...weekly, kind: 'all', style: 'unseen', published_at: null, last_notified_at: null },
      ...{ tag_ids: [], campaign_ids: [], experience_ids: [] },
    });
    expect((await show(id)).body).toEqual(body);
  });

  it('creates one for a kind, for Tags, or for a list', async () => {
    const [tour, survey, tag] = [await make('tours'), await make('surveys'), await make('tags')];
    expect(await add({ kind: 'survey', style: 'uncompleted' })).toMatchObject({ kind: 'survey', style: 'uncompleted' });
    expect(await add({ tag_ids: [tag] })).toMatchObject({ kind: 'tags', tag_ids: [tag] });
    const group = await add({ campaign_ids: [survey, tour, survey], published_at: '2029-04-07' });
    expect(group).toMatchObject({ kind: 'campaigns', campaign_ids: [survey, tour], experience_ids: [survey, tour] });
    expect(group.published_at).toBe('2029-04-07T00:00:00.000Z');
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['interval', { interval: undefined }],
    ['interval', { interval: 0 }],
    ['interval', { interval: 366 }],
    ['interval', { interval: 1.5 }],
    ['interval', { interval: null }],
    ['style', { style: 'forgotten' }],
    ['style', { style: null }],
    ['kind', { kind: 'launcher' }],
    ['published_at', { published_at: 'soon' }],
    ['tag_ids', { kind: 'tags' }],
    ['tag_ids', { kind: 'tour', tag_ids: [unknownId] }],
    ['experience_ids', { kind: 'campaigns' }],
    ['campaign_ids', { kind: 'all', campaign_ids: [unknownId] }],
    ['campaign_ids', { campaign_ids: 'x' }],
  ])('rejects a wrong or contradicting %s %#', async (name, params) => {
    const before = await accountRows(api.app, api.account.account_id);
    const { status, body } = await create(params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}`)]]);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('returns 404 for an ID that is no tour, survey or Tag of this account', async () => {
    const others = [unknownId, await make('launchers'), await make('tours', {}, api.other)];
    for (const other of others) expect((await create({ campaign_ids: [other] })).status).toBe(404);
    expect((await create({ tag_ids: [await make('tags', {}, api.other)] })).status).toBe(404);
  });
});

describe('list, show, update and delete', () => {
  it('lists newest first', async () => {
    const made = [await add(), await add({ name: 'Second' })].toReversed();
    expect((await api.get(path)).body).toEqual({ alert_groups: made, cursor: { limit: 50, before: null } });
    expect((await api.get(path, { as: api.other })).body.alert_groups).toEqual([]);
  });

  it.each(['PUT', 'PATCH'])('%s changes only the given fields', async (method) => {
    const [tour, tag] = [await make('tours'), await make('tags')];
    let before = await add();
    for (const [params, others = {}] of [
      [{ name: 'Monthly' }],
      [{ interval: 30 }],
      [{ style: 'uncompleted' }],
      [{ published_at: '2029-04-07T00:00:00.000Z' }],
      [{ campaign_ids: [tour] }, { kind: 'campaigns', experience_ids: [tour] }],
      [{ tag_ids: [tag] }, { kind: 'tags', campaign_ids: [], experience_ids: [] }],
      [{ kind: 'survey' }, { tag_ids: [] }],
      [{ published_at: null }],
    ]) {
      const { body } = await api.send(method, `${path}/${before.id}`, { body: params });
      const after = body.alert_group;
      expect(after).toEqual({ ...before, ...params, ...others, updated_at: after.updated_at });
      expect((await show(before.id)).body.alert_group).toEqual(after);
      before = after;
    }
  });

  it('accepts back what it returned, and changes nothing', async () => {
    for (const params of [{ published_at: '$now' }, { kind: 'tour' }, { tag_ids: [await make('tags')] }]) {
      const group = await add(params);
      expect((await change(group.id, group)).body.alert_group).toEqual(group);
    }
  });

  it('returns 409 for a change by somebody who has not seen the last one, and 422 for a wrong one', async () => {
    const { id, updated_at } = await add();
    expect((await change(id, { interval: 0 })).status).toBe(422);
    expect((await change(id, { interval: 8, updated_at })).status).toBe(200);
    expect((await change(id, { interval: 9, updated_at })).status).toBe(409);
    expect((await show(id)).body.alert_group.interval).toBe(8);
  });

  it('deletes and returns an alert group', async () => {
    const alert_group = await add();
    expect((await remove(alert_group.id)).body).toEqual({ alert_group });
    for (const { status } of [
      await show(alert_group.id),
      await remove(alert_group.id),
      await change(alert_group.id, {}),
    ])
      expect(status).toBe(404);
  });

  it('returns 404 for an alert group of another account', async () => {
    const { id } = await add();
    for (const work of [show, remove, (id: string, as: typeof api.other) => change(id, { interval: 2 }, as)]) {
      const [unknown, foreign] = [await work(unknownId, api.other), await work(id, api.other)];
      expect(unknown.status).toBe(404);
      expect(foreign.text).toBe(unknown.text);
    }
  });
});

it('lists what it watches, all of it or what is published', async () => {
  const tag = await make('tags');
  const tour = await make('tours', { tag_ids: [tag] });
  const live = await make('tours', { steps: [{ title: 'Hello' }], published_at: '$now' });
  await make('tooltips', { tag_ids: [tag] });
  const idsOf = async (params: object, query = '') => {
    const alert_group = await add(params);
    const { body } = await api.get(`${path}/${alert_group.id}/experiences`, { query });
    expect(Object.keys(body)).toEqual(['experiences', 'alert_group', 'cursor']);
    expect(body.alert_group).toEqual(alert_group);
    return body.experiences.map((one: { id: string }) => one.id);
  };
  expect(await idsOf({})).toEqual([live, tour]);
  expect(await idsOf({}, 'filter=published_at')).toEqual([live]);
  expect(await idsOf({ kind: 'survey' })).toEqual([]);
  expect(await idsOf({ tag_ids: [tag] })).toEqual([tour]);
  expect(await idsOf({ campaign_ids: [live] })).toEqual([live]);
});

describe('a deleted Experience or Tag', () => {
  it('is removed from groups that have others too, and deletes a group without others', async () => {
    const [tour, survey] = [await make('tours'), await make('surveys')];
    const [tag, otherTag] = [await make('tags'), await make('tags', { name: 'Other' })];
    const all = await add();
    for (const [list, gone, left, remove] of [
      ['campaign_ids', tour, survey, `/v3/edit/tours/${tour}`],
      ['tag_ids', tag, otherTag, `/v3/edit/tags/${tag}`],
    ] as const) {
      const [both, only] = [await add({ [list]: [gone, left] }), await add({ [list]: [gone] })];
      expect((await api.send('DELETE', remove)).status).toBe(200);
      expect((await show(both.id)).body.alert_group[list]).toEqual([left]);
      expect((await show(only.id)).status).toBe(404);
    }
    expect((await show(all.id)).body.alert_group).toEqual(all);
  });
});

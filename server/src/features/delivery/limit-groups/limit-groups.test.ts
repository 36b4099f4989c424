import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const path = '/v3/edit/limit_groups';
const unknownId = 'f'.repeat(24);
const daily = { name: 'One a day', max_count: 1, period_hours: 24 };

async function addExperience(kind: string, as = api.account): Promise<string> {
  const { body } = await api.post(`/v3/edit/${kind}`, { name: 'Limited' }, { as });
  const [made] = Object.values(body) as { id: string }[];
  return made?.id ?? '';
}
const create = (params: object = {}, as = api.account) => api.post(path, { ...daily, ...params }, { as });
async function add(params: object = {}, as = api.account) {
  const { status, body } = await create(params, as);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.limit_group;
}
const show = (id: string, as = api.account) => api.get(`${path}/${id}`, { as });
const change = (id: string, params: object, as = api.account) => api.patch(`${path}/${id}`, params, { as });
const remove = (id: string, as = api.account) => api.send('DELETE', `${path}/${id}`, { as });
const removeExperience = (kind: string, id: string) => api.send('DELETE', `/v3/edit/${kind}/${id}`);

/** What page loads know of a change by. */
async function version({ account_id } = api.account): Promise<number> {
  const query = api.app.storage.reader(account_id).selectFrom('published_versions').select('version');
  return (await query.where('account_id', '=', account_id).executeTakeFirst())?.version ?? 0;
}

/** Returns how often the published version changed. */
async function countPublishedChanges(work: () => Promise<unknown>): Promise<number> {
  const before = await version();
  await work();
  return (await version()) - before;
}

it('returns 409 for a change by somebody who has not seen the last one', async () => {
  const { id, updated_at } = await add();
  expect((await change(id, { max_count: 2, updated_at })).status).toBe(200);
  expect((await change(id, { max_count: 3, updated_at })).status).toBe(409);
  expect((await show(id)).body.limit_group.max_count).toBe(2);
});

describe('create', () => {
  it('creates a limit group for all tours and surveys', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const { id, created_at, updated_at, ...rest } = body.limit_group;
    expect(Object.keys(body)).toEqual(['limit_group']);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({ ...daily, experience_ids: [] });
    expect((await show(id)).body).toEqual(body);
  });

  it('creates a limit group for some Experiences, each once', async () => {
    const [tour, survey] = [await addExperience('tours'), await addExperience('surveys')];
    const group = await add({ experience_ids: [survey, tour, survey], max_count: 1000, period_hours: 0.5 });
    expect(group).toMatchObject({ experience_ids: [survey, tour], max_count: 1000, period_hours: 0.5 });
    expect((await show(group.id)).body.limit_group).toEqual(group);
  });

  it('returns 404 for an ID that is no tour or survey of this account', async () => {
    const tour = await addExperience('tours');
    const others = [unknownId, await addExperience('launchers'), await addExperience('tours', api.other)];
    const before = await accountRows(api.app, api.account.account_id);
    for (const other of others) {
      const { status, body } = await create({ experience_ids: [tour, other] });
      expect([status, body.messages]).toEqual([
        404,
        ['`experience_ids[1]` is the ID of no tour or survey in this account'],
      ]);
    }
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['max_count', { max_count: undefined }],
    ['max_count', { max_count: 0 }],
    ['max_count', { max_count: 1001 }],
    ['max_count', { max_count: 1.5 }],
    ['period_hours', { period_hours: undefined }],
    ['period_hours', { period_hours: 0 }],
    ['period_hours', { period_hours: -1 }],
    ['period_hours', { period_hours: 8760.5 }],
    ['experience_ids', { experience_ids: 'x' }],
    ['experience_ids', { experience_ids: null }],
    ['experience_ids', { experience_ids: Array(1001).fill(unknownId) }],
  ])('rejects a wrong %s %#', async (name, params) => {
    const { status, body } = await create(params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}`)]]);
  });
});

describe('list, show, update and delete', () => {
  it('lists newest first, page by page', async () => {
    const as = await createAccount(api.app, { name: 'Lists', email: 'ann@lists.test' });
    const made = [];
    for (let n = 0; n < 3; n++) made.unshift(await add({ name: `Group ${n}` }, as));
    expect((await api.get(path, { as })).body).toEqual({ limit_groups: made, cursor: { limit: 50, before: null } });
    const { body } = await api.get(path, { as, query: 'limit=2' });
    expect(body).toEqual({ limit_groups: made.slice(0, 2), cursor: { limit: 2, before: made[1].id } });
    expect((await api.get(path, { as, query: `before=${made[1].id}` })).body.limit_groups).toEqual(made.slice(2));
  });

  it.each(['PUT', 'PATCH'])('%s changes only the given fields', async (method) => {
    const tour = await addExperience('tours');
    let before = await add();
    for (const params of [
      { name: 'Two a week' },
      { max_count: 2 },
      { period_hours: 168 },
      { experience_ids: [tour] },
      { experience_ids: [] },
    ]) {
      const { body } = await api.send(method, `${path}/${before.id}`, { body: params });
      const after = body.limit_group;
      expect(after).toEqual({ ...before, ...params, updated_at: after.updated_at });
      expect((await show(before.id)).body.limit_group).toEqual(after);
      before = after;
    }
  });

  it('changes updated_at only when something changes', async () => {
    const tour = await addExperience('tours');
    const { id } = await add({ experience_ids: [tour] });
    const { account_id } = api.account;
    await api.app.storage.write(account_id, (db) =>
      db
        .updateTable('limit_groups')
        .set({ updated_at: 1000 })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .execute(),
    );
    for (const params of [{}, daily, { experience_ids: [tour, tour] }, { max_count: '1' }])
      expect((await change(id, params)).body.limit_group.updated_at).toBe('1970-01-01T00:00:01.000Z');
    expect(Date.parse((await change(id, { max_count: 3 })).body.limit_group.updated_at)).toBeGreaterThan(1000);
  });

  it('checks the changed fields', async () => {
    const group = await add();
    for (const [params, status] of [
      [{ experience_ids: [unknownId] }, 404],
      [{ max_count: 0 }, 422],
      [{ period_hours: 9000 }, 422],
      [{ name: null }, 422],
    ] as const)
      expect([params, (await change(group.id, params)).status]).toEqual([params, status]);
    expect((await show(group.id)).body.limit_group).toEqual(group);
  });

  it('deletes and returns a limit group', async () => {
    const limit_group = await add();
    expect((await remove(limit_group.id)).body).toEqual({ limit_group });
    for (const response of [await show(limit_group.id), await remove(limit_group.id), await change(limit_group.id, {})])
      expect(response.status).toBe(404);
  });

  it('returns 404 for a limit group of another account', async () => {
    const { id } = await add();
    for (const work of [show, remove, (id: string, as: typeof api.other) => change(id, { max_count: 2 }, as)]) {
      const [unknown, foreign] = [await work(unknownId, api.other), await work(id, api.other)];
      expect(unknown.status).toBe(404);
      expect(foreign.text).toBe(unknown.text);
    }
    expect((await show(id)).status).toBe(200);
  });

  it('increases the published version with each change, and only then', async () => {
    let id = '';
    const made = await countPublishedChanges(async () => {
      id = (await add()).id;
    });
    expect(made).toBe(1);
    expect(await countPublishedChanges(() => change(id, { max_count: 2 }))).toBe(1);
    expect(await countPublishedChanges(() => change(id, { max_count: 2 }))).toBe(0);
    expect(await countPublishedChanges(() => change(id, { max_count: 0 }))).toBe(0);
    expect(await countPublishedChanges(() => remove(id))).toBe(1);
    expect(await countPublishedChanges(() => remove(id))).toBe(0);
  });
});

describe('deleted Experience', () => {
  it('is removed from groups that have others too', async () => {
    const [tour, survey] = [await addExperience('tours'), await addExperience('surveys')];
    const [both, other] = [await add({ experience_ids: [tour, survey] }), await add({ experience_ids: [survey] })];
    expect(await countPublishedChanges(() => removeExperience('tours', tour))).toBe(1);
    const { limit_group } = (await show(both.id)).body;
    expect(limit_group).toEqual({ ...both, experience_ids: [survey], updated_at: limit_group.updated_at });
    expect((await show(other.id)).body.limit_group).toEqual(other);
  });

  it('deletes a group without other Experiences, which would mean all of them', async () => {
    const tour = await addExperience('tours');
    const [only, all] = [await add({ experience_ids: [tour] }), await add()];
    await removeExperience('tours', tour);
    expect((await show(only.id)).status).toBe(404);
    expect((await show(all.id)).body.limit_group).toEqual(all);
  });

  it('is in no group that adds it at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const [tour, survey] = [await addExperience('tours'), await addExperience('surveys')];
      const group = await add({ experience_ids: [survey] });
      const responses = await Promise.all([
        create({ experience_ids: [tour] }),
        change(group.id, { experience_ids: [survey, tour] }),
        removeExperience('tours', tour),
        change(group.id, { max_count: 2 }),
      ]);
      const [made, named, removed, changed] = responses.map(({ status }) => status);
      expect([removed, changed]).toEqual([200, 200]);
      expect([201, 404]).toContain(made);
      expect([200, 404]).toContain(named);
      const groups = (await accountRows(api.app, api.account.account_id)).limit_groups ?? [];
      expect(groups.filter((row) => row.includes(tour))).toEqual([]);
      expect((await show(group.id)).body.limit_group).toMatchObject({ max_count: 2, experience_ids: [survey] });
    }
  });
});

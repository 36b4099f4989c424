import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { HREF, loadPage } from '../../../../test/open-page.ts';
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
async function addTag(as = api.account): Promise<string> {
  const { body } = await api.post('/v3/edit/tags', { name: `Tag ${++tags}` }, { as });
  return body.tag.id;
}
let tags = 0;
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
    expect(rest).toEqual({
      ...{ ...daily, description: null, kind: 'all', rate_limit_size: 1, rate_limit_kind: '1d' },
      ...{ experience_ids: [], campaign_ids: [], tag_ids: [], max_steps: null, max_seconds: null },
    });
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
    const tag = await addTag();
    for (const [params, others = {}] of [
      [{ name: 'Two a week' }],
      [{ description: 'Keep it calm' }],
      [{ max_count: 2 }, { rate_limit_size: 2 }],
      [{ rate_limit_size: 3 }, { max_count: 3 }],
      [{ period_hours: 168 }, { rate_limit_kind: '7d' }],
      [{ rate_limit_kind: '91d' }, { period_hours: 2184 }],
      [{ experience_ids: [tour] }, { kind: 'campaigns', campaign_ids: [tour] }],
      [{ experience_ids: [] }, { kind: 'all', campaign_ids: [] }],
      [{ campaign_ids: [tour] }, { kind: 'campaigns', experience_ids: [tour] }],
      [{ tag_ids: [tag] }, { kind: 'tags', campaign_ids: [], experience_ids: [] }],
      [{ kind: 'survey' }, { tag_ids: [] }],
    ]) {
      const { body } = await api.send(method, `${path}/${before.id}`, { body: params });
      const after = body.limit_group;
      expect(after).toEqual({ ...before, ...params, ...others, updated_at: after.updated_at });
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
    const left = { experience_ids: [survey], campaign_ids: [survey] };
    expect(limit_group).toEqual({ ...both, ...left, updated_at: limit_group.updated_at });
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

describe('names that other clients use', () => {
  it.each([
    ['1h', 1],
    ['2h', 2],
    ['4h', 4],
    ['1d', 24],
    ['7d', 168],
    ['30d', 720],
    ['91d', 2184],
    ['182d', 4368],
    ['365d', 8760],
  ])('reads the period %s as %i hours, and writes it', async (rate_limit_kind, period_hours) => {
    const other = { max_count: undefined, period_hours: undefined };
    const group = await add({ ...other, rate_limit_size: 5, rate_limit_kind });
    expect(group).toMatchObject({ rate_limit_size: 5, max_count: 5, rate_limit_kind, period_hours });
    expect(await add({ period_hours })).toMatchObject({ rate_limit_kind });
  });

  it.each([0.5, 1.01, 23.999, 24.001, 48, 8759])('has no word for a period of %s hours', async (period_hours) => {
    const group = await add({ period_hours, rate_limit_kind: null });
    expect(group).toMatchObject({ period_hours, rate_limit_kind: null });
    expect((await show(group.id)).body.limit_group).toEqual(group);
  });

  it('accepts back what it returned, and changes nothing', async () => {
    const [tour, tag] = [await addExperience('tours'), await addTag()];
    for (const params of [{}, { kind: 'tour' }, { tag_ids: [tag] }, { campaign_ids: [tour] }, { period_hours: 5 }]) {
      const group = await add(params);
      const { updated_at: _, ...sent } = group;
      expect((await change(group.id, sent)).body.limit_group).toEqual(group);
    }
  });

  it.each([
    ['rate_limit_size', { rate_limit_size: 2 }],
    ['rate_limit_kind', { rate_limit_kind: '7d' }],
    ['rate_limit_kind', { rate_limit_kind: '3d' }],
    ['rate_limit_size', { rate_limit_size: 0, max_count: undefined }],
    ['period_hours', { period_hours: undefined, rate_limit_kind: null }],
    ['campaign_ids', { campaign_ids: [unknownId], experience_ids: [] }],
    ['campaign_ids', { kind: 'all', campaign_ids: [unknownId] }],
    ['tag_ids', { kind: 'tour', tag_ids: [unknownId] }],
    ['tag_ids', { campaign_ids: [unknownId], tag_ids: [unknownId] }],
    ['tag_ids', { kind: 'tags' }],
    ['experience_ids', { kind: 'campaigns' }],
    ['kind', { kind: 'launcher' }],
    ['tag_ids', { tag_ids: 'x' }],
  ])('rejects a wrong or contradicting %s %#', async (name, params) => {
    const before = await accountRows(api.app, api.account.account_id);
    const { status, body } = await create(params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}`)]]);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('returns 404 for a Tag of another account', async () => {
    const [tag, foreign] = [await addTag(), await addTag(api.other)];
    for (const other of [unknownId, foreign]) {
      const { status, body } = await create({ tag_ids: [tag, other] });
      expect([status, body.messages]).toEqual([404, ['`tag_ids[1]` is the ID of no Tag in this account']]);
    }
  });
});

describe('what a limit group limits', () => {
  it('is listed, all of it or what is published', async () => {
    const as = await createAccount(api.app, { name: 'Kinds', email: 'ann@kinds.test' });
    const tag = await addTag(as);
    const make = async (kind: string, params: object = {}) => {
      const all = { name: 'Any', steps: [{ title: 'Hello' }], ...params };
      const { body } = await api.post(`/v3/edit/${kind}`, all, { as });
      return (Object.values(body)[0] as { id: string }).id;
    };
    const tour = await make('tours', { tag_ids: [tag] });
    const live = await make('tours', { published_at: '$now' });
    const steps = [{ title: 'Why?', preset: 'survey_input' }];
    const survey = await make('surveys', { tag_ids: [tag], published_at: '$now', steps });
    await make('tooltips', { tag_ids: [tag] });
    const idsOf = async (params: object, query = '') => {
      const { id } = await add(params, as);
      const { body } = await api.get(`${path}/${id}/experiences`, { as, query });
      expect(Object.keys(body)).toEqual(['experiences', 'limit_group', 'cursor']);
      expect(body.limit_group).toEqual((await show(id, as)).body.limit_group);
      return body.experiences.map((one: { id: string }) => one.id);
    };
    expect(await idsOf({})).toEqual([survey, live, tour]);
    expect(await idsOf({}, 'filter=published_at')).toEqual([survey, live]);
    expect(await idsOf({ kind: 'tour' }, 'filter=all')).toEqual([live, tour]);
    expect(await idsOf({ kind: 'survey' })).toEqual([survey]);
    expect(await idsOf({ tag_ids: [tag] })).toEqual([survey, tour]);
    expect(await idsOf({ tag_ids: [tag] }, 'filter=published_at')).toEqual([survey]);
    expect(await idsOf({ campaign_ids: [live] })).toEqual([live]);
    expect(await idsOf({}, 'limit=2')).toEqual([survey, live]);
    const { id } = await add({}, as);
    expect((await api.get(`${path}/${id}/experiences`, { as, query: 'filter=x' })).status).toBe(422);
    expect((await api.get(`${path}/${id}/experiences`)).status).toBe(404);
  });

  it.each([
    ['all', 'survey', true],
    ['tour', 'survey', false],
    ['survey', 'survey', true],
    ['tags', 'survey', true],
    ['campaigns', 'survey', true],
    ['all', 'tour', true],
    ['tour', 'tour', true],
    ['survey', 'tour', false],
  ] as const)('with the kind %s, after a %s: %s', async (limited, first, isLimited) => {
    const as = await createAccount(api.app, { name: 'Pages', email: `ann${++tags}@pages.test` });
    const make = async (kind: string, params: object) => {
      const { status, body } = await api.post(
        `/v3/edit/${kind}s`,
        { name: 'Any', published_at: '$now', ...params },
        { as },
      );
      expect([status, body.messages]).toEqual([201, undefined]);
      return body[kind].id as string;
    };
    const content = (kind: string) => ({
      steps: [{ title: 'Hello', ...(kind === 'survey' && { preset: 'survey_input' }) }],
    });
    const shown = await make(first, content(first));
    const page = await loadPage(api, 'ann', { as });
    await page.report({ experience_id: shown, state: 'started', group_kind: 'campaign' });
    await page.report({ experience_id: shown, state: 'completed' });
    // The next one is of the kind that the limit is about.
    const next = await make(first === 'survey' ? 'survey' : 'tour', content(first));
    const showsNext = async () => {
      const { body } = await api.post('/v3/observe/visits', { uid: 'ann', href: HREF, explain: true }, { as });
      return body.explanations.find(({ id }: { id: string }) => id === next).shows;
    };
    expect(await showsNext()).toBe(true);
    const tag = await addTag(as);
    const members = { tags: { tag_ids: [tag] }, campaigns: { campaign_ids: [shown, next] } };
    const { id } = await add(
      { kind: limited, ...(limited in members && members[limited as keyof typeof members]) },
      as,
    );
    if (limited === 'tags') {
      expect(await showsNext()).toBe(true);
      // Tags take effect without publishing.
      for (const one of [shown, next]) await api.patch(`/v3/edit/${first}s/${one}`, { tag_id: `+${tag}` }, { as });
    }
    expect(await showsNext()).toBe(!isLimited);
    await remove(id, as);
    expect(await showsNext()).toBe(true);
  });
});

describe('deleted Tag', () => {
  it('is removed from groups that have others too, and deletes a group without others', async () => {
    const [tag, other] = [await addTag(), await addTag()];
    const [both, only] = [await add({ tag_ids: [tag, other] }), await add({ tag_ids: [tag] })];
    expect(await countPublishedChanges(() => api.send('DELETE', `/v3/edit/tags/${tag}`))).toBe(1);
    const { limit_group } = (await show(both.id)).body;
    expect(limit_group).toEqual({ ...both, tag_ids: [other], updated_at: limit_group.updated_at });
    expect((await show(only.id)).status).toBe(404);
  });
});

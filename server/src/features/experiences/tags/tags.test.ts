import { isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
let count = 0;
const newName = () => `Tag ${++count}`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

const create = (params: object, as = api.account) => api.post('/v3/edit/tags', params, { as });
async function addTag(params: object = {}, as = api.account) {
  const { status, body } = await create({ name: newName(), ...params }, as);
  expect(status).toBe(201);
  return body.tag;
}
const list = (query = '', as = api.account) => api.get('/v3/edit/tags', { query, as });
const show = (id: string, as = api.account) => api.get(`/v3/edit/tags/${id}`, { as });
const change = (id: string, params: object) => api.patch(`/v3/edit/tags/${id}`, params);
const remove = (id: string, as = api.account) => api.send('DELETE', `/v3/edit/tags/${id}`, { as });

async function addTour(params: object = {}) {
  const { status, body } = await api.post('/v3/edit/tours', { name: newName(), ...params });
  expect(status).toBe(201);
  return body.tour;
}
const showTour = async (id: string) => (await api.get(`/v3/edit/tours/${id}`)).body.tour;
const changeTour = (id: string, params: object) => api.patch(`/v3/edit/tours/${id}`, params);

/** Returns the Changes of an Experience, newest last. */
async function changesOf(experienceId: string) {
  const account_id = api.account.account_id;
  return api.app.storage
    .reader(account_id)
    .selectFrom('changes')
    .select(['kind', 'path', 'object', 'admin_id'])
    .where('account_id', '=', account_id)
    .where('experience_id', '=', experienceId)
    .orderBy('id')
    .execute();
}

describe('create', () => {
  it('creates a Tag with a uid derived from its name', async () => {
    const { status, body } = await create({ name: 'VIP Users' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['tag']);
    const { id, created_at, updated_at, ...rest } = body.tag;
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    const empty = { description: null, models_count: 0, disabled_at: null, last_seen_at: null };
    expect(rest).toEqual({ uid: 'vip_users', name: 'VIP Users', ...empty });
    expect((await show(id)).body).toEqual(body);
  });

  it.each([
    ['userRole', 'user_role'],
    ['User Role 2', 'user_role_2'],
    ['user-role-3', 'user_role_3'],
    ['Größe (neu)', 'größe_neu'],
  ])('normalizes the uid %s', async (params, uid) => {
    expect(await addTag({ uid: params })).toMatchObject({ uid });
  });

  it('rejects a uid that exists in the account', async () => {
    const { uid } = await addTag({ name: 'Only once' });
    const responses = [await create({ name: 'only-once' }), await create({ name: 'Another', uid: 'Only Once' })];
    for (const { status, body } of responses) {
      expect(status).toBe(409);
      expect(body.messages).toEqual([expect.stringContaining(`\`${uid}\``)]);
    }
    expect(await addTag({ name: 'Only once' }, api.other)).toMatchObject({ uid });
  });

  it('accepts the same name with another uid', async () => {
    const { name } = await addTag();
    expect(await addTag({ name, uid: 'elsewhere' })).toMatchObject({ name, uid: 'elsewhere' });
  });

  it('succeeds for one of two requests with the same uid at the same time', async () => {
    const name = newName();
    const responses = await Promise.all([create({ name }), create({ name })]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each([
    ['name', {}],
    ['name', { name: null }],
    ['name', { name: ' ' }],
    ['name', { name: '!?' }],
    ['name', { name: 'n'.repeat(256) }],
    ['uid', { name: 'A', uid: '' }],
    ['uid', { name: 'A', uid: '--' }],
    ['uid', { name: 'A', uid: 'u'.repeat(256) }],
  ])('rejects a wrong %s %#', async (path, params) => {
    const before = (await list()).text;
    const { status, body } = await create(params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining(`\`${path}\``)]);
    expect((await list()).text).toBe(before);
  });
});

describe('list and show', () => {
  it('lists newest first, page by page', async () => {
    const as = await newAccount();
    const made = [];
    for (let number = 0; number < 5; number++) made.unshift(await addTag({}, as));
    expect((await list('', as)).body).toEqual({ tags: made, cursor: { limit: 50, before: null } });
    const first = (await list('limit=3', as)).body;
    expect(first).toEqual({ tags: made.slice(0, 3), cursor: { limit: 3, before: made[2].id } });
    const second = (await list(`limit=3&before=${first.cursor.before}`, as)).body;
    expect(second).toEqual({ tags: made.slice(3), cursor: { limit: 3, before: null } });
  });

  it('returns 404 when it shows a Tag of another account', async () => {
    const { id } = await addTag();
    const [unknown, foreign] = [await show(unknownId), await show(id, api.other)];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  });
});

describe('update', () => {
  it.each(['PUT', 'PATCH'])('%s changes only the given fields', async (method) => {
    const tag = await addTag();
    const update = async (body: object) => (await api.send(method, `/v3/edit/tags/${tag.id}`, { body })).body.tag;
    const renamed = await update({ name: 'Renamed' });
    expect(renamed).toEqual({ ...tag, name: 'Renamed', updated_at: renamed.updated_at });
    const moved = await update({ uid: `Moved by ${method}` });
    const uid = `moved_by_${method.toLowerCase()}`;
    expect(moved).toEqual({ ...renamed, uid, updated_at: moved.updated_at });
    expect((await show(tag.id)).body.tag).toEqual(moved);
  });

  it('changes updated_at only when something changes', async () => {
    const { id, name, uid } = await addTag();
    const account_id = api.account.account_id;
    await api.app.storage.write(account_id, (db) =>
      db
        .updateTable('tags')
        .set({ updated_at: 1000 })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .execute(),
    );
    for (const params of [{}, { name }, { name, uid }, { uid: uid.toUpperCase() }])
      expect((await change(id, params)).body.tag.updated_at).toBe('1970-01-01T00:00:01.000Z');
    expect(Date.parse((await change(id, { name: 'Other' })).body.tag.updated_at)).toBeGreaterThan(1000);
  });

  it('rejects the uid of another Tag', async () => {
    const [one, two] = [await addTag(), await addTag()];
    const { status, body } = await change(one.id, { uid: two.name, name: 'Never' });
    expect(status).toBe(409);
    expect(body.messages).toEqual([expect.stringContaining(`\`${two.uid}\``)]);
    expect((await show(one.id)).body.tag).toEqual(one);
  });

  it('succeeds for one of two requests with the same uid at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await addTag(), await addTag()];
      const uid = `wanted ${++count}`;
      const responses = await Promise.all([change(one.id, { uid }), change(two.id, { uid })]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('returns 404 when it changes a Tag of another account', async () => {
    const tag = await addTag({}, api.other);
    const [unknown, foreign] = [await change(unknownId, { name: 'Mine' }), await change(tag.id, { name: 'Mine' })];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect((await show(tag.id, api.other)).body.tag).toEqual(tag);
  });
});

describe('fields of a Tag', () => {
  it('has a description, and a time since when it is disabled', async () => {
    const tag = await addTag({ description: 'For new people', disabled_at: '2029-04-07' });
    expect(tag).toMatchObject({ description: 'For new people', disabled_at: '2029-04-07T00:00:00.000Z' });
    const { body } = await change(tag.id, { description: null, disabled_at: null });
    expect(body.tag).toMatchObject({ description: null, disabled_at: null });
    const again = await change(tag.id, { disabled_at: '$now' });
    expect((await show(tag.id)).body).toEqual(again.body);
    for (const params of [{ disabled_at: 'soon' }, { description: 'd'.repeat(1001) }])
      expect((await change(tag.id, params)).status).toBe(422);
  });

  it('counts the Experiences that have it, and says when it was last added or removed', async () => {
    const { id } = await addTag();
    const [one, two] = [await addTour({ tag_ids: [id] }), await addTour()];
    const shown = async () => (await show(id)).body.tag;
    const first = await shown();
    expect(first).toMatchObject({ models_count: 1, last_seen_at: expect.any(String) });
    await changeTour(two.id, { tag_id: `+${id}` });
    const second = await shown();
    expect(second.models_count).toBe(2);
    expect(second.last_seen_at >= first.last_seen_at).toBe(true);
    await forgetLastSeen(id);
    await changeTour(two.id, { name: 'Other' });
    expect(await shown()).toMatchObject({ models_count: 2, last_seen_at: null });
    await changeTour(one.id, { tag_ids: [] });
    expect(await shown()).toMatchObject({ models_count: 1, last_seen_at: expect.any(String) });
    const listed = (await list('limit=500')).body.tags.find((tag: { id: string }) => tag.id === id);
    expect(listed).toEqual(await shown());
  });
});

async function forgetLastSeen(id: string): Promise<void> {
  const { account_id } = api.account;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('tags')
      .set({ last_seen_at: null })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute(),
  );
}

describe('bulk', () => {
  const bulk = (updates: unknown, as = api.account) => api.post('/v3/edit/tags/bulk', { updates }, { as });
  const uidsOf = async (id: string) => {
    const { body } = await api.get(`/v3/edit/experiences/${id}`);
    return body.experience.tags.map(({ uid }: { uid: string }) => uid);
  };
  async function addOther(kind: 'launcher' | 'tooltip'): Promise<string> {
    const { body } = await api.post(`/v3/edit/${kind}s`, { name: newName() });
    return body[kind].id;
  }

  it('adds, removes and replaces Tags of Experiences, and creates new ones', async () => {
    const [known, gone] = [await addTag(), await addTag()];
    const tour = await addTour({ tag_ids: [gone.id] });
    const [launcher, tooltip] = [await addOther('launcher'), await addOther('tooltip')];
    const fresh = newName();
    const { status, body } = await bulk([
      { model_id: tour.id, model_type: 'Campaign', tag_id: `+${known.id}` },
      { model_id: tour.id, model_type: 'Campaign', tag_name: `-${gone.name.toUpperCase()}` },
      { model_id: launcher, model_type: 'List', tag_name: `+${fresh}` },
      { model_id: tooltip, model_type: 'Tooltip', tag_names: [fresh, known.name] },
      { model_id: tour.id, model_type: 'Campaign', tag_name: '-Never heard of it' },
    ]);
    expect([status, body.messages]).toEqual([200, undefined]);
    const created = body.tags.find(({ name }: { name: string }) => name === fresh);
    expect(created).toMatchObject({ models_count: 2, last_seen_at: expect.any(String) });
    expect(body.updates).toEqual([
      { model_id: tour.id, model_type: 'Campaign', tag_ids: [known.id] },
      { model_id: tour.id, model_type: 'Campaign', tag_ids: [known.id] },
      { model_id: launcher, model_type: 'List', tag_ids: [created.id] },
      { model_id: tooltip, model_type: 'Tooltip', tag_ids: [created.id, known.id] },
      { model_id: tour.id, model_type: 'Campaign', tag_ids: [known.id] },
    ]);
    expect(await uidsOf(tour.id)).toEqual([known.uid]);
    expect(await uidsOf(tooltip)).toEqual([created.uid, known.uid]);
    expect((await changesOf(tour.id)).at(-1)).toMatchObject({ object: { tag_ids: [[gone.id], [known.id]] } });
    await bulk([{ model_id: tooltip, model_type: 'Tooltip', tag_names: [] }]);
    expect(await uidsOf(tooltip)).toEqual([]);
    expect((await list('limit=500')).text).not.toContain('never_heard');
  });

  it('changes nothing if one update is wrong', async () => {
    const [tour, tag] = [await addTour(), await addTag()];
    const foreign = await api.post('/v3/edit/tours', { name: 'Theirs' }, { as: api.other });
    const good = { model_id: tour.id, model_type: 'Campaign', tag_name: `+${newName()}` };
    const of = { model_id: tour.id, model_type: 'Campaign' };
    const before = await accountRows(api.app, api.account.account_id);
    for (const [wrong, expected, path] of [
      [{ ...good, model_id: unknownId }, 404, 'updates[1].model_id'],
      [{ ...good, model_id: foreign.body.tour.id }, 404, 'updates[1].model_id'],
      [{ ...good, model_type: 'List' }, 404, 'updates[1].model_id'],
      [{ ...of, tag_id: `+${unknownId}` }, 404, 'tag_ids'],
      [{ ...good, model_type: 'tour' }, 422, 'updates[1].model_type'],
      [of, 422, 'updates[1]'],
      [{ ...good, tag_id: `+${tag.id}` }, 422, 'updates[1]'],
      [{ ...of, tag_id: tag.id }, 422, 'updates[1].tag_id'],
      [{ ...of, tag_name: 'No sign' }, 422, 'updates[1].tag_name'],
      [{ ...of, tag_name: '+!?' }, 422, 'updates[1].tag_name'],
      [{ ...of, tag_names: Array.from({ length: 51 }, (_, at) => `Many ${at}`) }, 422, 'updates[1].tag_names'],
      [null, 422, 'updates[1]'],
    ] as const) {
      const { status, body } = await bulk([good, wrong]);
      expect([wrong, status, body.messages]).toEqual([wrong, expected, [expect.stringContaining(path)]]);
    }
    for (const updates of [undefined, [], 'x', Array(501).fill(good)]) expect((await bulk(updates)).status).toBe(422);
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('creates a Tag once when two requests name it at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two, name] = [await addTour(), await addTour(), newName()];
      const update = (id: string) => bulk([{ model_id: id, model_type: 'Campaign', tag_name: `+${name}` }]);
      const responses = await Promise.all([update(one.id), update(two.id)]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(await uidsOf(one.id)).toEqual(await uidsOf(two.id));
      expect(await uidsOf(one.id)).toHaveLength(1);
    }
  });
});

describe('Tags of an Experience', () => {
  it('returns each Tag of an Experience once in tag_ids', async () => {
    const [one, two] = [await addTag(), await addTag()];
    const tour = await addTour({ tag_ids: [two.id, one.id, two.id] });
    expect(tour.tag_ids).toEqual([two.id, one.id]);
    expect((await changeTour(tour.id, { tag_ids: [] })).body.tour.tag_ids).toEqual([]);
  });

  it('adds a Tag with `+` and its ID', async () => {
    const [one, two] = [await addTag(), await addTag()];
    const { id } = await addTour({ tag_ids: [one.id] });
    expect((await changeTour(id, { tag_id: `+${two.id}` })).body.tour.tag_ids).toEqual([one.id, two.id]);
    const again = await changeTour(id, { tag_id: `+${one.id}` });
    expect(again.body.tour).toEqual(await showTour(id));
    expect(again.body.tour.tag_ids).toEqual([one.id, two.id]);
    expect(await changesOf(id)).toMatchObject([
      { kind: 'create' },
      { kind: 'update', path: 'model', object: { tag_ids: [[one.id], [one.id, two.id]] } },
    ]);
  });

  it('removes a Tag with `-` and its ID', async () => {
    const [one, two] = [await addTag(), await addTag()];
    const { id } = await addTour({ tag_ids: [one.id, two.id] });
    expect((await changeTour(id, { tag_id: `-${one.id}` })).body.tour.tag_ids).toEqual([two.id]);
    expect((await changeTour(id, { tag_id: `-${one.id}` })).status).toBe(200);
    expect(await changesOf(id)).toHaveLength(2);
  });

  it('rejects a Tag of another account', async () => {
    const foreign = await addTag({}, api.other);
    const tour = await addTour();
    for (const params of [{ tag_ids: [foreign.id] }, { tag_id: `+${foreign.id}` }, { tag_id: `+${unknownId}` }])
      expect((await changeTour(tour.id, params)).status).toBe(404);
    for (const tag_id of ['', 'x', unknownId, `*${unknownId}`])
      expect((await changeTour(tour.id, { tag_id })).status).toBe(422);
    expect(await showTour(tour.id)).toEqual(tour);
  });
});

describe('delete', () => {
  it('deletes and returns a Tag', async () => {
    const tag = await addTag();
    const { status, body } = await remove(tag.id);
    expect([status, body]).toEqual([200, { tag }]);
    expect((await show(tag.id)).status).toBe(404);
    expect((await remove(tag.id)).status).toBe(404);
    expect(await addTag({ name: tag.name })).toMatchObject({ uid: tag.uid });
  });

  it('removes the Tag from every Experience, and records Changes', async () => {
    const [tag, kept] = [await addTag(), await addTag()];
    const made = await addTour({ tag_ids: [kept.id, tag.id] });
    const { body } = await api.post('/v3/edit/launchers', { name: 'Help', tag_ids: [tag.id] });
    const without = await addTour({ tag_ids: [kept.id] });
    expect((await remove(tag.id)).status).toBe(200);
    expect((await showTour(made.id)).tag_ids).toEqual([kept.id]);
    expect((await api.get(`/v3/edit/launchers/${body.launcher.id}`)).body.launcher.tag_ids).toEqual([]);
    expect((await changesOf(made.id)).slice(1)).toEqual([
      {
        kind: 'update',
        path: 'model',
        object: { tag_ids: [[kept.id, tag.id], [kept.id]] },
        admin_id: api.account.user_id,
      },
    ]);
    expect((await changesOf(body.launcher.id)).at(-1)).toMatchObject({ object: { tag_ids: [[tag.id], []] } });
    expect((await showTour(without.id)).updated_at).toBe(without.updated_at);
    expect(await changesOf(without.id)).toHaveLength(1);
  });

  it('removes the Tag from an Experience that gets it at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const tag = await addTag();
      const [old, fresh] = [await addTour({ tag_ids: [tag.id] }), await addTour()];
      const [params, renamed, made, removed] = await Promise.all([
        changeTour(fresh.id, { tag_id: `+${tag.id}` }),
        changeTour(old.id, { name: 'Renamed meanwhile' }),
        api.post('/v3/edit/tours', { name: 'Made meanwhile', tag_ids: [tag.id] }),
        remove(tag.id),
      ]);
      expect([renamed.status, removed.status]).toEqual([200, 200]);
      expect([200, 404]).toContain(params.status);
      expect([201, 404]).toContain(made.status);
      expect(await showTour(old.id)).toMatchObject({ name: 'Renamed meanwhile', tag_ids: [] });
      for (const id of [fresh.id, ...(made.status === 201 ? [made.body.tour.id] : [])])
        expect((await showTour(id)).tag_ids).toEqual([]);
    }
  });

  it('returns 404 when it deletes a Tag of another account', async () => {
    const tag = await addTag();
    const [unknown, foreign] = [await remove(unknownId, api.other), await remove(tag.id, api.other)];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect((await show(tag.id)).body.tag).toEqual(tag);
  });
});

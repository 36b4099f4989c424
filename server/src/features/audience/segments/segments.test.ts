import { isId, type Segment } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
const plan = { kind: 'property', prop: 'plan', op: 'eq', value: 'pro' };
const uses = (value: string, op = 'ex') => ({ kind: 'segment', op, value });
const group = (...filters: object[]) => ({ kind: 'group', filters, filters_op: 'and' });
let count = 0;
const newName = () => `Segment ${++count}`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

const create = (params: object, as = api.account) => api.post('/v3/edit/segments', params, { as });
async function addSegment(params: object = {}, as = api.account) {
  const { status, body } = await create({ name: newName(), ...params }, as);
  expect(status).toBe(201);
  return body.segment;
}
const show = async (id: string, as = api.account) => (await api.get(`/v3/edit/segments/${id}`, { as })).body.segment;
const list = (query = '', as = api.account) => api.get('/v3/edit/segments', { query, as });
const change = (id: string, params: object) => api.patch(`/v3/edit/segments/${id}`, params);
const remove = (id: string, as = api.account) => api.send('DELETE', `/v3/edit/segments/${id}`, { as });

/** Creates an Experience by the path of its kind. */
async function addExperience(path: string, params: object = {}, as = api.account) {
  const { status, body } = await api.post(`/v3/edit/${path}`, { name: newName(), ...params }, { as });
  expect(status).toBe(201);
  return Object.values<{ id: string; name: string }>(body)[0] as { id: string; name: string };
}
const changeTour = (id: string, params: object) => api.patch(`/v3/edit/tours/${id}`, params);

async function backdate(id: string): Promise<string> {
  const account_id = api.account.account_id;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('segments')
      .set({ updated_at: 1000 })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute(),
  );
  return '1970-01-01T00:00:01.000Z';
}

describe('create', () => {
  it('adds a Segment with every field', async () => {
    const { status, body } = await create({ name: 'Paying', items: [plan], items_op: 'or' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['segment']);
    const { id, created_at, updated_at, ...rest } = body.segment;
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({ name: 'Paying', items: [{ id: rest.items[0].id, ...plan }], items_op: 'or' });
    expect(isId(rest.items[0].id)).toBe(true);
    expect(await show(id)).toEqual(body.segment);
  });

  it('requires only a name, and then has no items', async () => {
    expect(await addSegment()).toMatchObject({ items: [], items_op: 'and' });
  });

  it('returns items in canonical form, with keys in the same order on every engine', async () => {
    const items = [
      { value: 'pro', op: 'eq', prop: 'Plan Name', kind: 'property', extra: 1 },
      { value: 'a, b', op: 'in-v', prop: 'company.Plan', kind: 'property' },
      { int: '7', cond: 'gt-d', range: '3', mod: 'gte', value: 'Signed In', kind: 'event' },
      { range: 'completed', value: unknownId, op: 'nin', kind: 'tour' },
      { range: 9, mod: 'gte', value: unknownId, kind: 'survey' },
      { filters: [{ op: 'ex', prop: 'email', kind: 'property' }], kind: 'group' },
    ];
    const expected = JSON.stringify([
      { kind: 'property', prop: 'plan_name', op: 'eq', value: 'pro' },
      { kind: 'property', prop: 'company.plan', op: 'in-v', value: ['a', 'b'] },
      { kind: 'event', op: 'ex', value: 'signed_in', mod: 'gte', range: 3, cond: 'gt-d', int: 7 },
      { kind: 'tour', op: 'nx', value: unknownId, range: 'completed' },
      { kind: 'survey', op: 'ex', value: unknownId, mod: 'gte', range: 9 },
      { kind: 'group', filters: [{ kind: 'property', prop: 'email', op: 'ex' }], filters_op: 'and' },
    ]);
    const segment = await addSegment({ items });
    const bare = ({ items }: Segment) => JSON.stringify(items.map(({ id: _, ...filter }) => filter));
    expect(bare(segment)).toBe(expected);
    expect(segment.items.map((item: object) => Object.keys(item)[0])).toEqual(items.map(() => 'id'));
    const created = JSON.stringify(segment.items);
    expect(JSON.stringify((await show(segment.id)).items)).toBe(created);
    expect(JSON.stringify((await list()).body.segments[0].items)).toBe(created);
    expect(JSON.stringify((await change(segment.id, { name: newName() })).body.segment.items)).toBe(created);
  });

  it.each([
    ['name', {}],
    ['name', { name: null }],
    ['name', { name: ' ' }],
    ['name', { name: 12 }],
    ['name', { name: 'n'.repeat(256) }],
    ['items', { name: 'A', items: 5 }],
    ['items[0].kind', { name: 'A', items: [{ kind: 'user' }] }],
    ['items[0].prop', { name: 'A', items: [{ op: 'ex' }] }],
    ['items[1].filters[0].op', { name: 'A', items: [plan, group({ ...plan, op: 'like' })] }],
    ['items_op', { name: 'A', items: [plan], items_op: 'xor' }],
  ])('rejects an invalid %s %#', async (path, params) => {
    const before = (await list()).text;
    const { status, body } = await create(params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining(`\`${path}\``)]);
    expect((await list()).text).toBe(before);
  });

  it('accepts the same name twice', async () => {
    const { name } = await addSegment();
    expect((await addSegment({ name })).name).toBe(name);
  });

  it('rejects items that name an unknown Segment or one of another account', async () => {
    const foreign = await addSegment({}, api.other);
    const responses = [
      await create({ name: newName(), items: [uses(unknownId)] }),
      await create({ name: newName(), items: [group(plan, uses(foreign.id, 'nx'))] }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses[1]?.text).toBe(responses[0]?.text);
  });

  it('rejects more than 1000 filters with nested Segments expanded', async () => {
    const wide = await addSegment({ items: Array(199).fill(plan) });
    await addSegment({ items: Array(5).fill(uses(wide.id)) });
    const { status, body } = await create({ name: newName(), items: [...Array(5).fill(uses(wide.id)), plan] });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`items` .*1000 filters/)]);
  });
});

describe('list and show', () => {
  it('lists Segments newest first, page by page', async () => {
    const as = await newAccount();
    const made = [];
    for (let number = 0; number < 5; number++) made.unshift(await addSegment({ items: [plan] }, as));
    const { status, body } = await list('', as);
    expect(status).toBe(200);
    expect(body).toEqual({ segments: made, cursor: { limit: 50, before: null } });
    const first = (await list('limit=3', as)).body;
    expect(first).toEqual({ segments: made.slice(0, 3), cursor: { limit: 3, before: made[2].id } });
    const second = (await list(`limit=3&before=${first.cursor.before}`, as)).body;
    expect(second).toEqual({ segments: made.slice(3), cursor: { limit: 3, before: null } });
    expect((await list(`after=${made[2].id}`, as)).body.segments).toEqual(made.slice(0, 2));
  });

  it('lists only Segments of the account', async () => {
    await addSegment();
    expect((await list('', await newAccount())).body.segments).toEqual([]);
  });

  it('shows a Segment, and returns 404 to other accounts', async () => {
    const segment = await addSegment({ items: [plan] });
    const { status, body } = await api.get(`/v3/edit/segments/${segment.id}`);
    expect([status, body]).toEqual([200, { segment }]);
    const foreign = await api.get(`/v3/edit/segments/${segment.id}`, { as: api.other });
    const unknown = await api.get(`/v3/edit/segments/${unknownId}`);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  });
});

describe('update', () => {
  it.each(['PUT', 'PATCH'])('%s changes only what is given', async (method) => {
    const segment = await addSegment({ items: [plan], items_op: 'or' });
    const update = async (body: object) =>
      (await api.send(method, `/v3/edit/segments/${segment.id}`, { body })).body.segment;
    const renamed = await update({ name: 'Renamed' });
    expect(renamed).toEqual({ ...segment, name: 'Renamed', updated_at: renamed.updated_at });
    const emptied = await update({ items: [] });
    expect(emptied).toEqual({ ...renamed, items: [], updated_at: emptied.updated_at });
    const joined = await update({ items_op: 'and' });
    expect(joined).toEqual({ ...emptied, items_op: 'and', updated_at: joined.updated_at });
    expect(await show(segment.id)).toEqual(joined);
  });

  it('keeps updated_at when nothing changes', async () => {
    const items = [{ kind: 'event', value: 'a', mod: 'gt', range: 3, cond: 'gt-d', int: 1 }, group(plan)];
    const { id, name, items: kept, items_op } = await addSegment({ items });
    const before = await backdate(id);
    for (const params of [{}, { name }, { items: kept }, { items }, { name, items, items_op }])
      expect((await change(id, params)).body.segment.updated_at).toBe(before);
  });

  it('keeps the IDs of known items and gives new IDs to the others', async () => {
    const other = { ...plan, value: 'free' };
    const { id, items } = await addSegment({ items: [plan, other] });
    const [first, second] = items;
    expect(new Set(items.map((item: { id: string }) => item.id)).size).toBe(2);
    const changed = async (...params: object[]) => (await change(id, { items: params })).body.segment.items;
    expect(await changed(second, first)).toEqual([second, first]);
    expect(await changed({ ...second, value: 'max' }, first)).toEqual([{ ...second, value: 'max' }, first]);
    expect(await changed(plan)).toEqual([first]);
    const [kept, twice, fresh] = await changed(first, first, { ...plan, id: unknownId });
    expect(kept).toEqual(first);
    expect([twice, fresh].map(({ id: _, ...filter }) => filter)).toEqual([plan, plan]);
    expect(new Set([first.id, second.id, unknownId, twice.id, fresh.id]).size).toBe(5);
    expect((await change(id, { items: [{ ...plan, id: 'x' }] })).body.messages).toEqual([
      '`items[0].id` must be the ID of an item that is there, or none for a new one',
    ]);
  });

  it('updates updated_at when something changes', async () => {
    const { id, created_at } = await addSegment();
    await backdate(id);
    const { body } = await change(id, { items_op: 'or' });
    expect(Date.parse(body.segment.updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['items', { items: null }],
    ['items[0].prop', { items: [{ ...plan, prop: '' }] }],
    ['items_op', { items_op: null }],
  ])('rejects an invalid %s %#', async (path, params) => {
    const segment = await addSegment({ items: [plan] });
    const { status, body } = await change(segment.id, params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining(`\`${path}\``)]);
    expect(await show(segment.id)).toEqual(segment);
  });

  it('returns 404 for an unknown Segment or one of another account, and changes nothing', async () => {
    const segment = await addSegment({}, api.other);
    const [unknown, foreign] = [await change(unknownId, { name: 'Mine' }), await change(segment.id, { name: 'Mine' })];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect(await show(segment.id, api.other)).toEqual(segment);
  });

  it('rejects items that name an unknown Segment', async () => {
    const segment = await addSegment();
    expect((await change(segment.id, { items: [uses(unknownId)] })).status).toBe(404);
    expect(await show(segment.id)).toEqual(segment);
  });

  it('rejects a Segment that contains itself, and names the path', async () => {
    const a = await addSegment();
    const b = await addSegment({ items: [uses(a.id)] });
    const c = await addSegment({ items: [group(plan, uses(b.id, 'nx'))] });
    for (const [path, items] of [
      ['items[0].value', [uses(a.id)]],
      ['items[1].value', [plan, uses(b.id)]],
      ['items[0].filters[1].value', [group(plan, uses(c.id))]],
    ] as const) {
      const { status, body } = await change(a.id, { items });
      expect(status).toBe(422);
      expect(body.messages).toEqual([expect.stringContaining(`\`${path}\``)]);
    }
    expect(await show(a.id)).toEqual(a);
    expect((await change(c.id, { items: [uses(a.id), uses(b.id)] })).status).toBe(200);
  });

  it('accepts one of two concurrent changes that together form a cycle', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await addSegment(), await addSegment()];
      const responses = await Promise.all([
        change(a.id, { items: [uses(b.id)] }),
        change(b.id, { items: [uses(a.id)] }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });

  it('rejects more than 1000 filters with nested Segments expanded', async () => {
    const wide = await addSegment({ items: Array(199).fill(plan) });
    const user = await addSegment();
    expect((await change(user.id, { items: Array(5).fill(uses(wide.id)) })).status).toBe(200);
    expect((await change(user.id, { items: Array(6).fill(uses(wide.id)) })).status).toBe(422);
  });
});

describe('delete', () => {
  it('deletes an unused Segment and returns it', async () => {
    const segment = await addSegment({ items: [plan] });
    const { status, body } = await remove(segment.id);
    expect([status, body]).toEqual([200, { segment }]);
    expect((await api.get(`/v3/edit/segments/${segment.id}`)).status).toBe(404);
    expect((await remove(segment.id)).status).toBe(404);
  });

  it('returns 409 for a Segment that others use, and names them', async () => {
    const segment = await addSegment();
    const user = await addSegment({ items: [group(uses(segment.id, 'nx'))] });
    const { status, body } = await remove(segment.id);
    expect(status).toBe(409);
    expect(body.messages).toEqual([expect.stringContaining(`"${user.name}"`)]);
    expect(await show(segment.id)).toEqual(segment);
    await remove(user.id);
    expect((await remove(segment.id)).status).toBe(200);
  });

  it.each([
    ['tours', 'segment_ids'],
    ['surveys', 'segment_ids'],
    ['tours', 'excluded_segment_ids'],
    ['launchers', 'segment_ids'],
    ['launchers', 'an item'],
    ['tooltips', 'segment_ids'],
    ['embeds', 'segment_ids'],
  ])('returns 409 for a Segment that %s use by %s, and names them', async (path, by) => {
    const segment = await addSegment();
    const params = by === 'an item' ? { items: [{ title: 'A', segment_id: segment.id }] } : { [by]: [segment.id] };
    const user = await addExperience(path, params);
    const { status, body } = await remove(segment.id);
    expect(status).toBe(409);
    expect(body.messages).toEqual([expect.stringContaining(`the ${path.slice(0, -1)} "${user.name}"`)]);
    expect(await show(segment.id)).toEqual(segment);
    await api.patch(`/v3/edit/${path}/${user.id}`, { segment_ids: [], excluded_segment_ids: [], items: [] });
    expect((await remove(segment.id)).status).toBe(200);
  });

  it('names ten of many users of a Segment', async () => {
    const segment = await addSegment();
    const user = await addSegment({ items: [uses(segment.id)] });
    const tours = [];
    for (let number = 0; number < 10; number++) tours.push(await addExperience('tours', { segment_ids: [segment.id] }));
    const [message] = (await remove(segment.id)).body.messages;
    const named = [user, ...tours].filter(({ name }) => message.includes(`"${name}"`));
    expect(named).toEqual([user, ...tours.slice(0, 9)]);
    expect(message).toContain(' and others');
  });

  it('returns 409 for a Segment that only a published or scheduled version uses', async () => {
    const segment = await addSegment();
    const tour = await addExperience('tours', { segment_ids: [segment.id], steps: [{ title: 'Hello' }] });
    expect((await changeTour(tour.id, { published_at: '$now' })).status).toBe(200);
    expect((await changeTour(tour.id, { segment_ids: [] })).status).toBe(200);
    const { status, body } = await remove(segment.id);
    expect(status).toBe(409);
    expect(body.messages).toEqual([expect.stringContaining(`the published tour "${tour.name}"`)]);
    expect((await changeTour(tour.id, { segment_ids: [segment.id], published_at: '+1d' })).status).toBe(200);
    expect((await changeTour(tour.id, { segment_ids: [] })).status).toBe(200);
    expect((await remove(segment.id)).status).toBe(409);
    expect((await changeTour(tour.id, { published_at: null })).status).toBe(200);
    expect((await remove(segment.id)).status).toBe(200);
  });

  it('deletes a Segment that only a deleted Experience used', async () => {
    const segment = await addSegment();
    const tour = await addExperience('tours', { segment_ids: [segment.id] });
    expect((await api.send('DELETE', `/v3/edit/tours/${tour.id}`)).status).toBe(200);
    expect((await remove(segment.id)).status).toBe(200);
  });

  it('leaves no Experience with a Segment that is deleted concurrently', async () => {
    for (let round = 0; round < 20; round++) {
      const segment = await addSegment();
      const [tour, launcher] = [await addExperience('tours'), await addExperience('launchers')];
      const [removed, ...uses] = await Promise.all([
        remove(segment.id),
        changeTour(tour.id, { segment_ids: [segment.id] }),
        api.post(`/v3/edit/launchers/${launcher.id}/items`, { title: 'A', segment_id: segment.id }),
        api.post('/v3/edit/tours', { name: newName(), segment_ids: [segment.id] }),
      ]);
      const rejected = uses.filter(({ status }) => status === 404);
      expect([200, 409]).toContain(removed.status);
      expect(rejected.length === uses.length).toBe(removed.status === 200);
      expect((await api.get(`/v3/edit/segments/${segment.id}`)).status).toBe(removed.status === 200 ? 404 : 200);
    }
  });

  it('leaves no published version with a Segment that is deleted concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const segment = await addSegment();
      const tour = await addExperience('tours', { segment_ids: [segment.id], steps: [{ title: 'Hello' }] });
      const [published, removed] = await Promise.all([
        changeTour(tour.id, { published_at: '$now' }),
        remove(segment.id),
      ]);
      expect([published.status, removed.status]).toEqual([200, 409]);
    }
  });

  it('does not delete a Segment of another account', async () => {
    const segment = await addSegment();
    const [unknown, foreign] = [await remove(unknownId, api.other), await remove(segment.id, api.other)];
    expect(unknown.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect(await show(segment.id)).toEqual(segment);
  });

  it('leaves no Segment with a Segment that is deleted concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const segment = await addSegment();
      const [used, removed] = await Promise.all([
        create({ name: newName(), items: [uses(segment.id)] }),
        remove(segment.id),
      ]);
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([used.status, removed.status]);
    }
  });
});

describe('the uses of a Segment', () => {
  const users = (id: string, kind: string) => api.get(`/v3/edit/segments/${id}/${kind}`);

  it('lists the Segments that use it, newest first', async () => {
    const segment = await addSegment();
    const first = await addSegment({ items: [uses(segment.id)] });
    const second = await addSegment({ items: [plan, group(uses(segment.id, 'nx'))] });
    await addSegment({ items: [uses(first.id)] });
    const { status, body } = await users(segment.id, 'segments');
    const cursor = { limit: 50, before: null };
    expect([status, body]).toEqual([200, { segments: [second, first], segment, cursor }]);
    expect(Object.keys(body)).toEqual(['segments', 'segment', 'cursor']);
    expect((await users(second.id, 'segment')).body).toEqual({ segments: [], segment: second, cursor });
    const page = await api.get(`/v3/edit/segments/${segment.id}/segment`, { query: 'limit=1' });
    expect(page.body).toEqual({ segments: [second], segment, cursor: { limit: 1, before: second.id } });
  });

  it.each(['tours', 'surveys', 'launchers', 'tooltips', 'embeds'])(
    'lists the complete %s that use it',
    async (kind) => {
      const segment = await addSegment();
      const [first, second] = [
        await addExperience(kind, { segment_ids: [segment.id] }),
        await addExperience(kind, { excluded_segment_ids: [(await addSegment()).id, segment.id] }),
      ];
      const others = ['tours', 'surveys', 'launchers', 'tooltips', 'embeds'].filter((one) => one !== kind);
      await addExperience(others[0] as string, { segment_ids: [segment.id] });
      await addExperience(kind);
      const { status, body } = await users(segment.id, kind);
      const cursor = { limit: 50, before: null };
      expect([status, body]).toEqual([200, { [kind]: [second, first], segment, cursor }]);
      expect((await users(segment.id, kind.slice(0, -1))).body).toEqual(body);
      const next = await api.get(`/v3/edit/segments/${segment.id}/${kind}`, { query: `limit=1&before=${second.id}` });
      expect(next.body).toEqual({ [kind]: [first], segment, cursor: { limit: 1, before: null } });
      const own = (await api.get(`/v3/edit/${kind}`)).body[kind];
      expect(JSON.stringify(body[kind])).toBe(
        JSON.stringify(own.filter(({ id }: { id: string }) => [first.id, second.id].includes(id))),
      );
      expect((await users((await addSegment()).id, kind)).body).toMatchObject({ [kind]: [], cursor });
    },
  );

  it('lists a launcher with an item that uses it once', async () => {
    const segment = await addSegment();
    const item = { title: 'A', segment_id: segment.id };
    const launcher = await addExperience('launchers', { segment_ids: [segment.id], items: [item, item] });
    const other = await addExperience('launchers', { items: [{ title: 'B' }, item] });
    await addExperience('launchers', { title: segment.id, items: [{ title: segment.id }] });
    expect((await users(segment.id, 'launchers')).body.launchers).toEqual([other, launcher]);
  });

  it('returns 404 for other kinds and for Segments of other accounts', async () => {
    const segment = await addSegment();
    for (const kind of ['users', 'tourss', 'constructor', 's'])
      expect((await users(segment.id, kind)).status).toBe(404);
    expect((await users(unknownId, 'segments')).status).toBe(404);
    expect((await users((await addSegment({}, api.other)).id, 'segments')).status).toBe(404);
  });
});

describe('a Segment that names a tour or survey', () => {
  const asks = (kind: string, value: string) => ({ kind, op: 'ex', value });

  it.each(['tour', 'survey'])('returns 409 for the deletion of a %s that it names', async (kind) => {
    const experience = await addExperience(`${kind}s`);
    const removeIt = () => api.send('DELETE', `/v3/edit/${kind}s/${experience.id}`);
    const plainly = await addSegment({ items: [plan, asks(kind, experience.id)] });
    const deeply = await addSegment({ items: [group(plan, group(asks(kind, experience.id)))] });
    await addSegment({ items: [{ ...plan, value: experience.id }, asks(kind, unknownId)] });
    const { status, body } = await removeIt();
    expect(status).toBe(409);
    expect(body.messages).toEqual([expect.stringContaining(`"${plainly.name}", "${deeply.name}":`)]);
    await remove(plainly.id);
    expect((await removeIt()).status).toBe(409);
    await change(deeply.id, { items: [] });
    expect((await removeIt()).status).toBe(200);
  });
});

describe('two administrators who change the same Segment', () => {
  it('returns 409 to the one who has seen an older state, and changes nothing', async () => {
    const segment = await addSegment();
    const { updated_at } = segment;
    const mine = await change(segment.id, { name: 'Mine', updated_at });
    expect(mine.status).toBe(200);
    expect(mine.body.segment.updated_at > updated_at).toBe(true);
    const theirs = await change(segment.id, { name: 'Theirs', items: [plan], updated_at });
    expect([theirs.status, theirs.body.messages]).toEqual([
      409,
      [expect.stringMatching(/^Somebody changed this Segment/)],
    ]);
    expect(await show(segment.id)).toEqual(mine.body.segment);
    expect((await change(segment.id, { name: 'Theirs', updated_at: mine.body.segment.updated_at })).status).toBe(200);
    expect((await change(segment.id, { name: 'A', updated_at: 'soon' })).status).toBe(422);
  });
});

describe('the list with counts', () => {
  const counted = async (query = '', as = api.account) => (await api.get('/v3/analyze/segments', { query, as })).body;
  const none = { segments: 0, tours: 0, surveys: 0, launchers: 0, tooltips: 0, embeds: 0 };

  it('has how many of each kind use a Segment in their draft', async () => {
    const as = await newAccount();
    const segment = await addSegment({}, as);
    const user = await addSegment({ items: [group(uses(segment.id, 'nx'))] }, as);
    await addSegment({}, api.other);
    await addExperience('tours', { segment_ids: [segment.id], excluded_segment_ids: [segment.id] }, as);
    await addExperience('tours', { excluded_segment_ids: [segment.id] }, as);
    await addExperience('launchers', { items: [{ title: 'A', segment_id: segment.id }] }, as);
    const { segments, cursor } = await counted('', as);
    const people = { count: 0, estimate: 0, is_complete: true, counted_at: expect.any(String) };
    expect(segments).toEqual([
      { ...user, ...people, uses: none },
      { ...segment, ...people, uses: { ...none, segments: 1, tours: 2, launchers: 1 } },
    ]);
    expect(cursor).toEqual({ limit: 50, before: null });
    expect(await counted('limit=1', as)).toEqual({
      segments: [segments[0]],
      counting: null,
      cursor: { limit: 1, before: user.id },
    });
    expect((await counted(`before=${user.id}`, as)).segments).toEqual([segments[1]]);
  });

  it('has what keeps a Segment from being deleted, also if only users see it', async () => {
    const segment = await addSegment();
    const user = await addSegment({ items: [uses(segment.id)] });
    const steps = [{ title: 'Hello' }];
    const tour = await addExperience('tours', { segment_ids: [segment.id], steps, published_at: '$now' });
    const survey = await addExperience('surveys', { segment_ids: [segment.id] });
    await changeTour(tour.id, { segment_ids: [] });
    const read = async (as = api.account) => api.get(`/v3/analyze/segments/${segment.id}/uses`, { as });
    expect((await read()).body.uses).toEqual({
      segments: [{ id: user.id, name: user.name }],
      experiences: [
        { id: tour.id, kind: 'tour', name: tour.name, is_in_draft: false },
        { id: survey.id, kind: 'survey', name: survey.name, is_in_draft: true },
      ],
      themes: [],
      goals: [],
    });
    expect((await read(api.other)).status).toBe(404);
    expect((await remove(segment.id)).status).toBe(409);
  });
});

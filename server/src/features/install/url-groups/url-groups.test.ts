import { firstIdAt, isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
const time = '2029-04-07T12:18:00.000Z';
const earlier = '2028-01-01T00:00:00.000Z';
let count = 0;

const create = (params: object, as = api.account) => api.post('/v3/edit/url_groups', params, { as });
async function addEnvironment(params: object = {}, as = api.account) {
  const { status, body } = await create({ name: 'Staging', ...params }, as);
  expect(status).toBe(201);
  return body.url_group;
}
async function addUrl(params: object) {
  const { body } = await api.post('/v3/edit/urls', { host: `e${++count}.example.com`, ...params });
  return body.url;
}
const patch = (id: string, params: object) => api.patch(`/v3/edit/url_groups/${id}`, params);
const update = async (id: string, params: object) => (await patch(id, params)).body.url_group;
const show = async (id: string) => (await api.get(`/v3/edit/url_groups/${id}`)).body.url_group;
const showUrl = async (id: string) => (await api.get(`/v3/edit/urls/${id}`)).body.url;

/** Sets `updated_at` to a time long ago, so that a change is visible however fast the test runs. */
async function backdate(table: 'url_groups' | 'urls', id: string): Promise<string> {
  const account_id = api.account.account_id;
  await api.app.storage.write(account_id, (db) =>
    db.updateTable(table).set({ updated_at: 1000 }).where('account_id', '=', account_id).where('id', '=', id).execute(),
  );
  return '1970-01-01T00:00:01.000Z';
}

describe('create', () => {
  it('adds an Environment with every field', async () => {
    const params = {
      name: 'Staging EU',
      description: 'Before release',
      short_name: 'STG',
      style_short_name_color: '1E90FF',
    };
    const { status, body } = await create(params);
    expect(status).toBe(201);
    const { id, created_at, updated_at, ...rest } = body.url_group;
    expect(isId(id)).toBe(true);
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
    expect(rest).toEqual({ ...params, archived_at: null });
    expect((await api.get(`/v3/edit/url_groups/${id}`)).body).toEqual(body);
  });

  it('requires only a name', async () => {
    const { id, created_at, updated_at, ...rest } = await addEnvironment({ name: 'Only a name' });
    expect(rest).toEqual({
      name: 'Only a name',
      description: null,
      short_name: null,
      style_short_name_color: null,
      archived_at: null,
    });
    expect(await show(id)).toEqual({ id, created_at, updated_at, ...rest });
  });

  it('returns the Environment as url_group and as url', async () => {
    const { body, text } = await create({ name: 'Both' });
    expect(body.url).toEqual(body.url_group);
    expect(text).toMatch(/^\{"url_group":\{[^}]*\},"url":\{[^}]*\}\}$/);
  });

  it.each([
    ['missing', {}],
    ['empty', { name: '' }],
    ['blank', { name: ' \t' }],
    ['null', { name: null }],
    ['a number', { name: 12 }],
    ['a list', { name: ['Staging'] }],
    ['256 characters long', { name: 'n'.repeat(256) }],
    ['not storable', { name: 'a\0b' }],
  ])('rejects a name that is %s', async (_, params) => {
    const { status, body } = await create(params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining('`name`')]);
  });

  it('accepts a name of 255 characters and a name that exists already', async () => {
    const name = '名'.repeat(255);
    const [first, second] = [await addEnvironment({ name }), await addEnvironment({ name })];
    expect(second.name).toBe(name);
    expect(second.id).not.toBe(first.id);
  });

  it.each(['S', 'ST', 'STG', '測試', '😀😀😀', 'a b'])('accepts %s as a short name', async (short_name) => {
    const { id } = await addEnvironment({ short_name });
    expect((await show(id)).short_name).toBe(short_name);
  });

  it.each(['PROD', '😀😀😀😀', '   ', 12, {}])('rejects %j as a short name', async (short_name) => {
    const { status, body } = await create({ name: 'Staging', short_name });
    expect(status).toBe(422);
    expect(body.messages).toEqual([
      expect.stringMatching(/^`short_name` (must .*1 to 3 characters|has 4 characters: 3 at most)/),
    ]);
  });

  it.each([
    ['1e90ff', '1E90FF'],
    ['1E90FF', '1E90FF'],
    ['aBcDeF', 'ABCDEF'],
    ['000000', '000000'],
  ])('stores the color %s as %s', async (params, stored) => {
    const { id } = await addEnvironment({ style_short_name_color: params });
    expect((await show(id)).style_short_name_color).toBe(stored);
  });

  it.each(['#1E90FF', '1E90F', '1E90FF0', 'red', 'GGGGGG', '1E90FF\n', 123456])(
    'rejects the color %j',
    async (style_short_name_color) => {
      const { status, body } = await create({ name: 'Staging', style_short_name_color });
      expect(status).toBe(422);
      expect(body.messages).toEqual([expect.stringMatching(/^`style_short_name_color` must be /)]);
    },
  );

  it.each([null, ''])('reads %j in an optional field as null', async (nothing) => {
    const params = { description: nothing, short_name: nothing, style_short_name_color: null };
    expect(await addEnvironment(params)).toMatchObject({
      description: null,
      short_name: null,
      style_short_name_color: null,
    });
  });

  it.each([12, {}, 'd'.repeat(2001)])('rejects a wrong description %#', async (description) => {
    const { status, body } = await create({ name: 'Staging', description });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`description` (must be |has 2001 characters)/)]);
  });
});

describe('show', () => {
  it('returns one Environment under both names', async () => {
    const group = await addEnvironment();
    const { status, body, text } = await api.get(`/v3/edit/url_groups/${group.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ url_group: group, url: group });
    expect(text.startsWith('{"url_group":{')).toBe(true);
  });

  it('returns 404 when it shows an Environment of another account', async () => {
    const { id } = await addEnvironment({}, api.other);
    expect((await api.get(`/v3/edit/url_groups/${id}`)).status).toBe(404);
  });
});

describe('update', () => {
  it.each(['PUT', 'PATCH'])('%s changes only the given fields', async (method) => {
    const group = await addEnvironment({ description: 'One', short_name: 'STG', style_short_name_color: '1E90FF' });
    const { status, body } = await api.send(method, `/v3/edit/url_groups/${group.id}`, { body: { name: 'Renamed' } });
    expect(status).toBe(200);
    const expected = { ...group, name: 'Renamed', updated_at: body.url_group.updated_at };
    expect(body).toEqual({ url_group: expected, url: expected });
    expect(await show(group.id)).toEqual(expected);
  });

  it.each([
    { name: 'Other' },
    { description: 'Other' },
    { short_name: 'O' },
    { style_short_name_color: 'FFFFFF' },
    { archived_at: time },
  ])('changes only %j', async (params) => {
    const group = await addEnvironment({ description: 'One', short_name: 'STG', style_short_name_color: '1E90FF' });
    const changed = await update(group.id, params);
    expect(changed).toEqual({ ...group, ...params, updated_at: changed.updated_at });
    expect(await show(group.id)).toEqual(changed);
  });

  it.each([
    ['description', null],
    ['description', ''],
    ['short_name', null],
    ['short_name', ''],
    ['style_short_name_color', null],
  ])('clears %s by %j', async (name, nothing) => {
    const { id } = await addEnvironment({ description: 'One', short_name: 'STG', style_short_name_color: '1E90FF' });
    expect((await update(id, { [name]: nothing }))[name]).toBeNull();
    expect((await show(id))[name]).toBeNull();
  });

  it('stores a new color in upper case', async () => {
    const { id } = await addEnvironment();
    expect((await update(id, { style_short_name_color: 'abcdef' })).style_short_name_color).toBe('ABCDEF');
  });

  it('archives and unarchives', async () => {
    const { id } = await addEnvironment();
    expect((await update(id, { archived_at: time })).archived_at).toBe(time);
    expect((await show(id)).archived_at).toBe(time);
    expect((await update(id, { archived_at: null })).archived_at).toBeNull();
    expect((await show(id)).archived_at).toBeNull();
  });

  it.each([
    ['2029-04-07', '2029-04-07T00:00:00.000Z'],
    ['2029-04-07 12:18:00', time],
    [1870258680, time],
    ['1870258680', time],
  ])('reads the time %j as %s', async (archived_at, expected) => {
    const { id } = await addEnvironment();
    expect((await update(id, { archived_at })).archived_at).toBe(expected);
  });

  it.each([
    ['$now', 0],
    ['+30d', 30 * 86_400_000],
  ])('reads the time %s from now', async (archived_at, offset) => {
    const { id } = await addEnvironment();
    const before = Date.now();
    const read = Date.parse((await update(id, { archived_at })).archived_at) - offset;
    expect(read).toBeGreaterThanOrEqual(before);
    expect(read).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    { name: '' },
    { name: null },
    { description: 12 },
    { short_name: 'PROD' },
    { style_short_name_color: '#1E90FF' },
    { archived_at: 'soon' },
    { urls_action_on_archive: 'delete' },
    { urls_action_on_archive: null },
  ])('rejects the change %j', async (params) => {
    const group = await addEnvironment();
    const { status, body } = await patch(group.id, { description: 'New', ...params });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(`^\`${Object.keys(params)[0]}\` (must|has)`)]);
    expect(await show(group.id)).toEqual(group);
  });

  it.each([{}, { name: 'Staging' }, { style_short_name_color: '1e90ff' }, { archived_at: time }, { description: '' }])(
    'keeps updated_at when %j changes nothing',
    async (params) => {
      const { id } = await addEnvironment({ style_short_name_color: '1E90FF' });
      await update(id, { archived_at: time });
      const before = await backdate('url_groups', id);
      expect((await update(id, params)).updated_at).toBe(before);
      expect((await show(id)).updated_at).toBe(before);
    },
  );

  it('changes updated_at when something changes', async () => {
    const { id, created_at } = await addEnvironment();
    await backdate('url_groups', id);
    const { updated_at } = await update(id, { name: 'Other' });
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
    expect((await show(id)).updated_at).toBe(updated_at);
  });

  it.each([
    ['unknown', async () => unknownId],
    ['of another account', async () => (await addEnvironment({}, api.other)).id],
  ])('returns 404 for an Environment that is %s', async (_, strange) => {
    expect((await patch(await strange(), { name: 'Other' })).status).toBe(404);
  });

  it('does not change an Environment of another account', async () => {
    const group = await addEnvironment({}, api.other);
    await patch(group.id, { name: 'Mine now', archived_at: time, urls_action_on_archive: 'archive' });
    const { body } = await api.get(`/v3/edit/url_groups/${group.id}`, { as: api.other });
    expect(body.url_group).toEqual(group);
  });
});

describe('Urls of an archived Environment', () => {
  it.each([[{ urls_action_on_archive: 'ignore' }], [{}]])('leaves the Urls unchanged with %j', async (action) => {
    const { id } = await addEnvironment();
    const url = await addUrl({ url_group_id: id });
    expect((await update(id, { archived_at: time, ...action })).archived_at).toBe(time);
    expect(await showUrl(url.id)).toEqual(url);
  });

  it('archives the Urls of an Environment on request', async () => {
    const { id } = await addEnvironment();
    const urls = [await addUrl({ url_group_id: id }), await addUrl({ url_group_id: id, enabled: 'off' })];
    for (const url of urls) await backdate('urls', url.id);
    await update(id, { archived_at: time, urls_action_on_archive: 'archive' });
    for (const url of urls) {
      const archived = await showUrl(url.id);
      expect(archived).toEqual({ ...url, archived_at: time, unlisted: true, updated_at: archived.updated_at });
      expect(Date.parse(archived.updated_at)).toBeGreaterThanOrEqual(Date.parse(url.created_at));
    }
  });

  it('archives the Urls also at the time 0', async () => {
    const { id } = await addEnvironment();
    const url = await addUrl({ url_group_id: id });
    await update(id, { archived_at: '1970-01-01', urls_action_on_archive: 'archive' });
    expect((await showUrl(url.id)).archived_at).toBe('1970-01-01T00:00:00.000Z');
  });

  it('keeps the time of Urls that were archived before', async () => {
    const { id } = await addEnvironment();
    const url = await addUrl({ url_group_id: id, archived_at: earlier });
    await backdate('urls', url.id);
    await update(id, { archived_at: time, urls_action_on_archive: 'archive' });
    expect(await showUrl(url.id)).toEqual({ ...url, updated_at: '1970-01-01T00:00:01.000Z' });
  });

  it('archives no Urls of other Environments', async () => {
    const { id } = await addEnvironment();
    const urls = [await addUrl({ url_group_id: (await addEnvironment()).id }), await addUrl({})];
    await update(id, { archived_at: time, urls_action_on_archive: 'archive' });
    for (const url of urls) expect(await showUrl(url.id)).toEqual(url);
  });

  it('keeps the Urls archived when the Environment is unarchived', async () => {
    const { id } = await addEnvironment();
    const url = await addUrl({ url_group_id: id });
    await update(id, { archived_at: time, urls_action_on_archive: 'archive' });
    const archived = await showUrl(url.id);
    await update(id, { archived_at: null, urls_action_on_archive: 'archive' });
    expect(archived.archived_at).toBe(time);
    expect(await showUrl(url.id)).toEqual(archived);
  });

  it('keeps the Urls listed when the Environment itself is not archived', async () => {
    const { id } = await addEnvironment();
    const url = await addUrl({ url_group_id: id });
    await update(id, { name: 'Other', urls_action_on_archive: 'archive' });
    expect(await showUrl(url.id)).toEqual(url);
  });

  it('archives the Urls even if the Environment was archived before', async () => {
    const { id } = await addEnvironment();
    const url = await addUrl({ url_group_id: id });
    await update(id, { archived_at: time });
    await update(id, { archived_at: time, urls_action_on_archive: 'archive' });
    expect((await showUrl(url.id)).archived_at).toBe(time);
  });

  it('keeps archived Urls in their Environment', async () => {
    const { id } = await addEnvironment();
    const url = await addUrl({ url_group_id: id });
    await update(id, { archived_at: time, urls_action_on_archive: 'archive' });
    expect((await showUrl(url.id)).url_group_id).toBe(id);
  });
});

describe('list', () => {
  it('returns url_groups, then the same list as urls, then the cursor', async () => {
    const as = await createAccount(api.app, { name: 'Lists', email: 'lists@acme.test' });
    const groups = [];
    for (const name of ['One', 'Two', 'Three']) groups.unshift(await addEnvironment({ name }, as));
    const { status, body, text } = await api.get('/v3/edit/url_groups', { as });
    expect(status).toBe(200);
    expect(body).toEqual({ url_groups: groups, urls: groups, cursor: { limit: 50, before: null } });
    const array = JSON.stringify(groups);
    expect(text).toBe(`{"url_groups":${array},"urls":${array},"cursor":{"limit":50,"before":null}}`);
  });

  it('returns an empty list for an account without Environments', async () => {
    const as = await createAccount(api.app, { name: 'Empty', email: 'empty@acme.test' });
    const { text } = await api.get('/v3/edit/url_groups', { as });
    expect(text).toBe('{"url_groups":[],"urls":[],"cursor":{"limit":50,"before":null}}');
  });

  it('includes archived Environments', async () => {
    const { id } = await addEnvironment();
    await update(id, { archived_at: time });
    const { body } = await api.get('/v3/edit/url_groups?limit=1');
    expect(body.url_groups).toEqual([expect.objectContaining({ id, archived_at: time })]);
  });

  it('pages with limit, before and after', async () => {
    const as = await createAccount(api.app, { name: 'Pages', email: 'pages@acme.test' });
    const ids = [1, 2, 3, 4, 5].map((day) => firstIdAt(Date.UTC(2020, 0, day)));
    await api.app.storage.write(as.account_id, (db) =>
      db
        .insertInto('url_groups')
        .values(ids.map((id) => ({ account_id: as.account_id, id, name: id, updated_at: 1000 })))
        .execute(),
    );
    const page = async (query: string) => {
      const { body } = await api.get('/v3/edit/url_groups', { as, query });
      return [...body.url_groups.map((group: { id: string }) => ids.indexOf(group.id)), body.cursor.before];
    };
    expect(await page('limit=2')).toEqual([4, 3, ids[3]]);
    expect(await page(`limit=2&before=${ids[3]}`)).toEqual([2, 1, ids[1]]);
    expect(await page(`limit=2&before=${ids[1]}`)).toEqual([0, null]);
    expect(await page(`after=${ids[2]}`)).toEqual([4, 3, null]);
    expect(await page('before=2020-01-03')).toEqual([1, 0, null]);
    expect(await page(`before=${ids[4]}&after=2020-01-02`)).toEqual([3, 2, null]);
  });
});

describe('Environments of an Experience', () => {
  const addTour = async (params: object = {}) =>
    (await api.post('/v3/edit/tours', { name: 'Welcome', ...params })).body.tour;
  const changeTour = (id: string, params: object) => api.patch(`/v3/edit/tours/${id}`, params);

  it('has no Environments at first, which means all of them', async () => {
    await addEnvironment();
    expect(await addTour()).toMatchObject({ url_group_ids: [], url_groups: [] });
    const { id } = await addEnvironment();
    const assigned = await addTour({ url_group_ids: [id] });
    expect(assigned).toMatchObject({ url_group_ids: [id] });
    const { body } = await changeTour(assigned.id, { url_group_ids: [] });
    expect(body.tour).toMatchObject({ url_group_ids: [], url_groups: [] });
  });

  it('returns the Environments with their names in url_groups', async () => {
    const [one, two] = [await addEnvironment({ name: 'One' }), await addEnvironment({ name: 'Two' })];
    const tour = await addTour({ url_group_ids: [two.id, one.id] });
    const url_groups = [
      { id: one.id, name: 'One', short_name: null, urls: [] },
      { id: two.id, name: 'Two', short_name: null, urls: [] },
    ];
    expect(tour).toMatchObject({ url_group_ids: [two.id, one.id], url_groups });
    await update(one.id, { name: 'First', archived_at: time });
    const { body } = await api.get(`/v3/edit/tours/${tour.id}`);
    expect(body.tour).toEqual({
      ...tour,
      audience_summary: tour.audience_summary.replace('One', 'First'),
      url_groups: [{ ...url_groups[0], name: 'First' }, url_groups[1]],
    });
  });

  it('adds an Environment with `+` and its ID', async () => {
    const [one, two] = [await addEnvironment(), await addEnvironment()];
    const { id } = await addTour({ url_group_ids: [one.id] });
    const { body } = await changeTour(id, { url_group_id: `+${two.id}` });
    expect(body.tour.url_group_ids).toEqual([one.id, two.id]);
    const again = await changeTour(id, { url_group_id: `+${one.id}` });
    expect(again.body.tour).toEqual(body.tour);
  });

  it('removes an Environment with `-` and its ID', async () => {
    const [one, two] = [await addEnvironment(), await addEnvironment()];
    const { id } = await addTour({ url_group_ids: [one.id, two.id] });
    const { body } = await changeTour(id, { url_group_id: `-${one.id}` });
    expect(body.tour.url_group_ids).toEqual([two.id]);
    expect((await changeTour(id, { url_group_id: `-${one.id}` })).body.tour).toEqual(body.tour);
  });

  it('rejects an Environment of another account', async () => {
    const foreign = await addEnvironment({}, api.other);
    const tour = await addTour();
    for (const params of [
      { url_group_ids: [foreign.id] },
      { url_group_id: `+${foreign.id}` },
      { url_group_id: `+${unknownId}` },
    ])
      expect((await changeTour(tour.id, params)).status).toBe(404);
    for (const url_group_id of ['', 'x', unknownId, `*${unknownId}`])
      expect((await changeTour(tour.id, { url_group_id })).status).toBe(422);
    expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour).toEqual(tour);
  });
});

import { firstIdAt, isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const past = '2029-04-07T12:18:00.000Z';
let count = 0;
const newHost = () => `h${++count}.example.com`;

async function addUrl(params: object = {}, as = api.account) {
  const { status, body } = await api.post('/v3/edit/urls', { host: newHost(), ...params }, { as });
  expect(status).toBe(201);
  return body.url;
}
const addUrls = (many: number) => Promise.all(Array.from({ length: many }, () => addUrl()));
const addEnvironment = async (as = api.account): Promise<string> =>
  (await api.post('/v3/edit/url_groups', { name: 'Staging' }, { as })).body.url_group.id;
const show = async (id: string) => (await api.get(`/v3/edit/urls/${id}`)).body.url;
const update = async (id: string, params: object) => (await api.patch(`/v3/edit/urls/${id}`, params)).body.url;
const batch = (params: object) => api.post('/v3/edit/urls/batch', params);

/** Sets `updated_at` to a time long ago, so that a change is visible however fast the test runs. */
async function backdate(id: string): Promise<string> {
  const account_id = api.account.account_id;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('urls')
      .set({ updated_at: 1000 })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute(),
  );
  return '1970-01-01T00:00:01.000Z';
}

/** Inserts many Urls directly into the database. */
async function seed(account_id: string, many: number): Promise<string[]> {
  const rows = Array.from({ length: many }, (_, index) => ({
    account_id,
    id: firstIdAt(Date.UTC(2020, 0, 1) + index),
    updated_at: 1000,
    host: `s${index}.example.org`,
    domain: 'example.org',
    enabled: 'off' as const,
  }));
  await api.app.storage.write(account_id, (db) => db.insertInto('urls').values(rows).execute());
  return rows.map(({ id }) => id);
}

describe('create', () => {
  it('adds a domain with every field', async () => {
    const { status, body } = await api.post('/v3/edit/urls', { host: 'App.Example.co.uk.' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['url']);
    const { id, created_at, updated_at, ...rest } = body.url;
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({
      url_group_id: null,
      host: 'app.example.co.uk',
      domain: 'example.co.uk',
      enabled: 'on',
      installed_at: null,
      first_seen_at: null,
      last_seen_at: null,
      unlisted: false,
      archived_at: null,
    });
    expect((await api.get(`/v3/edit/urls/${id}`)).body).toEqual(body);
  });

  it.each(['off', 'on', 'subdomain'])('accepts %s for enabled', async (enabled) => {
    const url = await addUrl({ enabled });
    expect(url.enabled).toBe(enabled);
    expect((await show(url.id)).enabled).toBe(enabled);
  });

  it.each([
    ['missing', {}],
    ['blank', { host: '  ' }],
    ['null', { host: null }],
    ['a number', { host: 12 }],
    ['a list', { host: ['app.example.com'] }],
    ['an object', { host: { name: 'app.example.com' } }],
    ['longer than any text', { host: 'a'.repeat(1001) }],
  ])('rejects a host that is %s', async (_, params) => {
    const { status, body } = await api.post('/v3/edit/urls', params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining('`host`')]);
  });

  it.each([
    [true, 'on'],
    [false, 'off'],
    ['true', 'on'],
    ['false', 'off'],
    [null, 'off'],
  ])('accepts %j for enabled, and returns %s', async (enabled, word) => {
    const url = await addUrl({ enabled });
    expect(url.enabled).toBe(word);
    await update(url.id, { enabled: 'subdomain' });
    expect((await update(url.id, { enabled })).enabled).toBe(word);
    await update(url.id, { enabled: 'subdomain' });
    expect((await batch({ ids: [url.id], enabled })).body.urls[0].enabled).toBe(word);
  });

  it.each(['yes', '', 'ON', 12, 0, []])('rejects %j for enabled', async (enabled) => {
    const { status, body } = await api.post('/v3/edit/urls', { host: newHost(), enabled });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`enabled` must be /)]);
  });

  it('reports all problems together', async () => {
    const { status, body } = await api.post('/v3/edit/urls', { enabled: 'maybe', archived_at: 'soon', unlisted: 'no' });
    expect(status).toBe(422);
    expect(body.messages.map((message: string) => message.split(' ')[0])).toEqual([
      '`host`',
      '`enabled`',
      '`unlisted`',
      '`archived_at`',
    ]);
  });

  it('adds an archived domain', async () => {
    expect(await addUrl({ archived_at: past })).toMatchObject({ archived_at: past, unlisted: true });
  });

  it('adds an unlisted domain', async () => {
    const url = await addUrl({ unlisted: true });
    expect(url).toMatchObject({ unlisted: true, archived_at: expect.any(String) });
    expect(Date.parse(url.archived_at)).toBeGreaterThanOrEqual(Date.parse(url.created_at));
  });

  it.each([
    [
      { unlisted: true, archived_at: null },
      { unlisted: false, archived_at: null },
    ],
    [
      { unlisted: false, archived_at: past },
      { unlisted: true, archived_at: past },
    ],
    [{ unlisted: false }, { unlisted: false, archived_at: null }],
  ])('reads %j as archived_at says', async (params, expected) => {
    expect(await addUrl(params)).toMatchObject(expected);
  });

  it('adds a domain to an Environment', async () => {
    const url_group_id = await addEnvironment();
    expect(await addUrl({ url_group_id })).toMatchObject({ url_group_id });
  });

  it('rejects an Environment that is unknown or of another account, and adds nothing', async () => {
    const host = newHost();
    for (const url_group_id of [unknownId, await addEnvironment(api.other)]) {
      expect((await api.post('/v3/edit/urls', { host, url_group_id })).status).toBe(404);
    }
    await addUrl({ host });
  });

  it('ignores fields that only the server sets', async () => {
    const url = await addUrl({
      id: unknownId,
      created_at: past,
      domain: 'x.org',
      installed_at: past,
      last_seen_at: past,
    });
    expect(url.id).not.toBe(unknownId);
    expect(url.created_at).not.toBe(past);
    expect(url).toMatchObject({ domain: 'example.com', installed_at: null, last_seen_at: null });
  });
});

describe('host', () => {
  it.each([
    ['MiXed.Example.NET', 'mixed.example.net', 'example.net'],
    ['dot.example.net.', 'dot.example.net', 'example.net'],
    ['bücher.example.net', 'xn--bcher-kva.example.net', 'example.net'],
    ['shop.公司.cn', 'shop.xn--55qx5d.cn', 'shop.xn--55qx5d.cn'],
    ['example.net', 'example.net', 'example.net'],
    ['a.b.c.example.com.au', 'a.b.c.example.com.au', 'example.com.au'],
    ['under_score.example.net', 'under_score.example.net', 'example.net'],
    ['x.github.io', 'x.github.io', 'x.github.io'],
    ['deep.y.github.io', 'deep.y.github.io', 'y.github.io'],
    ['localhost', 'localhost', 'localhost'],
    ['intranet', 'intranet', 'intranet'],
    ['192.168.0.12', '192.168.0.12', '192.168.0.12'],
    ['[2001:DB8::1]', '[2001:db8::1]', '[2001:db8::1]'],
  ])('stores %s as %s on %s', async (params, host, domain) => {
    expect(await addUrl({ host: params })).toMatchObject({ host, domain });
  });

  it.each([
    ['https://app.example.net', 'https://'],
    ['HTTP://app.example.net', 'https://'],
    ['app.example.net/login', 'path'],
    ['app.example.net?x=1', 'path'],
    ['app.example.net#top', 'path'],
    ['app.example.net:8080', 'port'],
    ['localhost:3000', 'port'],
    ['[::1]:443', 'port'],
    ['*.example.net', 'wildcard'],
    ['app example.net', 'spaces'],
    ['me@example.net', 'sign-in'],
    ['co.uk', 'public suffix'],
    ['com', 'public suffix'],
    ['公司.cn', 'public suffix'],
    ['app..example.net', 'valid host name'],
    ['-app.example.net', 'valid host name'],
    ['.', 'valid host name'],
    ['999.1.1.1', 'valid host name'],
    [`${'a'.repeat(64)}.example.net`, 'valid host name'],
    [`${'a.'.repeat(130)}example.net`, 'valid host name'],
  ])('rejects the host %s because of its %s', async (host, reason) => {
    const { status, body } = await api.post('/v3/edit/urls', { host });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`host` must be .*app\.example\.com/)]);
    expect(body.messages[0]).toContain(reason);
  });

  it('has the ID of the Url in the 409 for a host that exists, and finds it by its host', async () => {
    const url = await addUrl();
    const { status, body } = await api.post('/v3/edit/urls', { host: url.host.toUpperCase() });
    expect([status, body.messages]).toEqual([409, [expect.stringContaining(url.id)]]);
    const find = async (query: string) => (await api.get('/v3/edit/urls', { query })).body;
    expect(await find(`host=${url.host.toUpperCase()}.`)).toEqual({ urls: [url], cursor: { limit: 50, before: null } });
    expect((await find(`host=${url.host}&domain=${url.domain}`)).urls).toEqual([url]);
    expect((await find(`host=sub.${url.host}`)).urls).toEqual([]);
    expect((await find('host=not%20a%20host')).urls).toEqual([]);
    expect((await api.get('/v3/edit/urls', { query: `host=${url.host}`, as: api.other })).body.urls).toEqual([]);
  });

  it('rejects a host that exists already', async () => {
    const { host } = await addUrl();
    const { status, body } = await api.post('/v3/edit/urls', { host });
    expect(status).toBe(409);
    expect(body.messages[0]).toContain(host);
  });

  it.each([
    ['in another case', 'TWICE.example.net'],
    ['with a trailing dot', 'twice.example.net.'],
    ['in full width', 'ｔｗｉｃｅ.example.net'],
  ])('rejects a host that exists already and is written %s', async (_, host) => {
    await api.post('/v3/edit/urls', { host: 'twice.example.net' });
    expect((await api.post('/v3/edit/urls', { host })).status).toBe(409);
  });

  it('rejects a host that exists already as archived', async () => {
    const { host } = await addUrl({ archived_at: past });
    expect((await api.post('/v3/edit/urls', { host })).status).toBe(409);
  });

  it('adds a host once for 20 requests at the same time', async () => {
    const host = newHost();
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.post('/v3/edit/urls', { host })));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
    const { body } = await api.get('/v3/edit/urls?limit=500');
    expect(body.urls.filter((url: { host: string }) => url.host === host)).toHaveLength(1);
  });

  it('accepts the same host in two accounts', async () => {
    const host = newHost();
    const [mine, theirs] = [await addUrl({ host }), await addUrl({ host }, api.other)];
    expect(theirs.host).toBe(mine.host);
    expect(theirs.id).not.toBe(mine.id);
  });
});

describe('show', () => {
  it('returns one domain under the key url', async () => {
    const url = await addUrl();
    const { status, body } = await api.get(`/v3/edit/urls/${url.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ url });
  });

  it('shows when the snippet was installed and users were seen', async () => {
    const { id } = await addUrl();
    const account_id = api.account.account_id;
    const times = { installed_at: 1000, first_seen_at: 2000, last_seen_at: 3456 };
    await api.app.storage.write(account_id, (db) =>
      db.updateTable('urls').set(times).where('account_id', '=', account_id).where('id', '=', id).execute(),
    );
    expect(await show(id)).toMatchObject({
      installed_at: '1970-01-01T00:00:01.000Z',
      first_seen_at: '1970-01-01T00:00:02.000Z',
      last_seen_at: '1970-01-01T00:00:03.456Z',
    });
  });

  it('returns 404 when it shows a domain of another account', async () => {
    const { id } = await addUrl({}, api.other);
    expect((await api.get(`/v3/edit/urls/${id}`)).status).toBe(404);
  });
});

describe('update', () => {
  it.each(['PUT', 'PATCH'])('%s changes only the given fields', async (method) => {
    const url_group_id = await addEnvironment();
    const url = await addUrl({ enabled: 'off', archived_at: past, url_group_id });
    const { status, body } = await api.send(method, `/v3/edit/urls/${url.id}`, { body: { enabled: 'subdomain' } });
    expect(status).toBe(200);
    expect(body).toEqual({ url: { ...url, enabled: 'subdomain', updated_at: body.url.updated_at } });
    expect(await show(url.id)).toEqual(body.url);
  });

  it.each(['off', 'on', 'subdomain'])('sets a domain to %s', async (enabled) => {
    const { id } = await addUrl({ enabled: enabled === 'on' ? 'off' : 'on' });
    expect((await update(id, { enabled })).enabled).toBe(enabled);
    expect((await show(id)).enabled).toBe(enabled);
  });

  it('archives and unarchives', async () => {
    const { id } = await addUrl();
    expect(await update(id, { archived_at: past })).toMatchObject({ archived_at: past, unlisted: true });
    expect(await show(id)).toMatchObject({ archived_at: past, unlisted: true });
    expect(await update(id, { archived_at: null })).toMatchObject({ archived_at: null, unlisted: false });
    expect(await show(id)).toMatchObject({ archived_at: null, unlisted: false });
  });

  it('archives and unarchives by the deprecated unlisted too', async () => {
    const { id } = await addUrl();
    const before = Date.now();
    const archived = await update(id, { unlisted: true });
    expect(archived.unlisted).toBe(true);
    expect(Date.parse(archived.archived_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(archived.archived_at)).toBeLessThanOrEqual(Date.now());
    expect(await update(id, { unlisted: false })).toMatchObject({ archived_at: null, unlisted: false });
  });

  it('keeps the time of archiving when unlisted is set again', async () => {
    const { id } = await addUrl({ archived_at: past });
    expect(await update(id, { unlisted: true })).toMatchObject({ archived_at: past, unlisted: true });
  });

  it.each([
    [
      { unlisted: true, archived_at: null },
      { unlisted: false, archived_at: null },
    ],
    [
      { unlisted: false, archived_at: past },
      { unlisted: true, archived_at: past },
    ],
  ])('lets archived_at win in %j', async (params, expected) => {
    const { id } = await addUrl();
    expect(await update(id, params)).toMatchObject(expected);
  });

  it.each([
    ['2029-04-07T12:18:00.000Z', '2029-04-07T12:18:00.000Z'],
    ['2029-04-07T12:18:00Z', '2029-04-07T12:18:00.000Z'],
    ['2029-04-07T14:18:00.25+02:00', '2029-04-07T12:18:00.250Z'],
    ['2029-04-07T12:18', '2029-04-07T12:18:00.000Z'],
    ['2029-04-07 12:18:00', '2029-04-07T12:18:00.000Z'],
    ['2029-04-07', '2029-04-07T00:00:00.000Z'],
    [1870258680, '2029-04-07T12:18:00.000Z'],
    ['1870258680', '2029-04-07T12:18:00.000Z'],
    ['1870258680.5', '2029-04-07T12:18:00.500Z'],
  ])('reads the time %j as %s', async (archived_at, expected) => {
    const { id } = await addUrl();
    expect((await update(id, { archived_at })).archived_at).toBe(expected);
  });

  it.each([
    ['$now', 0],
    ['+45m', 45 * 60],
    ['+12h', 12 * 3600],
    ['+30d', 30 * 86_400],
    ['+2w', 14 * 86_400],
  ])('reads the time %s from now', async (archived_at, seconds) => {
    const { id } = await addUrl();
    const before = Date.now();
    const read = Date.parse((await update(id, { archived_at })).archived_at) - seconds * 1000;
    expect(read).toBeGreaterThanOrEqual(before);
    expect(read).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    'soon',
    '2029-02-30',
    '2029-04-07T25:00:00Z',
    '-5d',
    '+30',
    '+3y',
    'now',
    true,
    {},
    -1,
    1e15,
    '99999-01-01',
  ])('rejects %j as a time', async (archived_at) => {
    const url = await addUrl();
    const { status, body } = await api.patch(`/v3/edit/urls/${url.id}`, { archived_at, enabled: 'off' });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`archived_at` must be a time such as /)]);
    expect(await show(url.id)).toEqual(url);
  });

  it('reads an empty form value as null', async () => {
    const { id } = await addUrl({ archived_at: past, url_group_id: await addEnvironment() });
    const { body } = await api.patch(`/v3/edit/urls/${id}`, 'archived_at=&url_group_id=', { headers: form });
    expect(body.url).toMatchObject({ archived_at: null, url_group_id: null });
  });

  it('assigns an Environment and returns to the Default Environment', async () => {
    const url_group_id = await addEnvironment();
    const { id } = await addUrl();
    expect((await update(id, { url_group_id })).url_group_id).toBe(url_group_id);
    expect((await show(id)).url_group_id).toBe(url_group_id);
    expect((await update(id, { url_group_id: null })).url_group_id).toBeNull();
    expect((await show(id)).url_group_id).toBeNull();
  });

  it('rejects an Environment that is unknown or of another account, and changes nothing', async () => {
    const url = await addUrl();
    const [unknown, foreign] = await Promise.all(
      [unknownId, await addEnvironment(api.other)].map((url_group_id) =>
        api.patch(`/v3/edit/urls/${url.id}`, { url_group_id, enabled: 'off' }),
      ),
    );
    expect(unknown?.status).toBe(404);
    expect(foreign?.text).toBe(unknown?.text);
    expect(await show(url.id)).toEqual(url);
  });

  it.each(['staging', 12, 'F'.repeat(24)])('rejects %j as the ID of an Environment', async (url_group_id) => {
    const { id } = await addUrl();
    const { status, body } = await api.patch(`/v3/edit/urls/${id}`, { url_group_id });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`url_group_id` must be an ID/)]);
  });

  it.each([{ enabled: 'maybe' }, { enabled: 0 }, { unlisted: 'perhaps' }, { unlisted: null }])(
    'rejects the change %j',
    async (params) => {
      const url = await addUrl();
      const { status, body } = await api.patch(`/v3/edit/urls/${url.id}`, params);
      expect(status).toBe(422);
      expect(body.messages).toEqual([expect.stringContaining(`\`${Object.keys(params)[0]}\` must be`)]);
      expect(await show(url.id)).toEqual(url);
    },
  );

  it('does not change host and domain', async () => {
    const url = await addUrl();
    expect(await update(url.id, { host: 'new.example.org', domain: 'example.org' })).toEqual(url);
  });

  it.each([{}, { enabled: 'on' }, { unlisted: false }, { archived_at: null, url_group_id: null }])(
    'keeps updated_at when %j changes nothing',
    async (params) => {
      const { id } = await addUrl();
      const before = await backdate(id);
      expect((await update(id, params)).updated_at).toBe(before);
      expect((await show(id)).updated_at).toBe(before);
    },
  );

  it.each([{ enabled: 'off' }, { unlisted: true }, { archived_at: past }])(
    'changes updated_at when %j changes something',
    async (params) => {
      const { id, created_at } = await addUrl();
      await backdate(id);
      const { updated_at } = await update(id, params);
      expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
      expect((await show(id)).updated_at).toBe(updated_at);
    },
  );

  it('returns 404 when it changes a domain of another account', async () => {
    const url = await addUrl({}, api.other);
    expect((await api.patch(`/v3/edit/urls/${url.id}`, { enabled: 'off' })).status).toBe(404);
    expect((await api.get(`/v3/edit/urls/${url.id}`, { as: api.other })).body).toEqual({ url });
  });

  it('loses no change of several at the same time', async () => {
    const url_group_id = await addEnvironment();
    const { id } = await addUrl();
    await Promise.all([
      update(id, { enabled: 'off' }),
      update(id, { url_group_id }),
      update(id, { archived_at: past }),
    ]);
    expect(await show(id)).toMatchObject({ enabled: 'off', url_group_id, archived_at: past });
  });
});

describe('batch', () => {
  it.each(['off', 'on', 'subdomain'])('sets several domains to %s', async (enabled) => {
    const ids = (await addUrls(3)).map(({ id }) => id);
    const { status, body } = await batch({ ids, enabled });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['urls']);
    expect(body.urls.map((url: { enabled: string }) => url.enabled)).toEqual([enabled, enabled, enabled]);
    for (const url of body.urls) expect(await show(url.id)).toEqual(url);
  });

  it('returns every domain in the order of the request, even one without a change', async () => {
    const [a, b, c] = await addUrls(3);
    await update(b.id, { enabled: 'off' });
    await backdate(b.id);
    const { body } = await batch({ ids: [c.id, b.id, a.id], enabled: 'off' });
    expect(body.urls.map((url: { id: string }) => url.id)).toEqual([c.id, b.id, a.id]);
    expect(body.urls.map((url: { enabled: string }) => url.enabled)).toEqual(['off', 'off', 'off']);
    expect(body.urls[1].updated_at).toBe('1970-01-01T00:00:01.000Z');
    expect(await show(b.id)).toEqual(body.urls[1]);
  });

  it('returns a domain once that is in the request twice', async () => {
    const [a, b] = await addUrls(2);
    const { body } = await batch({ ids: [b.id, a.id, b.id], enabled: 'off' });
    expect(body.urls.map((url: { id: string }) => url.id)).toEqual([b.id, a.id]);
  });

  it('archives and unarchives several domains', async () => {
    const ids = (await addUrls(2)).map(({ id }) => id);
    const archived = await batch({ ids, archived_at: past });
    expect(archived.body.urls).toEqual(Array(2).fill(expect.objectContaining({ archived_at: past, unlisted: true })));
    const listed = await batch({ ids, archived_at: null });
    expect(listed.body.urls).toEqual(Array(2).fill(expect.objectContaining({ archived_at: null, unlisted: false })));
  });

  it('assigns several domains to an Environment and back', async () => {
    const url_group_id = await addEnvironment();
    const ids = (await addUrls(2)).map(({ id }) => id);
    const assigned = await batch({ ids, url_group_id });
    expect(assigned.body.urls).toEqual(Array(2).fill(expect.objectContaining({ url_group_id })));
    const returned = await batch({ ids, url_group_id: null });
    expect(returned.body.urls).toEqual(Array(2).fill(expect.objectContaining({ url_group_id: null })));
  });

  it('changes only the given fields', async () => {
    const url = await addUrl({ enabled: 'subdomain', archived_at: past });
    const { body } = await batch({ ids: [url.id] });
    expect(body.urls).toEqual([url]);
  });

  it.each([
    ['unknown', async () => unknownId],
    ['of another account', async () => (await addUrl({}, api.other)).id],
  ])('changes nothing when one ID is %s', async (_, strange) => {
    const [a, b] = await addUrls(2);
    const { status } = await batch({ ids: [a.id, await strange(), b.id], enabled: 'off' });
    expect(status).toBe(404);
    expect(await show(a.id)).toEqual(a);
    expect(await show(b.id)).toEqual(b);
  });

  it('changes nothing when the Environment is unknown or of another account', async () => {
    const url = await addUrl();
    for (const url_group_id of [unknownId, await addEnvironment(api.other)]) {
      expect((await batch({ ids: [url.id], enabled: 'off', url_group_id })).status).toBe(404);
    }
    expect(await show(url.id)).toEqual(url);
  });

  it.each([
    ['a JSON list', (ids: string[]) => ({ body: { ids, enabled: 'off' } })],
    ['ids[]= in a form', (ids: string[]) => ({ body: `${ids.map((id) => `ids[]=${id}`).join('&')}&enabled=off` })],
    ['ids=a,b in a form', (ids: string[]) => ({ body: `ids=${ids.join(',')}&enabled=off` })],
    ['ids= given twice in a form', (ids: string[]) => ({ body: `ids=${ids.join('&ids=')}&enabled=off` })],
    ['ids[]= in the URL', (ids: string[]) => ({ query: `ids[]=${ids.join('&ids[]=')}&enabled=off` })],
    ['ids%5B%5D= in the URL', (ids: string[]) => ({ query: `ids%5B%5D=${ids.join('&ids%5B%5D=')}&enabled=off` })],
    ['ids[0]= in the URL', (ids: string[]) => ({ query: `ids[0]=${ids[0]}&ids[1]=${ids[1]}&enabled=off` })],
    ['ids=a,b in the URL', (ids: string[]) => ({ query: `ids=${ids.join(',')}&enabled=off` })],
    ['a JSON list in the URL', (ids: string[]) => ({ query: `ids=${JSON.stringify(ids)}&enabled=off` })],
  ])('accepts IDs as %s', async (_, sent) => {
    const ids = (await addUrls(2)).map(({ id }) => id);
    const { status, body } = await api.send('POST', '/v3/edit/urls/batch', sent(ids));
    expect(status).toBe(200);
    expect(body.urls).toEqual(ids.map((id) => expect.objectContaining({ id, enabled: 'off' })));
  });

  it.each([
    ['missing', {}],
    ['empty', { ids: [] }],
    ['null', { ids: null }],
    ['a number', { ids: 12 }],
    ['an object', { ids: { a: unknownId } }],
    ['a list of more than 500', { ids: Array(501).fill(unknownId) }],
    ['a list of something else', { ids: ['nothing'] }],
    ['a list with a null', { ids: [null] }],
    ['nested', { ids: [[unknownId]] }],
  ])('rejects IDs that are %s', async (_, params) => {
    const { status, body } = await batch({ ...params, enabled: 'off' });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`ids(\[0\])?` /)]);
  });

  it('changes 500 domains in one request', async () => {
    const as = await createAccount(api.app, { name: 'Large', email: newEmail() });
    const ids = await seed(as.account_id, 500);
    const { status, body } = await api.post('/v3/edit/urls/batch', { ids: ids.toReversed(), enabled: 'on' }, { as });
    expect(status).toBe(200);
    expect(body.urls.map((url: { id: string }) => url.id)).toEqual(ids.toReversed());
    expect(new Set(body.urls.map((url: { enabled: string }) => url.enabled))).toEqual(new Set(['on']));
  });

  it.each([
    ['enabled', { enabled: 'maybe' }],
    ['archived_at', { archived_at: 'soon' }],
    ['url_group_id', { url_group_id: 'staging' }],
  ])('rejects a wrong %s for all', async (name, params) => {
    const url = await addUrl();
    const { status, body } = await batch({ ids: [url.id], ...params });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining(`\`${name}\` must be`)]);
    expect(await show(url.id)).toEqual(url);
  });

  it('succeeds for two batches in opposite order at the same time', async () => {
    const ids = (await addUrls(10)).map(({ id }) => id);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        batch({ ids: index % 2 ? ids : ids.toReversed(), enabled: index % 2 ? 'off' : 'subdomain' }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set((await Promise.all(ids.map(show))).map(({ enabled }) => enabled)).size).toBe(1);
  });
});

describe('list', () => {
  it('returns the domains of this account, newest first, then the cursor', async () => {
    const as = await createAccount(api.app, { name: 'Lists', email: newEmail() });
    const urls = [];
    for (const host of ['a.example.com', 'b.example.com', 'c.example.org']) urls.unshift(await addUrl({ host }, as));
    const { status, body, text } = await api.get('/v3/edit/urls', { as });
    expect(status).toBe(200);
    expect(body).toEqual({ urls, cursor: { limit: 50, before: null } });
    expect(text).toMatch(/^\{"urls":\[.*\],"cursor":\{"limit":50,"before":null\}\}$/);
  });

  it('is empty for an account without domains', async () => {
    const as = await createAccount(api.app, { name: 'Empty', email: newEmail() });
    const { body } = await api.get('/v3/edit/urls', { as });
    expect(body).toEqual({ urls: [], cursor: { limit: 50, before: null } });
  });

  it('includes archived domains', async () => {
    const { id } = await addUrl({ archived_at: past });
    const { body } = await api.get('/v3/edit/urls?limit=1');
    expect(body.urls).toEqual([expect.objectContaining({ id, archived_at: past })]);
  });

  it('returns all domains page by page', async () => {
    const as = await createAccount(api.app, { name: 'Pages', email: newEmail() });
    const ids = await seed(as.account_id, 5);
    const seen: string[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const { body } = await api.get('/v3/edit/urls', { as, query: `limit=2${before && `&before=${before}`}` });
      seen.push(...body.urls.map((url: { id: string }) => url.id));
      before = body.cursor.before;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it.each(['filter.example', 'FILTER.example.', 'filter.example.'])('lists only the domain %s', async (domain) => {
    const as = await createAccount(api.app, { name: 'Filter', email: newEmail() });
    for (const host of ['a.filter.example', 'filter.example', 'filter.example.org', 'notfilter.example'])
      await addUrl({ host }, as);
    const { body } = await api.get('/v3/edit/urls', { as, query: `domain=${domain}` });
    expect(body.urls.map((url: { host: string }) => url.host)).toEqual(['filter.example', 'a.filter.example']);
  });

  it('lists only the domain in unicode, localhost and an address', async () => {
    const as = await createAccount(api.app, { name: 'Odd', email: newEmail() });
    for (const host of ['app.bücher.example', 'localhost', '10.0.0.1']) await addUrl({ host }, as);
    for (const domain of ['bücher.example', 'localhost', '10.0.0.1']) {
      const { body } = await api.get('/v3/edit/urls', { as, query: `domain=${encodeURIComponent(domain)}` });
      expect(body.urls).toHaveLength(1);
    }
  });

  it.each(['nowhere.example', 'h1.example.com', 'co.uk', 'https://example.com', '%25'])(
    'lists nothing for the domain %s',
    async (domain) => {
      await api.post('/v3/edit/urls', { host: 'h1.example.com' });
      const { status, body } = await api.get('/v3/edit/urls', { query: `domain=${domain}` });
      expect(status).toBe(200);
      expect(body).toEqual({ urls: [], cursor: { limit: 50, before: null } });
    },
  );

  it('returns the hosts of a domain page by page', async () => {
    const as = await createAccount(api.app, { name: 'Within', email: newEmail() });
    const ids = await seed(as.account_id, 3);
    await addUrl({ host: 'app.example.com' }, as);
    const first = await api.get('/v3/edit/urls?domain=example.org&limit=2', { as });
    expect(first.body.urls.map((url: { id: string }) => url.id)).toEqual([ids[2], ids[1]]);
    expect(first.body.cursor).toEqual({ limit: 2, before: ids[1] });
    const second = await api.get(`/v3/edit/urls?domain=example.org&limit=2&before=${ids[1]}`, { as });
    expect(second.body.urls.map((url: { id: string }) => url.id)).toEqual([ids[0]]);
    expect(second.body.cursor.before).toBeNull();
  });

  it.each(['domain=', 'domain=a.com&domain=b.com', 'domain[x]=a.com'])('rejects the filter %s', async (query) => {
    const { status, body } = await api.get('/v3/edit/urls', { query });
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringMatching(/^`domain` must /)]);
  });
});

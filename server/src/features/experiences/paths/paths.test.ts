import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { HOST, newUid, openDomain, visit } from '../../../../test/visiting.ts';

const DAY = 24 * 60 * 60_000;
let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += 30 * DAY;
  await api.replaceAccounts();
  await openDomain(api);
});

async function load(path: string, params: object = {}): Promise<void> {
  const { status } = await visit(api, { uid: newUid(), href: `https://${HOST}${path}`, ...params });
  expect(status).toBe(200);
}

async function listPaths(query = '', as = api.account) {
  const { status, body } = await api.get('/v3/analyze/paths', { query, as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.paths as { host: string; path: string; count: number; last_seen_at: string }[];
}

const rowsOf = async () =>
  api.app.storage
    .reader(api.account.account_id)
    .selectFrom('visited_paths')
    .selectAll()
    .where('account_id', '=', api.account.account_id)
    .execute();

describe('visited paths', () => {
  it('lists what users visited, the most visited first', async () => {
    for (const path of ['/home', '/settings?tab=x', '/home#top', '/home']) await load(path);
    const last_seen_at = new Date(now).toISOString();
    expect(await listPaths()).toEqual([
      { host: HOST, path: '/home', count: 3, last_seen_at },
      { host: HOST, path: '/settings', count: 1, last_seen_at },
    ]);
    expect(await listPaths('', api.other)).toEqual([]);
  });

  it('adds up the days', async () => {
    await load('/home');
    await listPaths();
    now += DAY;
    await load('/home');
    expect(await listPaths()).toMatchObject([{ path: '/home', count: 2 }]);
    expect(await rowsOf()).toHaveLength(2);
  });

  it('finds a part of the host and path, whatever its case, and takes signs as they are', async () => {
    await load('/Settings/Team');
    await load('/a_b');
    await load('/axb');
    expect(await listPaths('search=settings/t')).toMatchObject([{ path: '/Settings/Team' }]);
    expect(await listPaths('search=a_b')).toMatchObject([{ path: '/a_b' }]);
    expect(await listPaths(`search=${HOST}/a&limit=1`)).toHaveLength(1);
    expect(await listPaths('search=%25')).toEqual([]);
    expect((await api.get('/v3/analyze/paths', { query: 'limit=0' })).status).toBe(422);
  });

  it('stores nothing of the user: no query, fragment, email, ID or uid', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'annlee' });
    await load('/users/annlee/posts?email=ann@example.com#secret');
    await load('/users/ann%40example.com');
    await load('/users/5fb70dcbc39330000325a818');
    expect((await listPaths()).map(({ path }) => path).sort()).toEqual(['/users/*', '/users/*/posts']);
    expect(JSON.stringify(await rowsOf())).not.toMatch(/annlee|example\.com\/|secret|5fb7/);
  });

  it('keeps at most 1,000 paths a day, in memory and in the database, and still counts those', async () => {
    const { visitedPaths } = api.app;
    const { account_id } = api.account;
    const nameOf = (number: number) => number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
    for (let number = 0; number < 20_000; number++)
      visitedPaths.add(account_id, HOST, `https://${HOST}/${nameOf(number)}`);
    expect(visitedPaths.size).toBeLessThanOrEqual(1000);
    await visitedPaths.flush(account_id);
    expect(visitedPaths.size).toBe(0);
    const rows = await rowsOf();
    expect(rows.length).toBeGreaterThan(900);
    for (const path of ['/first-of-many', `${rows[0]?.path}`])
      visitedPaths.add(account_id, HOST, `https://${HOST}${path}`);
    for (let number = 0; number < 2000; number++)
      visitedPaths.add(account_id, HOST, `https://${HOST}/more/${nameOf(number)}`);
    await visitedPaths.flush(account_id);
    const after = await rowsOf();
    expect(after).toHaveLength(1000);
    expect(after.find(({ path }) => path === rows[0]?.path)?.count).toBe((rows[0]?.count ?? 0) + 1);
  });

  it('keeps visited pages when somebody invents paths, and records new pages after that', async () => {
    const { visitedPaths } = api.app;
    const { account_id } = api.account;
    const add = (path: string) => visitedPaths.add(account_id, HOST, `https://${HOST}${path}`);
    const invent = async (start: string) => {
      for (let number = 0; number < 1000; number++)
        add(`/${start}/${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`);
      await visitedPaths.flush(account_id);
    };
    for (const path of ['/home', '/home', '/settings', '/settings']) add(path);
    await visitedPaths.flush(account_id);
    for (const start of ['one', 'two', 'three']) await invent(start);
    now += 60_000;
    for (const path of ['/billing', '/billing']) add(path);
    await visitedPaths.flush(account_id);
    await invent('four');
    const rows = await rowsOf();
    expect(rows).toHaveLength(1000);
    expect((await listPaths('limit=4')).map(({ path }) => path)).toEqual([
      '/billing',
      '/home',
      '/settings',
      expect.stringMatching('/four/'),
    ]);
  });

  it('forgets paths after 14 days', async () => {
    await load('/old');
    await listPaths();
    now += 13 * DAY;
    await api.app.visitedPaths.sweep();
    expect(await listPaths()).toHaveLength(1);
    now += DAY;
    expect(await listPaths()).toEqual([]);
    await api.app.visitedPaths.sweep();
    expect(await rowsOf()).toEqual([]);
  });

  it('records nothing after it was turned off, and deletes what was recorded', async () => {
    await load('/home');
    await listPaths();
    expect((await api.get('/v3/edit/account')).body.account.record_paths).toBe(true);
    const { body } = await api.patch('/v3/edit/account', { record_paths: false });
    expect(body.account.record_paths).toBe(false);
    await load('/home');
    expect(await listPaths()).toEqual([]);
    expect(await rowsOf()).toEqual([]);
  });

  it('does not write what was in memory when it was turned off', async () => {
    await load('/home');
    expect((await api.patch('/v3/edit/account', { record_paths: false })).status).toBe(200);
    await api.app.visitedPaths.flush(api.account.account_id);
    expect(await rowsOf()).toEqual([]);
  });

  it('records no page whose host is off', async () => {
    await api.post('/v3/edit/urls', { host: 'off.example.com', enabled: 'off' });
    await visit(api, { uid: newUid(), href: 'https://off.example.com/home' });
    expect(await listPaths()).toEqual([]);
  });

  it('writes what is in memory when the server stops', async () => {
    const other = await startApi({ beside: api, now: () => now });
    await visit(other, { uid: newUid(), href: `https://${HOST}/last` }, { as: api.account });
    await other.app.visitedPaths.stop();
    expect((await rowsOf()).map(({ path }) => path)).toEqual(['/last']);
  });
});

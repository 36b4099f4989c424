import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, newEmail, startApi } from '../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../accounts/create-account.ts';

const DAY = 24 * 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let account: CreatedAccount;
beforeAll(async () => {
  const env = { USHER_PAGE_PROFILES_PER_DAY: '2', USHER_PAGE_EVENTS_PER_DAY: '2', USHER_PAGE_HOSTS_PER_DAY: '2' };
  api = await startApi({ inTest: false, now: () => now, env });
});
afterAll(() => api.stop());
beforeEach(async () => {
  account = await createAccount(api.app, { name: 'Visited', email: newEmail() });
  await openDomain(api, account);
});

const load = (params: object = {}) => visit(api, { uid: newUid(), ...params }, { as: account });
const counts = async () => (await api.get('/v3/edit/account', { as: account })).body.account.ignored_page_writes;
const profiles = async () => (await accountRows(api.app, account.account_id)).profiles ?? [];

describe('new users over the daily quota', () => {
  it.each([
    ['alone', {}],
    ['with an email', { email: 'new@example.com' }],
    ['with a new property', { properties: { plan: 'pro' } }],
  ])('responds to new users over the quota, %s, stores nothing and counts them', async (_, params) => {
    await api.post('/v3/edit/tours', { name: 'Hi', steps: [{ title: 'Hi' }], published_at: '$now' }, { as: account });
    await load();
    const known = newUid();
    expect((await load({ uid: known })).body.experiences).toHaveLength(1);
    const { status, body } = await load(params);
    expect([status, body.profile.last_seen_at, body.deliveries, body.experiences]).toEqual([200, null, [], []]);
    expect(await profiles()).toHaveLength(2);
    expect(await counts()).toMatchObject({ profiles_quota: 1 });
    const report = { visit_token: body.visit.token, name: 'Late' };
    expect((await api.post('/v3/observe/events', report, { as: null })).status).toBe(403);
    // Known users are not limited.
    expect((await load({ uid: known, properties: { plan: 'pro' } })).body.experiences).toHaveLength(1);
  });

  it('stores new users again on the next day', async () => {
    for (let n = 0; n < 3; n++) await load();
    now += DAY;
    await load();
    expect(await profiles()).toHaveLength(3);
  });

  it('counts over all nodes and across restarts', async () => {
    await load();
    await api.app.pageCounts.flush(account.account_id);
    await api.app.storage.write(account.account_id, (db) =>
      db
        .updateTable('page_counts')
        .set({ count: 7 })
        .where('account_id', '=', account.account_id)
        .where('what', '=', 'profiles')
        .execute(),
    );
    // This node has counted one user. It reads the counts of the other nodes with its next write.
    await load();
    await api.app.pageCounts.flush(account.account_id);
    await load();
    expect(await profiles()).toHaveLength(2);
  });

  it('counts what is being written at the moment', async () => {
    const { pageCounts } = api.app;
    await load();
    await load();
    let isWritten = false;
    const writing = pageCounts.flush(account.account_id).finally(() => {
      isWritten = true;
    });
    const room = new Set<boolean>();
    while (!isWritten) {
      room.add(pageCounts.hasRoom(account.account_id, 'profiles'));
      await nextTurn();
    }
    await writing;
    expect(room).toEqual(new Set([false]));
  });

  it('does not limit users that the backend sends or has signed', async () => {
    for (let n = 0; n < 3; n++) await load();
    for (let n = 0; n < 3; n++) await api.post('/v3/observe/hooks/profiles', { uid: newUid() }, { as: account });
    expect(await profiles()).toHaveLength(5);
  });
});

describe('events of pages over the daily quota', () => {
  it('returns null for events over the quota and stores nothing', async () => {
    const { body } = await load();
    const responses = [];
    for (let n = 0; n < 3; n++)
      responses.push(
        await api.post('/v3/observe/events', { visit_token: body.visit.token, name: 'Did' }, { as: null }),
      );
    expect(responses.map(({ status, body }) => [status, body.event === null])).toEqual([
      [200, false],
      [200, false],
      [200, true],
    ]);
    expect((await accountRows(api.app, account.account_id)).events).toHaveLength(2);
    expect(await counts()).toMatchObject({ events_quota: 1 });
  });
});

describe('hosts over the daily quota', () => {
  const at = async (host: string) => (await load({ href: `https://${host}/` })).status;

  it('does not record hosts over the quota and counts them', async () => {
    for (const host of ['a.example.org', 'b.example.org', 'c.example.org']) expect(await at(host)).toBe(403);
    const { urls } = (await api.get('/v3/edit/urls', { as: account })).body;
    expect(urls.map(({ host }: { host: string }) => host).sort()).toEqual([
      'a.example.org',
      'app.example.com',
      'b.example.org',
    ]);
    expect(await counts()).toMatchObject({ hosts_quota: 1 });
  });

  it('allows unrecorded hosts below a domain that includes subdomains', async () => {
    await api.post('/v3/edit/urls', { host: 'example.net', enabled: 'subdomain' }, { as: account });
    for (const host of ['a.example.net', 'b.example.net', 'c.example.net']) expect(await at(host)).not.toBe(403);
  });
});

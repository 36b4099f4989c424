import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';
import { findUncounted } from '../../results/counts/find-uncounted.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';
import { sweepAnonymous } from './sweep-anonymous.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
/** A second server on the same database, on PostgreSQL. */
let beside: Api;
/** The account whose pages are trusted, so that their users are merged. */
let trusting: CreatedAccount;
let plain: CreatedAccount;
let off: CreatedAccount;
let tour: string;
let uid: string;

beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  beside = api.database.env.DATABASE_URL ? await startApi({ inTest: false, now: () => now, beside: api }) : api;
  [trusting, plain, off] = [await newAccount(), await newAccount(), await newAccount()];
  await api.patch('/v3/edit/account', { anonymous_users: true, trust_pages: true }, { as: trusting });
  await api.patch('/v3/edit/account', { anonymous_users: true }, { as: plain });
  const draft = { name: 'Welcome', steps: [{ title: 'Hi' }, { title: 'Bye' }], published_at: '$now' };
  tour = (await api.post('/v3/edit/tours', draft, { as: trusting })).body.tour.id;
});
afterAll(async () => {
  if (beside !== api) await beside.stop();
  await api.stop();
});
beforeEach(() => {
  now += 60_000;
  uid = newUid();
});

async function newAccount(): Promise<CreatedAccount> {
  const account = await createAccount(api.app, { name: 'Visited', email: newEmail() });
  await openDomain(api, account);
  return account;
}

async function load(params: object = {}, { as = trusting, on = api } = {}) {
  const { status, body } = await visit(on, params, { as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}
const find = async (query: object, as = trusting) =>
  api.get('/v3/analyze/profile', { query: new URLSearchParams(query as Record<string, string>).toString(), as });
const stored = async (of: string, as = trusting) => (await find({ uid: of }, as)).body.profile;
const report = (visit_token: string, params: object, on = api) =>
  on.post('/v3/observe/interactions', { visit_token, experience_id: tour, ...params }, { as: null });
const track = (visit_token: string, name: string, params: object = {}, on = api) =>
  on.post('/v3/observe/events', { visit_token, name, ...params }, { as: null });
const reader = (as = trusting) => api.app.storage.reader(as.account_id);

async function expectExactCounts(): Promise<void> {
  const account = { id: trusting.account_id };
  expect(await findUncounted({ account, db: reader(), dialect: api.app.storage.dialect })).toEqual([]);
}

describe('a page load without a uid', () => {
  it('returns 422 with what to do while the account has no anonymous users', async () => {
    const { status, body } = await visit(api, {}, { as: off });
    expect([status, body.messages[0]]).toEqual([422, expect.stringContaining('anonymous_users')]);
  });

  it('creates an anonymous profile, which the next page load finds again', async () => {
    const first = await load({ properties: { plan: 'pro' } });
    const { uid: own } = first.profile;
    expect(own).toMatch(/^anon_usher_[\w-]{22}$/);
    expect(first.profile.anonymous).toBe(true);
    const second = await load({ anonymous_uid: own });
    expect(second.profile.id).toBe(first.profile.id);
    expect(await stored(own)).toMatchObject({ anonymous: true, plan: 'pro', last_seen_session_count: 1 });
  });

  it('gets another uid when the one it sends is unknown, and cannot choose one', async () => {
    for (const anonymous_uid of [`anon_usher_${'x'.repeat(22)}`, uid, '18821']) {
      const { profile } = await load({ anonymous_uid });
      expect(profile.uid).toMatch(/^anon_usher_/);
      expect(profile.uid).not.toBe(anonymous_uid);
    }
  });

  it('returns 403 with what to do when the account requires a proof', async () => {
    const account = await newAccount();
    await api.post('/v3/edit/account/uid_secret', {}, { as: account });
    await api.patch('/v3/edit/account', { require_uid_hash: true, anonymous_users: true }, { as: account });
    const { status, body } = await visit(api, {}, { as: account });
    expect([status, body.messages[0]]).toEqual([403, expect.stringContaining('requires `uid_hash`')]);
  });

  it('counts against the quota of new profiles', async () => {
    const small = await startApi({ env: { USHER_PAGE_PROFILES_PER_DAY: '2' } });
    await openDomain(small);
    await small.patch('/v3/edit/account', { anonymous_users: true });
    const uids = [];
    for (let n = 0; n < 4; n++) uids.push((await visit(small, {})).body.profile.uid);
    expect(new Set(uids).size).toBe(4);
    expect((await small.get('/v3/analyze/profiles/count')).body.count).toBe(2);
  });
});

describe('a uid that begins as those of anonymous users', () => {
  const own = `anon_usher_${'a'.repeat(22)}`;

  it('is rejected as a new uid of the backend, and of a page', async () => {
    const hook = await api.post('/v3/observe/hooks/profiles', { uid: own }, { as: trusting });
    const event = await api.post('/v3/observe/hooks/events', { uid: own, name: 'x' }, { as: trusting });
    const page = await visit(api, { uid: own }, { as: trusting });
    expect([hook.status, event.status, page.status]).toEqual([422, 422, 422]);
    expect((await find({ uid: own })).status).toBe(404);
  });

  it('is accepted from the backend for a profile that exists', async () => {
    const { profile } = await load();
    const { status } = await api.post(
      '/v3/observe/hooks/profiles',
      { uid: profile.uid, plan: 'pro' },
      { as: trusting },
    );
    expect(status).toBe(200);
    expect(await stored(profile.uid)).toMatchObject({ anonymous: true, plan: 'pro' });
  });
});

describe('signing in', () => {
  it('keeps the profile under its new uid when the uid is unknown, without any proof', async () => {
    const { profile, visit: before } = await load({ properties: { plan: 'pro' } }, { as: plain });
    const after = await load({ uid, anonymous_uid: profile.uid }, { as: plain });
    expect(after.profile.id).toBe(profile.id);
    expect(await stored(uid, plain)).toMatchObject({ plan: 'pro' });
    expect(await stored(uid, plain)).not.toHaveProperty('anonymous');
    expect((await find({ uid: profile.uid }, plain)).status).toBe(404);
    // The tab that was open reports for the same profile.
    expect((await track(before.token, 'Late')).status).toBe(200);
  });

  it('leaves both profiles as they are when the uid is known and nothing is proven', async () => {
    await load({ uid, properties: { plan: 'free' } }, { as: plain });
    const { profile } = await load({ properties: { hacked: true } }, { as: plain });
    await load({ uid, anonymous_uid: profile.uid }, { as: plain });
    expect(await stored(uid, plain)).not.toHaveProperty('hacked');
    expect(await stored(profile.uid, plain)).toMatchObject({ hacked: true, anonymous: true });
  });

  it('merges both profiles when the page proves the uid', async () => {
    const account = await newAccount();
    const secret = (await api.post('/v3/edit/account/uid_secret', {}, { as: account })).body.uid_secret;
    await api.patch('/v3/edit/account', { anonymous_users: true }, { as: account });
    const seconds = Math.floor(now / 1000);
    const uid_hash = `${createHmac('sha256', secret).update(`${uid}-${seconds}`).digest('hex')}-${seconds}`;
    const known = await load({ uid, uid_hash, properties: { plan: 'free' } }, { as: account });
    const { profile } = await load({ properties: { plan: 'pro', theme: 'dark' } }, { as: account });
    await load({ uid, uid_hash: `${'0'.repeat(64)}-${seconds}`, anonymous_uid: profile.uid }, { as: account });
    expect((await find({ uid: profile.uid }, account)).status).toBe(200);
    const after = await load({ uid, uid_hash, anonymous_uid: profile.uid }, { as: account });
    expect(after.profile).toMatchObject({ id: known.profile.id, plan: 'free', theme: 'dark' });
    expect((await find({ uid: profile.uid }, account)).status).toBe(404);
  });

  it('takes over no more properties than a user can have, however often it happens', async () => {
    const big = (n: number) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, k) => [`p${n}_${k}`, 'x'.repeat(900)]));
    await load({ uid });
    for (let n = 0; n < 4; n++) {
      const { profile } = await load({ properties: big(n) });
      await load({ uid, anonymous_uid: profile.uid });
      expect((await find({ uid: profile.uid })).status).toBe(404);
    }
    const { custom, page_keys } = await reader()
      .selectFrom('profiles')
      .select(['custom', 'page_keys'])
      .where('account_id', '=', trusting.account_id)
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(custom).length).toBeGreaterThan(100_000);
    expect(JSON.stringify(custom).length).toBeLessThanOrEqual(128 * 1024);
    expect(page_keys.toSorted()).toEqual(Object.keys(custom).toSorted());
  });

  it('leaves an anonymous profile as it is that has more events than a person makes', async () => {
    await load({ uid });
    const { profile, visit: before } = await load();
    await track(before.token, 'Clicked');
    const setCount = (count: number) =>
      api.app.storage.write(trusting.account_id, (db) =>
        db
          .updateTable('profile_events')
          .set({ count })
          .where('account_id', '=', trusting.account_id)
          .where('profile_id', '=', profile.id)
          .execute(),
      );
    await setCount(20_001);
    const signedIn = await load({ uid, anonymous_uid: profile.uid });
    expect(signedIn.profile.uid).toBe(uid);
    await track(signedIn.visit.token, 'Clicked');
    expect((await find({ uid: profile.uid })).status).toBe(200);
    await setCount(1);
    await load({ uid, anonymous_uid: profile.uid });
    expect((await find({ uid: profile.uid })).status).toBe(404);
  });

  it('adds up events, keeps the furthest state, and the known values win', async () => {
    const known = await load({ uid, properties: { plan: 'free' } });
    await report(known.visit.token, { state: 'started', showing: 1 });
    await track(known.visit.token, 'Opened');
    const anonymous = await load({ properties: { plan: 'pro', theme: 'dark' }, browser: { n: 'firefox' } });
    await report(anonymous.visit.token, { state: 'started', showing: 1 });
    await report(anonymous.visit.token, { state: 'completed', showing: 1 });
    for (const key of ['a', 'b']) await track(anonymous.visit.token, 'Opened', { idempotency_key: key });
    const percent = (await stored(uid)).percent;
    await load({ uid, anonymous_uid: anonymous.profile.uid });
    const after = await stored(uid);
    expect(after).toMatchObject({ id: known.profile.id, plan: 'free', theme: 'dark', percent, browser_n: 'firefox' });
    const [interaction, ...more] = await reader()
      .selectFrom('interactions')
      .selectAll()
      .where('account_id', '=', trusting.account_id)
      .where('profile_id', '=', after.id)
      .execute();
    expect([interaction?.state, more]).toEqual(['completed', []]);
    const counted = { kind: 'event', value: 'opened', mod: 'eq', range: 3 };
    const { body } = await api.post('/v3/analyze/profiles', { filters: [counted] }, { as: trusting });
    expect(body.profiles.map(({ id }: { id: string }) => id)).toContain(after.id);
    await expectExactCounts();
  });

  it('keeps the items of a checklist that both have completed, each at its first time', async () => {
    const done = (value: string) => [{ kind: 'event', op: 'ex', value }];
    const items = ['One', 'Two', 'Three'].map((title) => ({ title, url: '/', completed_when: done(title) }));
    const params = { name: 'Steps', title: 'Steps', list_type: 'checklist', items, published_at: '$now' };
    const { launcher } = (await api.post('/v3/edit/launchers', params, { as: trusting })).body;
    const known = await load({ uid });
    await track(known.visit.token, 'One');
    await load({ uid });
    const first = new Date(now).toISOString();
    now += 60_000;
    const anonymous = await load();
    for (const name of ['One', 'Two']) await track(anonymous.visit.token, name);
    await load({ anonymous_uid: anonymous.profile.uid });
    const query = new URLSearchParams({ id: launcher.id }).toString();
    await load({ uid, anonymous_uid: anonymous.profile.uid });
    const { interactions } = (await api.get('/v3/analyze/interactions', { query, as: trusting })).body;
    expect(interactions.map((one: { items: unknown }) => one.items)).toEqual([
      [
        { id: launcher.items[0].id, completed_at: first },
        { id: launcher.items[1].id, completed_at: new Date(now).toISOString() },
      ],
    ]);
    const { stats } = (await api.get(`/v3/analyze/launchers/${launcher.id}/stats`, { as: trusting })).body;
    const counted = stats.steps[0].buttons.map(({ completed }: { completed: number }) => completed);
    expect(counted).toEqual([1, 1, 0]);
    await expectExactCounts();
    await api.send('DELETE', `/v3/edit/launchers/${launcher.id}`, { as: trusting });
  });

  it('lets a tab that was open report for the user, but no more after the token has expired', async () => {
    await load({ uid });
    const anonymous = await load();
    await load({ uid, anonymous_uid: anonymous.profile.uid });
    expect((await report(anonymous.visit.token, { state: 'started', showing: 5 })).status).toBe(200);
    expect((await track(anonymous.visit.token, 'Late')).status).toBe(200);
    const { id } = await stored(uid);
    const events = await api.get('/v3/analyze/profiles', {
      query: `filters=${encodeURIComponent(JSON.stringify([{ kind: 'event', value: 'late' }]))}`,
      as: trusting,
    });
    expect(events.body.profiles.map((one: { id: string }) => one.id)).toContain(id);
    const rows = () =>
      reader().selectFrom('merged_profiles').selectAll().where('account_id', '=', trusting.account_id).execute();
    expect((await rows()).map(({ profile_id }) => profile_id)).toContain(id);
    now += 13 * HOUR_MS;
    await sweepAnonymous(api.app);
    expect(await rows()).toEqual([]);
    expect((await track(anonymous.visit.token, 'Late')).status).toBe(403);
    await expectExactCounts();
  });

  it('keeps pending Deliveries in order and within the limit, and every key', async () => {
    await load({ uid });
    const { profile } = await load();
    const create = (of: string, idempotency_key: string) =>
      api.post(
        '/v3/edit/deliveries',
        { model_id: tour, model_kind: 'tour', uid: of, idempotency_key, delivery_ids_position: 'last' },
        { as: trusting },
      );
    const ids = [];
    for (const [of, key] of [
      [uid, 'one'],
      [uid, 'two'],
      [profile.uid, 'one'],
      [profile.uid, 'three'],
    ] as const)
      ids.push((await create(of, key)).body.delivery.id);
    await load({ uid, anonymous_uid: profile.uid });
    expect((await stored(uid)).delivery_ids).toEqual(ids.slice(0, 3));
    expect((await create(uid, 'three')).body.delivery.id).toBe(ids[3]);
  });

  it('merges exactly once, however many tabs and servers sign in at the same time', async () => {
    const known = await load({ uid });
    await track(known.visit.token, 'Opened');
    const anonymous = await load();
    const work = Array.from({ length: 12 }, (_, n) => {
      const on = n % 2 ? beside : api;
      return n % 3
        ? visit(on, { uid, anonymous_uid: anonymous.profile.uid }, { as: trusting })
        : track(anonymous.visit.token, 'Opened', { idempotency_key: `key ${n}` }, on);
    });
    const statuses = (await Promise.all(work)).map(({ status }) => status);
    expect(statuses).toEqual(work.map(() => 200));
    const rows = await reader()
      .selectFrom('profile_events')
      .select(['profile_id', 'count'])
      .where('account_id', '=', trusting.account_id)
      .where('profile_id', 'in', [known.profile.id, anonymous.profile.id])
      .execute();
    expect(rows).toEqual([{ profile_id: known.profile.id, count: 5 }]);
    expect((await find({ uid: anonymous.profile.uid })).status).toBe(404);
    await expectExactCounts();
  });

  it('changes nothing when the page load is rejected', async () => {
    await load({ uid });
    const { profile } = await load();
    const rejected = await visit(
      api,
      { uid, anonymous_uid: profile.uid, company_id: 'f'.repeat(24) },
      { as: trusting },
    );
    expect(rejected.status).toBe(404);
    expect((await find({ uid: profile.uid })).status).toBe(200);
  });
});

describe('anonymous profiles', () => {
  it('are found by filters and by the search for people', async () => {
    const { profile } = await load({ uid });
    const { profile: own } = await load();
    const search = async (value: boolean, op = 'eq') => {
      const filters = [{ kind: 'property', prop: 'anonymous', op, value }];
      const { body } = await api.post('/v3/analyze/profiles', { filters, limit: 500 }, { as: trusting });
      return body.profiles.map(({ id }: { id: string }) => id);
    };
    for (const [value, op] of [
      [true, 'eq'],
      [false, 'ne'],
    ] as const) {
      expect(await search(value, op)).toContain(own.id);
      expect(await search(value, op)).not.toContain(profile.id);
    }
    expect(await search(false)).toContain(profile.id);
    const segment = { name: 'New', items: [{ kind: 'property', prop: 'anonymous', op: 'eq', value: true }] };
    const made = (await api.post('/v3/edit/segments', segment, { as: trusting })).body.segment;
    const items = [{ title: 'Sign up', url: '/sign-up' }];
    const seen = { name: 'For them', segment_ids: [made.id], title: 'Start', items, published_at: '$now' };
    const { id } = (await api.post('/v3/edit/launchers', seen, { as: trusting })).body.launcher;
    const shown = async (params: object) => (await load(params)).experiences.map((one: { id: string }) => one.id);
    expect(await shown({})).toContain(id);
    expect(await shown({ uid })).not.toContain(id);
    await api.send('DELETE', `/v3/edit/launchers/${id}`, { as: trusting });
  });

  it('are deleted with everything when they were not seen for the days of the account', async () => {
    await api.patch('/v3/edit/account', { anonymous_days: 30 }, { as: trusting });
    const old = await load();
    await track(old.visit.token, 'Opened');
    await report(old.visit.token, { state: 'started', showing: 1 });
    await load({ uid });
    now += 20 * DAY_MS;
    const recent = await load();
    now += 11 * DAY_MS;
    await sweepAnonymous(api.app);
    const found = async (of: string) => (await find({ uid: of })).status;
    expect([await found(old.profile.uid), await found(recent.profile.uid), await found(uid)]).toEqual([404, 200, 200]);
    await expectExactCounts();
  });

  it('leave nothing behind when the user is forgotten, also what was reported before they signed in', async () => {
    await load({ uid });
    const anonymous = await load({ properties: { canary: 'canary-of-the-anonymous' } });
    await track(anonymous.visit.token, 'Canary event', { properties: { word: 'canary-of-the-event' } });
    await load({ uid, anonymous_uid: anonymous.profile.uid });
    await track(anonymous.visit.token, 'Canary event', { properties: { word: 'canary-of-the-tab' } });
    const { id } = await stored(uid);
    await api.app.propertyRegistry.flush(trusting.account_id);
    const { status } = await api.send('DELETE', `/v3/edit/profiles/${id}/forget`, { as: trusting });
    expect(status).toBe(200);
    for (const table of ['merged_profiles', 'events', 'profile_events', 'properties', 'profiles'] as const) {
      const rows = await reader().selectFrom(table).selectAll().where('account_id', '=', trusting.account_id).execute();
      for (const word of [anonymous.profile.id, anonymous.profile.uid, id, 'canary-of-the'])
        expect(JSON.stringify(rows)).not.toContain(word);
    }
  });
});

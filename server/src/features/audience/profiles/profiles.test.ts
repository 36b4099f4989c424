import { type Filter, isId } from '@usher/domain';
import type { Insertable, Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { addResponse } from '../../../../test/use-rows.ts';
import type { Schema } from '../../../db/schema.ts';
import { createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
const experienceId = 'e'.repeat(24);
let count = 0;
const newUid = () => `user ${++count}`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

/** Sends a user and returns its ID. */
async function addProfile(params: object = {}, as = api.account): Promise<string> {
  const { status, body } = await api.post('/v3/observe/hooks/profiles', { uid: newUid(), ...params }, { as });
  expect(status).toBe(200);
  return body.profile.id;
}
async function track(uid: string, name: string, params: object = {}, as = api.account): Promise<void> {
  expect((await api.post('/v3/observe/hooks/events', { uid, name, ...params }, { as })).status).toBe(200);
}
async function show(id: string, query = '', as = api.account) {
  const { status, body } = await api.get(`/v3/analyze/profiles/${id}`, { query, as });
  expect(status).toBe(200);
  return body.profile;
}
async function clear(id: string, as = api.account) {
  const { status, body } = await api.send('DELETE', `/v3/edit/profiles/${id}`, { as });
  expect(status).toBe(200);
  return body.profile;
}
const countWith = async (filters: Filter[], as = api.account) =>
  (await api.post('/v3/analyze/profiles/count', { filters }, { as })).body.count;

/** Sets what page loads store in the row of a profile. */
const seen = {
  browser_x: 1440,
  browser_tz: -8,
  browser_l: 'pt-BR',
  browser_n: 'chrome',
  browser_k: 'desktop',
  last_seen_at: Date.UTC(2029, 3, 7, 12, 18),
  last_seen_session_count: 7,
} as const;
async function change(id: string, values: Updateable<Schema['profiles']>, { account_id } = api.account): Promise<void> {
  await api.app.storage.write(account_id, (db) =>
    db.updateTable('profiles').set(values).where('account_id', '=', account_id).where('id', '=', id).execute(),
  );
}

/** Inserts one record of each kind of use, and returns the IDs of the two Deliveries. */
async function addTraces(profile_id: string, { account_id } = api.account): Promise<[string, string]> {
  const { newId, storage } = api.app;
  const of = { account_id, profile_id, updated_at: 1000 };
  const delivery = (): Insertable<Schema['deliveries']> => ({
    ...of,
    id: newId(),
    model_id: experienceId,
    model_kind: 'tour',
    use_segmentation: false,
    once: false,
    skip_triggers: false,
    skip_url_match: false,
  });
  const [pending, triggered] = [delivery(), { ...delivery(), at: 2000 }];
  await storage.write(account_id, async (db) => {
    const shown = { state: 'started', started_at: 1000 } as const;
    await db
      .insertInto('interactions')
      .values({ ...of, id: newId(), experience_id: experienceId, ...shown })
      .execute();
    await db.insertInto('deliveries').values([pending, triggered]).execute();
  });
  const whose = { account_id, profile_id, experience_id: experienceId };
  await addResponse(api.app, whose, { button_index: 2, input: 'Lovely' });
  await change(profile_id, { delivery_ids: JSON.stringify([pending.id]) }, { ...api.account, account_id });
  return [pending.id, triggered.id];
}
async function rowsOf(table: string, profileId: string, { account_id } = api.account) {
  const rows = (await accountRows(api.app, account_id))[table] ?? [];
  return rows.map((row) => JSON.parse(row)).filter((row) => row.profile_id === profileId);
}

describe('retrieve', () => {
  const empty = {
    email: null,
    browser_x: null,
    browser_tz: null,
    browser_l: null,
    browser_n: null,
    browser_k: null,
    last_seen_at: null,
    last_seen_session_count: 0,
    delivery_ids: [],
    last_cleared_at: null,
  };

  it('returns every documented field, null without a value, and no Company if there is none', async () => {
    const id = await addProfile({ uid: '18821' });
    const { status, body } = await api.get(`/v3/analyze/profiles/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['profile']);
    const { created_at, updated_at, percent, ...rest } = body.profile;
    expect(rest).toEqual({ id, uid: '18821', ...empty });
    expect(isId(id)).toBe(true);
    expect(Date.parse(created_at)).toBe(Number.parseInt(id.slice(0, 8), 16) * 1000 + (Date.parse(created_at) % 1000));
    expect(updated_at).toBe(created_at);
    expect(percent).toBeGreaterThanOrEqual(0);
    expect(percent).toBeLessThanOrEqual(100);
  });

  it('returns every field with its value', async () => {
    const params = { uid: 'Full One', email: 'Full.One@Acme.test', company: { uid: 'full co', plan: 'pro' } };
    const id = await addProfile(params);
    const delivery_ids = ['a'.repeat(24), '1'.repeat(24)];
    await change(id, { ...seen, delivery_ids: JSON.stringify(delivery_ids), last_cleared_at: 1234 });
    const { created_at, updated_at, percent, company_id, company, ...rest } = await show(id);
    expect(rest).toEqual({
      id,
      uid: 'Full One',
      email: 'Full.One@Acme.test',
      ...seen,
      last_seen_at: '2029-04-07T12:18:00.000Z',
      delivery_ids,
      last_cleared_at: '1970-01-01T00:00:01.234Z',
    });
    expect([typeof created_at, typeof updated_at, typeof percent]).toEqual(['string', 'string', 'number']);
    expect(isId(company_id)).toBe(true);
    expect(company).toEqual({ id: company_id, created_at: company.created_at, uid: 'full co' });
  });

  it.each(['chrome', 'firefox', 'safari', 'opera', 'ie10', 'ie11', 'edge'] as const)(
    'returns the browser %s',
    async (browser_n) => {
      const id = await addProfile();
      await change(id, { browser_n });
      expect(await show(id)).toMatchObject({ browser_n });
    },
  );

  it.each(['desktop', 'mobile'] as const)('returns the browser kind %s', async (browser_k) => {
    const id = await addProfile();
    await change(id, { browser_k });
    expect(await show(id)).toMatchObject({ browser_k });
  });

  it.each([-12, 0, 14])('returns the timezone %d', async (browser_tz) => {
    const id = await addProfile();
    await change(id, { browser_tz });
    expect((await show(id)).browser_tz).toBe(browser_tz);
  });

  it('returns custom properties of every type beside the fields', async () => {
    const custom = {
      plan: 'pro',
      seats: 12,
      ratio: 0.25,
      negative: -3,
      admin: true,
      trial: false,
      signed_up: '2029-04-07T12:18:00.000Z',
      topics: ['a', 1, true],
      nothing: [],
      address: { city: 'Köln', geo: { lat: 50.9 } },
      blank: '',
    };
    const id = await addProfile({ uid: 'typed', ...custom });
    const { created_at, updated_at, percent, ...rest } = await show(id);
    expect(rest).toEqual({ id, uid: 'typed', ...empty, ...custom });
  });

  it.each(['GET', 'POST'])('%s finds a profile by its ID in the path', async (method) => {
    const id = await addProfile();
    const { status, body } = await api.send(method, `/v3/analyze/profiles/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ profile: await show(id) });
  });

  describe.each(['id', 'uid', 'email'] as const)('by %s', (name) => {
    const add = async () => {
      const uid = newUid();
      const email = `by.${name}${count}@acme.test`;
      const id = await addProfile({ uid, email });
      return { id, value: { id, uid, email }[name] };
    };

    it('GET finds a profile by parameters in the URL', async () => {
      const { id, value } = await add();
      const query = new URLSearchParams({ [name]: value }).toString();
      const { status, body } = await api.get('/v3/analyze/profile', { query });
      expect(status).toBe(200);
      expect(body).toEqual({ profile: await show(id) });
    });

    it('POST finds a profile by parameters in the JSON body', async () => {
      const { id, value } = await add();
      const { status, body } = await api.post('/v3/analyze/profile', { [name]: value });
      expect(status).toBe(200);
      expect(body).toEqual({ profile: await show(id) });
    });
  });

  it('finds a profile by all three identifiers', async () => {
    const params = { uid: newUid(), email: 'all.three@acme.test' };
    const id = await addProfile(params);
    expect((await api.post('/v3/analyze/profile', { id, ...params })).body.profile.id).toBe(id);
    expect((await api.post(`/v3/analyze/profiles/${id}`, params)).body.profile.id).toBe(id);
  });

  it('prefers the path to the body', async () => {
    const [one, other] = [await addProfile(), await addProfile()];
    expect((await api.post(`/v3/analyze/profiles/${one}`, { id: other })).body.profile.id).toBe(one);
  });

  it('ignores capitals in an email, and returns it as stored', async () => {
    const id = await addProfile({ email: 'Mixed.Case@Acme.test' });
    for (const email of ['mixed.case@acme.test', 'MIXED.CASE@ACME.TEST', 'Mixed.Case@Acme.test']) {
      const { body } = await api.post('/v3/analyze/profile', { email });
      expect(body.profile).toMatchObject({ id, email: 'Mixed.Case@Acme.test' });
    }
  });

  it('distinguishes capitals in a uid, and 7 from 007', async () => {
    const ids = [
      await addProfile({ uid: 'Case' }),
      await addProfile({ uid: 'case' }),
      await addProfile({ uid: '007' }),
      await addProfile({ uid: 7 }),
    ];
    const found = [];
    for (const uid of ['Case', 'case', '007', '7'])
      found.push((await api.get(`/v3/analyze/profile?uid=${uid}`)).body.profile.id);
    expect(found).toEqual(ids);
    expect(new Set(ids).size).toBe(4);
  });

  it('has one user for each uid and each email', async () => {
    const as = await newAccount();
    for (const plan of ['free', 'pro', 'max']) {
      await addProfile({ uid: 'same', email: 'same@acme.test', plan }, as);
      await track('same', 'Logged in', {}, as);
    }
    expect(await countWith([], as)).toBe(1);
    for (const find of [{ uid: 'same' }, { email: 'same@acme.test' }])
      expect((await api.post('/v3/analyze/profile', find, { as })).body.profile.plan).toBe('max');
  });

  it('requires an id, a uid or an email', async () => {
    for (const response of [await api.get('/v3/analyze/profile'), await api.post('/v3/analyze/profile', {})]) {
      expect(response.status).toBe(422);
      expect(response.body.messages).toEqual([expect.stringMatching(/`id`.*`uid`.*`email`/)]);
    }
  });

  it('rejects identifiers of different profiles', async () => {
    const [one, other] = [
      { uid: newUid(), email: 'one@contradiction.test' },
      { uid: newUid(), email: 'other@contradiction.test' },
    ];
    const id = await addProfile(one);
    await addProfile(other);
    const wrong = [
      { id, uid: other.uid },
      { id, email: other.email },
      { uid: one.uid, email: other.email },
      { id, ...one, email: other.email },
      { id, uid: 'nobody' },
      { uid: one.uid, email: 'nobody@contradiction.test' },
    ];
    for (const params of wrong) {
      const { status, body } = await api.post('/v3/analyze/profile', params);
      expect(status, JSON.stringify(params)).toBe(422);
      expect(body.messages).toEqual([expect.stringContaining('`id`, `uid` and `email`')]);
    }
    expect((await api.get(`/v3/analyze/profiles/${id}`, { query: `uid=${other.uid}` })).status).toBe(422);
  });

  it.each(['id=12', 'uid=', 'email=', `uid=${'u'.repeat(256)}`, 'uid=a&uid=b', 'uid[a]=b'])(
    'rejects %s',
    async (query) => {
      const { status, body } = await api.get('/v3/analyze/profile', { query });
      expect(status).toBe(422);
      expect(body.messages).toEqual([expect.stringMatching(`^\`${/^\w+/.exec(query)?.[0]}\` (must|has)`)]);
    },
  );

  it('returns the same 404 for an unknown profile and one of another account', async () => {
    const foreign = { uid: 'foreign', email: 'foreign@other.test' };
    const id = await addProfile(foreign, api.other);
    const unknown = await api.get(`/v3/analyze/profiles/${unknownId}`);
    expect(unknown.status).toBe(404);
    for (const [method, path] of [
      ['GET', `profiles/${id}`],
      ['POST', `profiles/${id}`],
      ['GET', `profile?id=${id}`],
      ['GET', 'profile?uid=foreign'],
      ['GET', 'profile?email=foreign@other.test'],
      ['GET', 'profile?uid=nobody'],
      ['GET', 'profile?email=nobody@acme.test'],
    ] as const) {
      const { status, text } = await api.send(method, `/v3/analyze/${path}`);
      expect([path, status, text]).toEqual([path, 404, unknown.text]);
    }
  });

  it('keeps percent when the profile changes', async () => {
    const uid = newUid();
    const id = await addProfile({ uid });
    const { percent } = await show(id);
    await addProfile({ uid, email: 'percent@acme.test', plan: 'pro', percent: 101, company: { uid: 'percent co' } });
    await track(uid, 'Logged in');
    await api.post('/v3/observe/hooks/profiles/batch', { profiles: [{ uid, plan: 'max', percent: 102 }] });
    for (let again = 0; again < 3; again++) expect((await show(id)).percent).toBe(percent);
    expect((await show(id)).plan).toBe('max');
  });

  it('draws a percent for each user', async () => {
    const as = await newAccount();
    const profiles = Array.from({ length: 20 }, (_, index) => ({ uid: `p${index}` }));
    await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as });
    const { body } = await api.get('/v3/analyze/profiles', { as });
    const percents: number[] = body.profiles.map(({ percent }: { percent: number }) => percent);
    expect(percents.filter((percent) => percent >= 0 && percent <= 100)).toHaveLength(20);
    expect(new Set(percents).size).toBeGreaterThan(1);
  });
});

describe('the Company of a profile', () => {
  it('is returned in short, in full, or not at all, by expand', async () => {
    const id = await addProfile({ company: { uid: 'expanded', plan: 'enterprise', seats: 40 } });
    const { company_id, company } = await show(id);
    expect(company).toEqual({ id: company_id, created_at: company.created_at, uid: 'expanded' });
    expect((await show(id, 'expand[company]=min')).company).toEqual(company);
    expect((await show(id, 'expand.company=all')).company).toEqual({
      ...company,
      updated_at: expect.any(String),
      plan: 'enterprise',
      seats: 40,
    });
    const { body } = await api.post('/v3/analyze/profile', { id, expand: { company: 'all' } });
    expect(body.profile.company.plan).toBe('enterprise');
    const skipped = await show(id, 'expand[company]=skip');
    expect(Object.keys(skipped)).not.toContain('company');
    expect(skipped.company_id).toBe(company_id);
  });

  it('is absent, not null, if there is none', async () => {
    const uid = newUid();
    const id = await addProfile({ uid, company: { uid: 'left' } });
    await addProfile({ uid, company: null });
    const alone = await addProfile();
    for (const one of [id, alone])
      for (const query of ['', 'expand[company]=all', 'expand[company]=skip']) {
        const keys = Object.keys(await show(one, query));
        expect(keys.filter((key) => key.startsWith('company'))).toEqual([]);
      }
  });

  it('rejects another value of expand', async () => {
    const { status, body } = await api.get(`/v3/analyze/profiles/${await addProfile()}?expand[company]=some`);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining('`expand.company` must be one of')]);
  });
});

describe('an embedded profile', () => {
  it('is complete when expanded', async () => {
    const as = await newAccount();
    const id = await addProfile({ email: 'embedded@acme.test', plan: 'pro', company: { uid: 'c', size: 3 } }, as);
    await change(id, seen, as);
    const { body } = await api.get('/v3/analyze/profiles?expand[profile]=all&expand[company]=all', { as });
    expect(body.profiles).toEqual([await show(id, 'expand[company]=all', as)]);
  });

  it('has only id, created_at, updated_at and uid when not expanded', async () => {
    const as = await newAccount();
    const id = await addProfile({ uid: 'short', email: 'short@acme.test', plan: 'pro', company: { uid: 'c' } }, as);
    const { created_at, updated_at, company } = await show(id, '', as);
    const list = async (query: string) => (await api.get('/v3/analyze/profiles', { as, query })).body.profiles;
    const short = { id, created_at, updated_at, uid: 'short' };
    expect(await list('expand[profile]=min&expand[company]=skip')).toEqual([short]);
    expect(await list('expand[profile]=min')).toEqual([{ ...short, company }]);
    expect(await list('expand[profile]=skip')).toEqual([{ id }]);
  });
});

describe('clear', () => {
  it('is in the audit log, which does not name the user', async () => {
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'cleared by somebody' });
    await api.send('DELETE', `/v3/edit/profiles/${body.profile.id}`);
    const log = await api.get('/v3/analyze/audit_entries', { query: 'action=profile.clear' });
    expect(log.body.audit_entries[0]).toMatchObject({
      target_id: null,
      details: {},
      user: { id: api.account.user_id },
    });
    expect(log.text).not.toContain(body.profile.id);
  });

  it('resets what was seen of the user and keeps its identity', async () => {
    const params = {
      uid: newUid(),
      email: 'Kept@Acme.test',
      plan: 'pro',
      nested: { a: ['b'] },
      company: { uid: 'kept' },
    };
    const id = await addProfile(params);
    await change(id, { ...seen, updated_at: 1000, delivery_ids: JSON.stringify([unknownId]) });
    const before = await show(id);
    const from = Date.now();
    const { status, body } = await api.send('DELETE', `/v3/edit/profiles/${id}`);
    const until = Date.now();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['profile']);
    const { percent, last_cleared_at, updated_at, ...rest } = body.profile;
    const { percent: _, last_cleared_at: never, updated_at: __, ...kept } = before;
    expect(rest).toEqual({
      ...kept,
      browser_x: null,
      browser_tz: null,
      browser_l: null,
      browser_n: null,
      browser_k: null,
      last_seen_at: null,
      last_seen_session_count: 0,
      delivery_ids: [],
    });
    expect(rest).toMatchObject({ uid: params.uid, email: params.email, plan: 'pro', nested: { a: ['b'] } });
    expect(rest.company.uid).toBe('kept');
    expect(never).toBeNull();
    expect(Date.parse(last_cleared_at)).toBeGreaterThanOrEqual(from);
    expect(Date.parse(last_cleared_at)).toBeLessThanOrEqual(until);
    expect(updated_at).toBe(last_cleared_at);
    expect(percent).toBeGreaterThanOrEqual(0);
    expect(percent).toBeLessThanOrEqual(100);
    expect(await show(id)).toEqual(body.profile);
    expect((await api.get('/v3/analyze/profile?email=kept@acme.test')).body.profile.id).toBe(id);
  });

  it('draws a new percent each time', async () => {
    const id = await addProfile();
    const drawn = [(await show(id)).percent];
    for (let again = 0; again < 5; again++) drawn.push((await clear(id)).percent);
    expect(new Set(drawn).size).toBeGreaterThan(2);
  });

  it.each(['id', 'uid', 'email'] as const)('finds the profile by %s', async (name) => {
    const uid = newUid();
    const email = `clear.${name}@acme.test`;
    const id = await addProfile({ uid, email });
    await change(id, seen);
    const query = new URLSearchParams({ [name]: { id, uid, email }[name] }).toString();
    const { status, body } = await api.send('DELETE', '/v3/edit/profiles', { query });
    expect(status).toBe(200);
    expect(body.profile).toMatchObject({ id, uid, email, browser_x: null, last_seen_session_count: 0 });
    expect(await show(id)).toEqual(body.profile);
  });

  it('removes tracked events and their counts', async () => {
    const uid = newUid();
    const id = await addProfile({ uid });
    for (let again = 0; again < 3; again++) await track(uid, 'Report exported', { format: 'pdf' });
    const mine: Filter = { kind: 'property', prop: 'uid', op: 'eq', value: uid };
    const thrice: Filter = { kind: 'event', op: 'ex', value: 'report_exported', mod: 'eq', range: 3 };
    const never: Filter = { kind: 'event', op: 'nx', value: 'report_exported' };
    expect(await countWith([mine, thrice])).toBe(1);
    expect(await countWith([mine, never])).toBe(0);
    await clear(id);
    expect(await countWith([mine, thrice])).toBe(0);
    expect(await countWith([mine, never])).toBe(1);
    expect([await rowsOf('events', id), await rowsOf('profile_events', id)]).toEqual([[], []]);
    await track(uid, 'Report exported');
    expect(await countWith([mine, { ...thrice, range: 1 } as Filter])).toBe(1);
    expect(await rowsOf('profile_events', id)).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('removes Responses and Interactions', async () => {
    const uid = newUid();
    const id = await addProfile({ uid });
    await addTraces(id);
    const mine: Filter = { kind: 'property', prop: 'uid', op: 'eq', value: uid };
    const started: Filter = { kind: 'tour', op: 'ex', value: experienceId, range: 'started' };
    const answered: Filter = { kind: 'survey', op: 'ex', value: experienceId, mod: 'eq', range: 2 };
    for (const filter of [started, answered]) expect(await countWith([mine, filter])).toBe(1);
    await clear(id);
    for (const filter of [started, answered]) expect(await countWith([mine, filter])).toBe(0);
    for (const table of ['interactions', 'answers', 'responses']) expect(await rowsOf(table, id)).toEqual([]);
  });

  it('removes pending Deliveries and keeps triggered ones', async () => {
    const id = await addProfile();
    const [pending, triggered] = await addTraces(id);
    expect((await show(id)).delivery_ids).toEqual([pending]);
    const { delivery_ids, last_cleared_at } = await clear(id);
    expect(delivery_ids).toEqual([]);
    const cleared = Date.parse(last_cleared_at);
    const deliveries = new Map((await rowsOf('deliveries', id)).map((row) => [row.id, row]));
    expect(deliveries.get(pending)).toMatchObject({ at: null, removed_at: cleared, updated_at: cleared });
    expect(deliveries.get(triggered)).toMatchObject({ at: 2000, removed_at: null, updated_at: 1000 });
  });

  it('does not change a Delivery that was removed before', async () => {
    const id = await addProfile();
    const [pending] = await addTraces(id);
    await clear(id);
    const before = await rowsOf('deliveries', id);
    await clear(id);
    expect(await rowsOf('deliveries', id)).toEqual(before);
    expect(before.map((row) => row.id)).toContain(pending);
  });

  it('can be repeated', async () => {
    const uid = newUid();
    const id = await addProfile({ uid, plan: 'pro' });
    const first = await clear(id);
    await track(uid, 'Came back');
    const second = await clear(id);
    expect({ ...second, percent: 0, last_cleared_at: '', updated_at: '' }).toEqual({
      ...first,
      percent: 0,
      last_cleared_at: '',
      updated_at: '',
    });
    expect(Date.parse(second.last_cleared_at)).toBeGreaterThanOrEqual(Date.parse(first.last_cleared_at));
    expect(await rowsOf('events', id)).toEqual([]);
  });

  it('does not change other profiles and accounts', async () => {
    const as = await newAccount();
    const uid = 'shared uid';
    const [id, neighbour] = [await addProfile({ uid, plan: 'pro' }, as), await addProfile({ plan: 'pro' }, as)];
    const foreign = await addProfile({ uid, plan: 'pro' }, api.other);
    for (const account of [as, api.other]) await track(uid, 'Shared event', { a: 'b' }, account);
    await addTraces(id, as);
    await addTraces(neighbour, as);
    await addTraces(foreign, api.other);
    for (const account of [as, api.other]) await api.get('/v3/edit/properties?kind=profile', { as: account });
    const state = async () => ({
      other: await accountRows(api.app, api.other.account_id),
      // The audit log, and the clock that orders it, have one more entry.
      mine: Object.entries(await accountRows(api.app, as.account_id))
        // The counts have one user less.
        .filter(([table]) => table !== 'audit_entries' && table !== 'account_clocks' && !table.endsWith('_counts'))
        .flatMap(([, rows]) => rows)
        .filter((row) => !row.includes(id)),
    });
    const before = await state();
    await clear(id, as);
    expect(await state()).toEqual(before);
    expect(before.mine.filter((row) => row.includes(neighbour)).length).toBeGreaterThanOrEqual(5);
  });

  it('keeps the count of events equal to the events that come concurrently', async () => {
    const uid = newUid();
    const id = await addProfile({ uid });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 8 === 5 ? clear(id) : track(uid, 'Raced event'))),
    );
    const events = await rowsOf('events', id);
    const counted = await rowsOf('profile_events', id);
    expect(counted.map((row) => row.count)).toEqual(events.length > 0 ? [events.length] : []);
    expect((await show(id)).last_cleared_at).not.toBeNull();
  });

  it('requires an identifier, and rejects identifiers of different profiles', async () => {
    const [one, other] = [newUid(), newUid()];
    const id = await addProfile({ uid: one });
    await addProfile({ uid: other });
    await change(id, seen);
    for (const path of ['profiles', `profiles/${id}?uid=${other}`, `profiles?id=${id}&uid=${other}`])
      expect((await api.send('DELETE', `/v3/edit/${path}`)).status).toBe(422);
    expect(await show(id)).toMatchObject({ browser_x: 1440, last_cleared_at: null });
  });

  it('returns the same 404 for an unknown profile and one of another account, and changes nothing', async () => {
    const id = await addProfile({ uid: 'not yours', email: 'not@yours.test' }, api.other);
    await change(id, seen, api.other);
    const before = await accountRows(api.app, api.other.account_id);
    const unknown = await api.send('DELETE', `/v3/edit/profiles/${unknownId}`);
    expect(unknown.status).toBe(404);
    for (const path of [id, '?uid=not+yours', '?email=not@yours.test', `?id=${id}`, '?uid=nobody']) {
      const { status, text } = await api.send('DELETE', `/v3/edit/profiles${path === id ? '/' : ''}${path}`);
      expect([path, status, text]).toEqual([path, 404, unknown.text]);
    }
    expect(await accountRows(api.app, api.other.account_id)).toEqual(before);
  });
});

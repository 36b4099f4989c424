import { isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { openKey } from '../../../keys/account-keys.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';
import { hashName } from '../deletions/record-deletions.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const unknownId = 'f'.repeat(24);
let count = 0;
const newUid = () => `company ${++count}`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

/** Sends a company and returns its ID. */
async function addCompany(params: object = {}, as = api.account): Promise<string> {
  const { status, body } = await api.post('/v3/observe/hooks/companies', { uid: newUid(), ...params }, { as });
  expect(status).toBe(200);
  return body.company.id;
}
async function addMembers(count: number, company_uid: string, as: CreatedAccount): Promise<void> {
  const profiles = Array.from({ length: count }, (_, index) => ({
    uid: `${company_uid} member ${index}`,
    email: `${index}@${company_uid}.test`,
    company_uid,
    nickname: `nick ${index}`,
  }));
  const { status, body } = await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as });
  expect([status, body.errors]).toEqual([202, undefined]);
}
async function show(id: string, as = api.account) {
  const { status, body } = await api.get(`/v3/analyze/companies/${id}`, { as });
  expect(status).toBe(200);
  return body.company;
}
const remove = (path: string, as = api.account) => api.send('DELETE', `/v3/edit/${path}`, { as });
const countProfiles = async (as: CreatedAccount) => (await api.get('/v3/analyze/profiles/count', { as })).body.count;
const uids = (companies: { uid: string }[]) => companies.map(({ uid }) => uid);
const rows = async (table: string, { account_id }: CreatedAccount) =>
  ((await accountRows(api.app, account_id))[table] ?? []).map((row) => JSON.parse(row));

describe('show', () => {
  it('returns the standard fields, the uid and every property', async () => {
    const custom = { name: 'Acme', seats: 40, paying: true, since_at: '2029-04-07T12:18:00.000Z', tags: ['a'] };
    const id = await addCompany({ uid: '931', ...custom, address: { city: 'Köln' } });
    const { status, body } = await api.get(`/v3/analyze/companies/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['company']);
    const { created_at, updated_at, ...rest } = body.company;
    expect(rest).toEqual({ id, uid: '931', ...custom, address: { city: 'Köln' } });
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
  });

  it('finds a Company by uid or id as a parameter', async () => {
    const uid = newUid();
    const id = await addCompany({ uid, plan: 'pro' });
    const company = await show(id);
    for (const find of [{ uid }, { id }, { id, uid }]) {
      const { status, body } = await api.get('/v3/analyze/company', { query: new URLSearchParams(find).toString() });
      expect(status).toBe(200);
      expect(body).toEqual({ company });
    }
  });

  it('requires an id or a uid of one Company', async () => {
    const [one, other] = [newUid(), newUid()];
    const id = await addCompany({ uid: one });
    await addCompany({ uid: other });
    const none = await api.get('/v3/analyze/company');
    expect([none.status, none.body.messages]).toEqual([422, ['Give the `id` or the `uid` of the Company']]);
    expect((await api.get(`/v3/analyze/company?id=${id}&uid=${other}`)).status).toBe(422);
  });

  it('returns the same 404 for an unknown Company and one of another account', async () => {
    const id = await addCompany({ uid: 'foreign' }, api.other);
    const unknown = await api.get(`/v3/analyze/companies/${unknownId}`);
    expect(unknown.status).toBe(404);
    for (const path of [`companies/${id}`, 'company?uid=foreign', `company?id=${id}`, 'company?uid=nobody']) {
      const { status, text } = await api.get(`/v3/analyze/${path}`);
      expect([path, status, text]).toEqual([path, 404, unknown.text]);
    }
  });
});

describe('list', () => {
  it.each(['GET', 'POST'])('%s lists all Companies of the account, newest first', async (method) => {
    const as = await newAccount();
    for (const uid of ['a', 'b', 'c']) await addCompany({ uid, letter: uid }, as);
    await addCompany({}, api.other);
    const { status, body } = await api.send(method, '/v3/analyze/companies', { as });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['companies', 'cursor']);
    expect(uids(body.companies)).toEqual(['c', 'b', 'a']);
    expect(body.companies[0]).toEqual(await show(body.companies[0].id, as));
    expect(body.cursor).toEqual({ limit: 50, before: null });
  });

  it.each(['GET', 'POST'])('%s lists Companies page by page', async (method) => {
    const as = await newAccount();
    for (const uid of ['a', 'b', 'c', 'd', 'e']) await addCompany({ uid }, as);
    const pages = [];
    for (let before: string | null = ''; before !== null; ) {
      const page: object = { limit: 2, ...(before && { before }) };
      const sent = method === 'GET' ? { query: new URLSearchParams(Object.entries(page)).toString() } : { body: page };
      const { body } = await api.send(method, '/v3/analyze/companies', { as, ...sent });
      pages.push(uids(body.companies));
      expect(body.cursor.limit).toBe(2);
      before = body.cursor.before;
    }
    expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
  });

  it('is empty in an account without Companies', async () => {
    const { text } = await api.get('/v3/analyze/companies', { as: await newAccount() });
    expect(text).toBe('{"companies":[],"cursor":{"limit":50,"before":null}}');
  });

  describe('with filters', () => {
    let as: CreatedAccount;
    beforeAll(async () => {
      as = await newAccount();
      await addCompany({ uid: 'a', plan: 'free', seats: 5 }, as);
      await addCompany({ uid: 'b', plan: 'pro', seats: 50, address: { city: 'Köln' } }, as);
      await addCompany({ uid: 'c', plan: 'pro', seats: 5, topics: ['x', 'y'] }, as);
      await addCompany({ uid: 'd', seats: 500 }, as);
    });
    const is = (prop: string, op: string, value?: unknown) => ({ kind: 'property', prop, op, value });
    const pro = is('plan', 'eq', 'pro');
    const small = is('seats', 'lt', 10);
    const found = async (params: object) => {
      const { status, body } = await api.post('/v3/analyze/companies', params, { as });
      expect(status).toBe(200);
      return uids(body.companies).sort().join('');
    };

    it('finds Companies that match all filters, or any with filters_op=or', async () => {
      expect(await found({ filters: [pro] })).toBe('bc');
      expect(await found({ filters: [pro, small] })).toBe('c');
      expect(await found({ filters: [pro, small], filters_op: 'and' })).toBe('c');
      expect(await found({ filters: [pro, small], filters_op: 'or' })).toBe('abc');
      expect(await found({ filters: [] })).toBe('abcd');
    });

    it('accepts groups within groups', async () => {
      const group = (filters: object[], filters_op: string) => ({ kind: 'group', filters, filters_op });
      expect(await found({ filters: [group([pro, small], 'or'), is('uid', 'ne', 'a')] })).toBe('bc');
      expect(await found({ filters: [group([pro, group([small, is('plan', 'nx')], 'or')], 'and')] })).toBe('c');
    });

    it.each([
      [is('company.plan', 'eq', 'pro'), 'bc'],
      [is('uid', 'in-v', ['a', 'd']), 'ad'],
      [is('plan', 'nx'), 'd'],
      [is('plan', 'ne', 'pro'), 'ad'],
      [is('address.city', 'eq', 'Köln'), 'b'],
      [is('topics', 'in-a', ['y']), 'c'],
      [is('seats', 'gte', '50'), 'bd'],
      [is('created_at', 'gt-d', 1), 'abcd'],
    ])('finds by %j', async (filter, expected) => {
      expect(await found({ filters: [filter] })).toBe(expected);
    });

    it('shows as much of each Company as `expand` says', async () => {
      const filters = [is('uid', 'eq', 'c')];
      const shown = async (params: object) =>
        (await api.post('/v3/analyze/companies', { filters, ...params }, { as })).body.companies[0];
      const whole = await shown({});
      const { id, created_at, uid } = whole;
      expect(Object.keys(whole)).toContain('plan');
      expect(await shown({ expand: { company: 'all' } })).toEqual(whole);
      expect(await shown({ expand: { company: 'min' } })).toEqual({ id, created_at, uid });
      expect(await shown({ expand: { company: 'skip' } })).toEqual({ id });
      const query = 'expand[company]=min&limit=1';
      const [first] = (await api.get('/v3/analyze/companies', { as, query })).body.companies;
      expect(Object.keys(first)).toEqual(['id', 'created_at', 'uid']);
    });

    it('accepts filters in the URL, page by page', async () => {
      const query = new URLSearchParams({ filters: JSON.stringify([pro]), limit: '1' }).toString();
      const first = await api.get('/v3/analyze/companies', { as, query });
      expect(uids(first.body.companies)).toEqual(['c']);
      const next = await api.get('/v3/analyze/companies', { as, query: `${query}&before=${first.body.cursor.before}` });
      expect([uids(next.body.companies), next.body.cursor.before]).toEqual([['b'], null]);
    });

    it.each(['event', 'tour', 'survey', 'segment'])('rejects the kind %s at any depth', async (kind) => {
      const wrong = { kind, value: kind === 'event' ? 'x' : unknownId };
      const { status, body } = await api.post(
        '/v3/analyze/companies',
        { filters: [wrong, { kind: 'group', filters: [pro, wrong] }] },
        { as },
      );
      expect(status).toBe(422);
      expect(body.messages).toEqual([
        expect.stringContaining('`filters[0].kind` must be one of `property`, `group`'),
        expect.stringContaining('`filters[1].filters[1].kind` must be one of `property`, `group`'),
      ]);
    });

    it('rejects invalid filters', async () => {
      const { status, body } = await api.post(
        '/v3/analyze/companies',
        { filters: ['x', { kind: 'property' }] },
        { as },
      );
      expect(status).toBe(422);
      expect(body.messages[0]).toContain('`filters[0]`');
      expect(body.messages[1]).toContain('`filters[1].prop`');
    });
  });
});

describe('delete', () => {
  it.each(['id in the path', 'uid', 'id'])('deletes a Company without profiles by its %s', async (how) => {
    const as = await newAccount();
    const uid = 'gone co';
    const id = await addCompany({ uid, plan: 'pro' }, as);
    await addCompany({ uid: 'stays' }, as);
    const path = how === 'id in the path' ? `companies/${id}` : `company?${how}=${how === 'id' ? id : 'gone+co'}`;
    const { status, body } = await remove(path, as);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['deletion']);
    expect(Object.keys(body.deletion)).toEqual(['id']);
    expect(isId(body.deletion.id)).toBe(true);
    expect((await api.get(`/v3/analyze/companies/${id}`, { as })).status).toBe(404);
    expect(uids((await api.get('/v3/analyze/companies', { as })).body.companies)).toEqual(['stays']);
    expect((await remove(path, as)).status).toBe(404);
  });

  it('stores only an ID and a keyed hash, which proves the uid', async () => {
    const as = await newAccount();
    const { body } = await remove(`companies/${await addCompany({ uid: 'proven' }, as)}`, as);
    const account = await api.app.storage
      .reader(null)
      .selectFrom('accounts')
      .select(['id', 'hash_key'])
      .where('id', '=', as.account_id)
      .executeTakeFirstOrThrow();
    const hash = hashName(openKey(api.app.secretBox, account, 'hash_key') ?? '', 'company proven');
    expect(await rows('deletions', as)).toEqual([
      { account_id: as.account_id, id: body.deletion.id, hash, profile_hash: null, exported_in: null },
    ]);
  });

  it('keeps its profiles without a Company', async () => {
    const as = await newAccount();
    const id = await addCompany({ uid: 'left' }, as);
    await addMembers(3, 'left', as);
    await addMembers(2, 'other', as);
    const { body } = await remove('company?uid=left', as);
    expect(Object.keys(body)).toEqual(['deletion']);
    const { body: found } = await api.get('/v3/analyze/profiles', { as });
    const belongs = (found.profiles as { uid: string; company?: { uid: string } }[]).map((profile) => [
      profile.uid,
      Object.keys(profile).filter((key) => key.startsWith('company')),
      profile.company?.uid,
    ]);
    expect(belongs).toEqual([
      ['other member 1', ['company_id', 'company'], 'other'],
      ['other member 0', ['company_id', 'company'], 'other'],
      ['left member 2', [], undefined],
      ['left member 1', [], undefined],
      ['left member 0', [], undefined],
    ]);
    expect(found.profiles[4]).toMatchObject({ nickname: 'nick 0', email: '0@left.test' });
    expect(JSON.stringify(await accountRows(api.app, as.account_id))).not.toContain(id);
  });

  it.each(['companies/:id', 'company?uid='])('%s with cascade=profiles also forgets its profiles', async (how) => {
    const as = await newAccount();
    const id = await addCompany({ uid: 'cascade', motto: 'company canary' }, as);
    await addMembers(3, 'cascade', as);
    await addMembers(2, 'other', as);
    const events = { uid: 'cascade member 1', name: 'Event canary', place: 'place canary' };
    await api.post('/v3/observe/hooks/events', events, { as });
    await api.get('/v3/edit/properties?kind=profile', { as });
    const path = how === 'companies/:id' ? `companies/${id}?` : 'company?uid=cascade&';
    const { status, body } = await remove(`${path}cascade=profiles`, as);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['deletion', 'deletions']);
    expect(Object.keys(body.deletion)).toEqual(['id']);
    const ids = (body.deletions as { id: string }[]).map((deletion) => deletion.id);
    expect(body.deletions).toEqual(ids.map((one) => ({ id: one })));
    expect(new Set([body.deletion.id, ...ids].filter(isId)).size).toBe(4);
    expect((await rows('deletions', as)).map((row) => row.id).sort()).toEqual([body.deletion.id, ...ids].sort());
    expect(await countProfiles(as)).toBe(2);
    expect(uids((await api.get('/v3/analyze/companies', { as })).body.companies)).toEqual(['other']);
    const { body: properties } = await api.get('/v3/edit/properties?kind=profile', { as });
    const nicknames = properties.properties.find(({ prop }: { prop: string }) => prop === 'nickname');
    expect(nicknames.values.sort()).toEqual(['nick 0', 'nick 1']);
    const left = JSON.stringify(await accountRows(api.app, as.account_id));
    for (const canary of [id, 'cascade', 'canary', 'event_canary', 'nick 2']) expect(left).not.toContain(canary);
  });

  it('removes its values from Properties and keeps those of other Companies', async () => {
    const as = await newAccount();
    await addCompany({ uid: 'a', motto: 'first' }, as);
    await addCompany({ uid: 'a', motto: 'second' }, as);
    await addCompany({ uid: 'b', motto: 'other' }, as);
    const values = async () => {
      const { body } = await api.get('/v3/edit/properties?kind=company', { as });
      return body.properties[0].values.sort();
    };
    expect(await values()).toEqual(['first', 'other', 'second']);
    await addCompany({ uid: 'a', motto: 'not yet written down' }, as);
    await remove('company?uid=a', as);
    expect(await values()).toEqual(['other']);
  });

  describe.each(['', 'profiles'])('more profiles than one transaction handles, cascade=%j', (cascade) => {
    it.each([
      ['two chunks and some more', 2, 50],
      ['exactly one chunk', 1, 0],
    ])('handles all profiles: %s', async (_, chunks, more) => {
      const as = await newAccount();
      const size = chunks * api.app.storage.dialect.rowsPerWrite + more;
      await addMembers(size, 'large', as);
      await addMembers(1, 'other', as);
      const { status, body } = await remove(`company?uid=large${cascade && '&cascade=profiles'}`, as);
      expect(status).toBe(200);
      const deletions: { id: string }[] = body.deletions ?? [];
      expect(new Set(deletions.map(({ id }) => id)).size).toBe(cascade ? size : 0);
      expect(await rows('deletions', as)).toHaveLength(deletions.length + 1);
      expect(await countProfiles(as)).toBe(cascade ? 1 : size + 1);
      const profiles = await rows('profiles', as);
      expect(profiles.filter(({ company_id }) => company_id !== null)).toHaveLength(1);
      expect(uids((await api.get('/v3/analyze/companies', { as })).body.companies)).toEqual(['other']);
    });
  });

  it('returns no deletions for a Company without profiles, with cascade=profiles', async () => {
    const { body } = await remove(`companies/${await addCompany()}?cascade=profiles`);
    expect(body).toEqual({ deletion: { id: expect.any(String) }, deletions: [] });
  });

  it.each(['other', '', 'Profiles'])('rejects cascade=%s and deletes nothing', async (cascade) => {
    const uid = newUid();
    const id = await addCompany({ uid });
    for (const path of [`companies/${id}?`, `company?id=${id}&`]) {
      const { status, body } = await remove(`${path}cascade=${cascade}`);
      expect(status).toBe(422);
      expect(body.messages).toEqual([expect.stringContaining('`cascade` must be')]);
    }
    expect((await show(id)).uid).toBe(uid);
  });

  it('requires an id or a uid', async () => {
    expect((await remove('company')).status).toBe(422);
    expect((await remove('company?cascade=profiles')).status).toBe(422);
  });

  it('returns the same 404 for an unknown Company and one of another account, and changes nothing', async () => {
    const id = await addCompany({ uid: 'not yours' }, api.other);
    await addMembers(1, 'not yours', api.other);
    const before = await accountRows(api.app, api.other.account_id);
    const unknown = await remove(`companies/${unknownId}`);
    expect(unknown.status).toBe(404);
    for (const path of [`companies/${id}?cascade=profiles`, 'company?uid=not+yours', `company?id=${id}`]) {
      const { status, text } = await remove(path);
      expect([path, status, text]).toEqual([path, 404, unknown.text]);
    }
    expect(await accountRows(api.app, api.other.account_id)).toEqual(before);
  });

  it.each(['', '&cascade=profiles'])(
    'leaves no concurrently saved profile in a deleted Company %s',
    async (cascade) => {
      const as = await newAccount();
      await addMembers(20, 'raced', as);
      const join = (uid: string) =>
        api.post('/v3/observe/hooks/profiles', { uid, company_uid: 'raced', motto: uid }, { as });
      const responses = await Promise.all([
        ...Array.from({ length: 20 }, (_, index) => join(index % 2 ? `late ${index}` : `raced member ${index}`)),
        remove(`company?uid=raced${cascade}`, as),
        ...Array.from({ length: 5 }, (_, index) => join(`latest ${index}`)),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(Array(26).fill(200));
      const ids = new Set((await rows('companies', as)).map((row) => row.id));
      const profiles = await rows('profiles', as);
      expect(profiles.filter(({ company_id }) => company_id !== null && !ids.has(company_id))).toEqual([]);
      const forgotten = responses.flatMap(({ body }) => body.deletions ?? []);
      if (cascade) expect(forgotten.length).toBeGreaterThanOrEqual(10);
      else expect(profiles).toHaveLength(35);
    },
  );
});

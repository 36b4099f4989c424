import { integrations, MAX_NEW_UNPROVEN_NAMES, MAX_UNPROVEN_NAMES } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { createTestDatabase } from '../../../../test/engine.ts';
import { createApp } from '../../../app.ts';
import type { AppContext } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { createLog } from '../../../log/log.ts';
import { openAppContext } from '../../../serve.ts';
import { readSettings } from '../../../settings/settings.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';
import { saveProfile } from '../profiles/save-profile.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

let count = 0;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

async function save(kind: 'profiles' | 'companies' | 'events', body: object, as: CreatedAccount): Promise<void> {
  expect((await api.post(`/v3/observe/hooks/${kind}`, body, { as })).status).toBe(200);
}
interface Seen {
  prop: string;
  types: string[];
  values: unknown[];
  integration: string | null;
  last_seen_at: string | null;
  created_at: string;
  updated_at: string;
  name: string;
  description: string | null;
}
async function list(kind: string, as: CreatedAccount): Promise<Map<string, Seen>> {
  const { status, body } = await api.get('/v3/edit/properties', { query: `kind=${kind}`, as });
  expect(status).toBe(200);
  return new Map((body.properties as Seen[]).map((property) => [property.prop, property]));
}
const seenOf = async (prop: string, as: CreatedAccount, kind = 'profile') => (await list(kind, as)).get(prop);
async function forgetTime({ account_id }: CreatedAccount): Promise<void> {
  await api.app.propertyRegistry.flush(account_id);
  await api.app.storage.write(account_id, (db) =>
    db.updateTable('properties').set({ last_seen_at: 1000 }).where('account_id', '=', account_id).execute(),
  );
}
const longAgo = '1970-01-01T00:00:01.000Z';

describe('seen property', () => {
  it('registers a new property immediately as a Property of its kind', async () => {
    const as = await newAccount();
    await save('profiles', { uid: '1', userRole: 'admin', company: { uid: '1', companySize: 12 } }, as);
    await save('companies', { uid: '2', 'Company Region': 'eu' }, as);
    await save('events', { uid: '1', name: 'opened', fileFormat: 'pdf' }, as);
    expect([...(await list('profile', as)).keys()]).toEqual(['user_role']);
    expect([...(await list('company', as)).keys()].sort()).toEqual(['company_region', 'company_size']);
    expect([...(await list('event', as)).keys()]).toEqual(['file_format']);
    const { created_at, updated_at, last_seen_at, ...rest } = (await seenOf('user_role', as)) as Seen;
    expect(rest).toEqual({
      id: expect.any(String),
      name: 'user_role',
      description: null,
      kind: 'profile',
      prop: 'user_role',
      integration: 'api',
      types: ['string'],
      values: ['admin'],
      hidden: false,
    });
    expect(updated_at).toBe(created_at);
    expect(last_seen_at).not.toBe(null);
  });

  it('registers the properties of a batch', async () => {
    const as = await newAccount();
    const profiles = Array.from({ length: 1200 }, (_, uid) => ({ uid, [`key_${uid % 50}`]: uid, at: uid }));
    expect((await api.post('/v3/observe/hooks/profiles/batch', { profiles }, { as })).status).toBe(202);
    const seen = await list('profile', as);
    expect(seen.size).toBe(51);
    expect(seen.get('at')?.values).toEqual([1199, 1198, 1197, 1196, 1195, 1194, 1193, 1192, 1191, 1190]);
    expect(seen.get('key_7')?.values).toContain(1157);
  });

  it('registers a property once per account, and shows it only there', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    await save('profiles', { uid: '1', plan: 'one' }, one);
    await save('profiles', { uid: '1', plan: 'other' }, other);
    expect((await seenOf('plan', one))?.values).toEqual(['one']);
    expect((await seenOf('plan', other))?.values).toEqual(['other']);
  });

  it('has every type that was seen', async () => {
    const as = await newAccount();
    const values = ['text', 12, 1.5, true, '2029-04-07', ['a'], { a: 1 }];
    for (const [at, value] of values.entries()) {
      await save('profiles', { uid: 'one', [`key_${at}`]: value }, as);
      await save('profiles', { uid: 'one', all: value }, as);
    }
    const types = ['string', 'integer', 'number', 'boolean', 'timestamp', 'array', 'object'];
    const seen = await list('profile', as);
    for (const [at, type] of types.entries()) expect(seen.get(`key_${at}`)?.types).toEqual([type]);
    expect([...(seen.get('all')?.types ?? [])].sort()).toEqual([...types].sort());
  });

  it('keeps up to 10 different values, most recent first', async () => {
    const as = await newAccount();
    for (let value = 1; value <= 12; value++) await save('profiles', { uid: '1', seats: value }, as);
    expect((await seenOf('seats', as))?.values).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    await save('profiles', { uid: '2', seats: 5 }, as);
    await save('profiles', { uid: '2', seats: '12' }, as);
    expect((await seenOf('seats', as))?.values).toEqual([12, 5, 11, 10, 9, 8, 7, 6, 4, 3]);
  });

  it('distinguishes values by type', async () => {
    const as = await newAccount();
    const values = [1, 'one', true, ['1'], { a: 1 }, '007'];
    for (const mixed of values) await save('companies', { uid: '1', mixed }, as);
    expect((await seenOf('mixed', as, 'company'))?.values).toEqual(['007', { a: 1 }, [1], true, 'one', 1]);
  });

  it('does not keep large values', async () => {
    const as = await newAccount();
    await save('profiles', { uid: '1', list: Array.from({ length: 500 }, (_, index) => index) }, as);
    expect(await seenOf('list', as)).toMatchObject({ types: ['array'], values: [] });
  });

  it('shows when it was last added or sent', async () => {
    const as = await newAccount();
    const start = new Date().toISOString();
    await save('profiles', { uid: '1', plan: 'pro', seats: 1 }, as);
    expect(((await seenOf('plan', as))?.last_seen_at as string) >= start).toBe(true);
    await forgetTime(as);
    await save('profiles', { uid: '1', plan: 'pro' }, as);
    expect(((await seenOf('plan', as))?.last_seen_at as string) >= start).toBe(true);
    expect((await seenOf('seats', as))?.last_seen_at).toBe(longAgo);
  });

  it('shows when it was last removed, and keeps its types and values', async () => {
    const as = await newAccount();
    const start = new Date().toISOString();
    await save('profiles', { uid: '1', plan: 'pro', company: { uid: '1', region: 'eu' } }, as);
    await forgetTime(as);
    await save('profiles', { uid: '1', plan: null, company: { uid: '1', region: null } }, as);
    for (const [prop, kind, value] of [
      ['plan', 'profile', 'pro'],
      ['region', 'company', 'eu'],
    ] as const) {
      const seen = await seenOf(prop, as, kind);
      expect(seen).toMatchObject({ types: ['string'], values: [value] });
      expect((seen?.last_seen_at ?? '') >= start).toBe(true);
    }
  });

  it('does not register a property by removing a value that never existed', async () => {
    const as = await newAccount();
    await save('profiles', { uid: '1', nobody: null, company: { uid: '1', nothing: null } }, as);
    await save('events', { uid: '1', name: 'opened', never: null }, as);
    for (const kind of ['profile', 'company', 'event']) expect((await list(kind, as)).size).toBe(0);
    await save('profiles', { uid: '1', plan: 'pro' }, as);
    await forgetTime(as);
    await save('profiles', { uid: '2', plan: null }, as);
    expect((await seenOf('plan', as))?.last_seen_at).toBe(longAgo);
  });

  it('does not register properties of a rejected request or reserved keys', async () => {
    const as = await newAccount();
    const rejected = [
      { plan: 'pro' },
      { uid: '1', plan: 'pro', bad: '\0' },
      { uid: '1', plan: 'pro', company_id: 'f'.repeat(24) },
    ];
    for (const body of rejected)
      expect((await api.post('/v3/observe/hooks/profiles', body, { as })).status).toBeGreaterThanOrEqual(404);
    expect(
      (await api.post('/v3/observe/hooks/profiles/batch', { profiles: rejected }, { as })).body.errors,
    ).toHaveLength(3);
    await save('profiles', { uid: '1', percent: 1, createdAt: 1 }, as);
    expect((await list('profile', as)).size).toBe(0);
  });

  it('registers a property with the name of a built-in object member', async () => {
    const as = await newAccount();
    const headers = { 'Content-Type': 'application/json' };
    const text = '{"uid":"1","__proto__":"p","constructor":"c"}';
    expect((await api.post('/v3/observe/hooks/profiles', text, { as, headers })).status).toBe(200);
    const seen = await list('profile', as);
    expect(seen.get('__proto__')?.values).toEqual(['p']);
    expect(seen.get('constructor')?.values).toEqual(['c']);
  });

  it('registers a property once by 20 requests at the same time', async () => {
    const as = await newAccount();
    const twenty = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(
      twenty.map((index) => save('profiles', { uid: index, raced: index % 5, [`own_${index}`]: 1 }, as)),
    );
    const seen = await list('profile', as);
    expect(seen.size).toBe(21);
    expect([...(seen.get('raced')?.values ?? [])].sort()).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps the name and description of an administrator', async () => {
    const as = await newAccount();
    const params = { name: 'Seat Count', description: 'How many may sit', kind: 'profile' };
    const { property } = (await api.post('/v3/edit/properties', params, { as })).body;
    await save('profiles', { uid: '1', seatCount: '12' }, as);
    expect(await seenOf('seat_count', as)).toEqual({
      ...property,
      integration: 'api',
      types: ['integer'],
      values: [12],
      last_seen_at: expect.any(String),
    });
  });

  it.each(integrations)('has the source %s, and keeps the first source', async (integration) => {
    const as = await newAccount();
    const actor = { id: as.user_id, name: 'Ann', email: 'ann@acme.test', role: 'owner' as const };
    const ctx = createContext(api.app, { account: { id: as.account_id }, actor });
    const sent = { uid: '1', plan: 'pro' };
    await saveProfile(ctx, sent, integration);
    expect((await seenOf('plan', as))?.integration).toBe(integration);
    await save('profiles', { uid: '1', plan: 'basic', other: 1 }, as);
    expect(await seenOf('plan', as)).toMatchObject({ integration, values: ['basic', 'pro'] });
    expect((await seenOf('other', as))?.integration).toBe('api');
  });
});

describe('properties beyond the limit of a source', () => {
  /** Leaves room for so many more from pages. */
  async function fillUp(
    { account_id }: CreatedAccount,
    room: number,
    unproven: 'once' | 'often' = 'often',
  ): Promise<void> {
    const missing = MAX_UNPROVEN_NAMES - room;
    await api.app.storage.write(account_id, async (db) => {
      for (let at = 0; at < missing; at += 500) {
        const rows = Array.from({ length: Math.min(500, missing - at) }, (_, n) => {
          const fields = { account_id, id: api.app.newId(), updated_at: 0, kind: 'profile' as const };
          const name = `full_${at + n}`;
          const seen = { integration: 'browser', last_seen_at: 1000, unproven };
          return { ...fields, name, prop: name, ...seen, types: '[]', samples: '[]' };
        });
        await db.insertInto('properties').values(rows).execute();
      }
    });
  }

  it('stores properties beyond the limit without registering them, and counts them for the account', async () => {
    const account = await newAccount();
    await fillUp(account, 2);
    const load = (properties: object) => {
      const page = { account_token: account.account_token, uid: 'ann', href: 'http://localhost/' };
      return api.post('/v3/observe/visits', { ...page, properties }, { as: null });
    };
    expect((await load({ a: 1, b: 2, c: 3, d: 4, full_7: 'x' })).status).toBe(200);
    expect((await load({ c: 5, full_7: 'y' })).status).toBe(200);
    const { body } = await api.get('/v3/analyze/profile', { query: 'uid=ann', as: account });
    expect(body.profile).toMatchObject({ a: 1, b: 2, c: 5, d: 4 });
    const listed = await list('profile', account);
    expect(['a', 'b', 'c', 'd'].map((prop) => listed.has(prop))).toEqual([true, true, false, false]);
    expect(listed.get('full_7')?.values).toEqual(['y', 'x']);
    const { ignored_page_writes } = (await api.get('/v3/edit/account', { as: account })).body.account;
    expect(ignored_page_writes.properties_limit).toBe(2);
    // Other sources have their own limit.
    await save('profiles', { uid: 'ann', of_the_backend: 1 }, account);
    expect((await list('profile', account)).has('of_the_backend')).toBe(true);
  });

  const loadAs = (uid: string, account: CreatedAccount, properties: object) => {
    const page = { account_token: account.account_token, uid, href: 'http://localhost/' };
    return api.post('/v3/observe/visits', { ...page, properties }, { as: null });
  };
  const keys = (count: number, prefix: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}_${n}`, n]));
  const countOf = async (prefix: string, account: CreatedAccount) =>
    [...(await list('profile', account)).keys()].filter((prop) => prop.startsWith(prefix)).length;

  it('registers 200 new ones of unproven pages in a day, and any number of the backend', async () => {
    const account = await newAccount();
    await loadAs('ann', account, keys(150, 'first'));
    await loadAs('bob', account, keys(100, 'second'));
    expect([await countOf('first', account), await countOf('second', account)]).toEqual([150, 50]);
    expect(MAX_NEW_UNPROVEN_NAMES).toBe(200);
    await save('profiles', { uid: 'carl', ...keys(300, 'third') }, account);
    expect(await countOf('third', account)).toBe(300);
    const { ignored_page_writes } = (await api.get('/v3/edit/account', { as: account })).body.account;
    expect(ignored_page_writes.properties_limit).toBe(50);
  });

  it('registers new ones of users who were seen before, although new users have sent 200', async () => {
    let passed = 0;
    const later = await startApi({ now: () => Date.now() + passed });
    const account = later.account;
    const load = (uid: string, properties: object) => {
      const page = { account_token: account.account_token, uid, href: 'http://localhost/', properties };
      return later.post('/v3/observe/visits', page, { as: null });
    };
    for (const uid of ['ann', 'kim', 'lee']) await load(uid, {});
    passed = 2 * 60 * 60_000;
    for (const uid of ['invented', 'made up']) await load(uid, keys(150, uid.replace(' ', '_')));
    const { token } = (await load('ann', { plan: 'pro' })).body.visit;
    await load('bob', { seats: 3 });
    expect((await later.post('/v3/observe/events', { visit_token: token, name: 'Paid' }, { as: null })).status).toBe(
      200,
    );
    const { properties } = (await later.get('/v3/edit/properties?kind=profile&limit=500')).body;
    const props = properties.map(({ prop }: { prop: string }) => prop);
    expect([props.length, props.includes('plan'), props.includes('seats')]).toEqual([201, true, false]);
    expect((await later.get('/v3/edit/event_names')).body.event_names).toMatchObject([{ uid: 'paid' }]);
    // They have a limit too.
    for (const uid of ['kim', 'lee']) await load(uid, keys(150, uid));
    const all = (await later.get('/v3/edit/properties?kind=profile&limit=500')).body.properties;
    expect(all).toHaveLength(200 + MAX_NEW_UNPROVEN_NAMES - 1);
  });

  it('replaces the names that the unproven pages of one user have sent, the oldest first', async () => {
    const account = await newAccount();
    await fillUp(account, 0, 'once');
    await loadAs('ann', account, { plan: 'pro', seats: 3 });
    const listed = await list('profile', account);
    expect(listed.size).toBe(MAX_UNPROVEN_NAMES);
    expect(['plan', 'seats', 'full_0', 'full_1', 'full_2'].map((prop) => listed.has(prop))).toEqual([
      ...[true, true, false, false, true],
    ]);
    // Sent again, a name that was replaced is registered again.
    await loadAs('bob', account, { full_0: 1 });
    expect((await list('profile', account)).has('full_0')).toBe(true);
  });

  it('keeps names that a second user, a backend or an administrator has confirmed', async () => {
    const account = await newAccount();
    await loadAs('ann', account, { of_one: 1, of_two: 1, of_backend: 1, described: 1 });
    await loadAs('ann', account, { of_one: 2 });
    await loadAs('bob', account, { of_two: 2 });
    await save('profiles', { uid: 'ann', of_backend: 2 }, account);
    const { properties } = (await api.get('/v3/edit/properties', { query: 'kind=profile', as: account })).body;
    const { id } = properties.find(({ prop }: { prop: string }) => prop === 'described');
    await api.patch(`/v3/edit/properties/${id}`, { description: 'Known' }, { as: account });
    // Two of the four still count as names of unproven pages.
    await fillUp(account, 2);
    await loadAs('carl', account, { newcomer: 1, another: 1 });
    const listed = await list('profile', account);
    const all = ['of_one', 'of_two', 'of_backend', 'described', 'newcomer', 'another'];
    expect(all.filter((prop) => listed.has(prop))).toEqual(['of_two', 'of_backend', 'described', 'newcomer']);
  });
});

describe('when the server stops', () => {
  interface Stored {
    prop: string;
    values: unknown[];
  }
  async function stored({ storage }: AppContext, accountId: string): Promise<Stored[]> {
    const rows = await storage
      .reader(accountId)
      .selectFrom('properties')
      .select(['prop', 'samples'])
      .where('account_id', '=', accountId)
      .orderBy('prop')
      .execute();
    return rows.map(({ prop, samples }) => ({ prop, values: samples.map(({ value }) => value) }));
  }

  it('stores everything that was recorded', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.remove());
    const settings = readSettings(database.env);
    const log = createLog('silent');
    const run = async (use: (url: string, app: AppContext) => Promise<void>) => {
      const app = await openAppContext(settings, log);
      const httpApp = createApp(app, settings, log);
      try {
        await use(await httpApp.listen({ host: '127.0.0.1', port: 0 }), app);
      } finally {
        await httpApp.close();
        await app.storage.close();
      }
    };
    let account: CreatedAccount | undefined;
    const send = (url: string, body: object) =>
      fetch(`${url}/v3/observe/hooks/profiles`, {
        method: 'POST',
        headers: { 'X-Account-Secret': account?.account_secret ?? '', Connection: 'close' },
        body: JSON.stringify(body),
      });
    await run(async (url, app) => {
      account = await createAccount(app, { name: 'Acme', email: 'ann@acme.test' });
      for (const plan of ['a', 'b', 'c']) expect((await send(url, { uid: '1', plan })).status).toBe(200);
    });
    await run(async (url, app) => {
      const accountId = account?.account_id ?? '';
      expect(await stored(app, accountId)).toEqual([{ prop: 'plan', values: ['c', 'b', 'a'] }]);
      expect((await send(url, { uid: '1', plan: 'd', seats: 1 })).status).toBe(200);
      await app.propertyRegistry.flush(accountId);
      expect(await stored(app, accountId)).toEqual([
        { prop: 'plan', values: ['d', 'c', 'b', 'a'] },
        { prop: 'seats', values: [1] },
      ]);
    });
  });

  it('waits for writes that have started', async () => {
    const { app, account, post } = await startApi();
    for (const plan of ['a', 'b']) await post('/v3/observe/hooks/profiles', { uid: '1', plan });
    const writing = app.propertyRegistry.flush(account.account_id);
    // It begins in a moment, and takes what was noted with it.
    for (let turn = 0; turn < 5; turn++) await null;
    await app.propertyRegistry.stop();
    expect(await stored(app, account.account_id)).toEqual([{ prop: 'plan', values: ['b', 'a'] }]);
    await writing;
  });
});

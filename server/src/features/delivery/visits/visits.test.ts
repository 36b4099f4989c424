import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, newEmail, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';
import { isVisitOver, readVisit } from '../../../pages/visit-token.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

const START = Date.parse('2029-04-07T12:18:00.000Z');
const MINUTE = 60_000;
let now = START;
let api: Api;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  await openDomain(api);
  // How values are stored is tested here; what an unproven page may change is tested in page-trust.test.ts.
  await api.patch('/v3/edit/account', { trust_pages: true });
});
afterAll(() => api.stop());
beforeEach(() => {
  now += 24 * 60 * MINUTE;
  uid = newUid();
});

const load = (params: object = {}, sent: Parameters<typeof visit>[2] = {}) => visit(api, { uid, ...params }, sent);

async function loaded(params: object = {}, sent: Parameters<typeof visit>[2] = {}): Promise<ApiResponse['body']> {
  const { status, body } = await load(params, sent);
  expect([status, body.messages]).toEqual([200, undefined]);
  return body;
}

/** The profile as the customer's backend sees it. */
const stored = async (of = uid, as = api.account) =>
  (await api.get('/v3/analyze/profile', { query: new URLSearchParams({ uid: of }).toString(), as })).body.profile;
const hook = (params: object, as = api.account) => api.post('/v3/observe/hooks/profiles', { uid, ...params }, { as });
const rows = (as: CreatedAccount = api.account) => accountRows(api.app, as.account_id);

async function newAccount(): Promise<CreatedAccount> {
  const account = await createAccount(api.app, { name: 'Visited', email: newEmail() });
  await openDomain(api, account);
  return account;
}

describe('a visit', () => {
  it('identifies the user, records the visit and returns what shows in one request', async () => {
    const { body } = await api.post('/v3/edit/tours', {
      name: 'Hello',
      steps: [{ title: 'Hello', quantifier_urls: [{ url: '/only-here', match_type: 'simple' }] }],
      published_at: '$now',
    });
    const response = await loaded({ href: 'https://app.example.com/only-here' });
    expect(Object.keys(response)).toEqual(['profile', 'visit', 'deliveries', 'experiences']);
    expect(response.profile.uid).toBe(uid);
    expect(response.experiences).toMatchObject([{ id: body.tour.id, kind: 'tour', steps: [{ title: ['Hello'] }] }]);
    expect(await stored()).toMatchObject({ id: response.profile.id, last_seen_at: new Date(now).toISOString() });
  });

  it('creates a profile for a new user and finds a known one', async () => {
    const { profile } = await loaded();
    expect((await stored()).id).toBe(profile.id);
    expect((await loaded()).profile).toEqual(profile);
    await hook({ plan: 'pro' });
    expect((await loaded()).profile.id).toBe(profile.id);
  });

  it('finds a profile that the backend created', async () => {
    const { body } = await hook({ plan: 'pro' });
    expect((await loaded()).profile.id).toBe(body.profile.id);
    expect(await stored()).toMatchObject({ id: body.profile.id, last_seen_session_count: 1 });
  });

  it('accepts a number as `uid` and stores it as text', async () => {
    const { profile } = await loaded({ uid: 18821 });
    expect(profile.uid).toBe('18821');
    expect((await loaded({ uid: '18821' })).profile.id).toBe(profile.id);
  });

  it('stores the email', async () => {
    await loaded({ email: 'Ann@Example.com' });
    expect((await stored()).email).toBe('Ann@Example.com');
    await loaded({ email: 'ann@example.com' });
    expect((await stored()).email).toBe('ann@example.com');
    await loaded({ email: null });
    expect((await stored()).email).toBe(null);
  });

  it('stores normalized custom properties and removes one with null', async () => {
    await loaded({ properties: { userRole: 'admin', seats: '12', joined: '2029-04-07' } });
    expect(await stored()).toMatchObject({ user_role: 'admin', seats: 12, joined: '2029-04-07T00:00:00.000Z' });
    await loaded({ properties: { seats: null, plan: 'pro' } });
    const profile = await stored();
    expect(profile).toMatchObject({ user_role: 'admin', plan: 'pro' });
    expect(profile).not.toHaveProperty('seats');
  });

  it('keeps values that are not sent', async () => {
    await hook({ email: `${newUid()}@example.com`, company: { uid: 'kept' }, plan: 'pro' });
    const before = await stored();
    await loaded();
    await loaded({ properties: {} });
    const { email, company_id, plan, updated_at } = before;
    expect(await stored()).toMatchObject({ email, company_id, plan, updated_at });
  });

  it('creates Properties with the integration `browser`', async () => {
    const name = `from_browser_${uid.replace(/\W/g, '_')}`;
    await loaded({ properties: { [name]: 'x' }, company: { uid: 'c', [name]: 1 } });
    await api.app.propertyRegistry.flush(api.account.account_id);
    for (const kind of ['profile', 'company']) {
      const { properties } = (await api.get('/v3/edit/properties', { query: `kind=${kind}` })).body;
      expect(properties).toContainEqual(expect.objectContaining({ prop: name, integration: 'browser' }));
    }
  });

  it('joins the Company and creates it when it is new', async () => {
    const company = { uid: newUid(), plan: 'pro' };
    await loaded({ company });
    const profile = await stored();
    expect(profile.company.uid).toBe(company.uid);
    const companyOf = async () => (await api.get(`/v3/analyze/companies/${profile.company_id}`)).body.company;
    expect(await companyOf()).toMatchObject(company);
    await loaded({ company: { uid: company.uid, plan: 'free' } });
    expect(await companyOf()).toMatchObject({ plan: 'free' });
    await loaded({ company: { uid: newUid() } });
    expect((await stored()).company_id).not.toBe(profile.company_id);
    await loaded({ company: null });
    expect(await stored()).not.toHaveProperty('company_id');
  });

  it('does not set reserved properties', async () => {
    await loaded();
    const profile = await stored();
    const properties = {
      id: 'f'.repeat(24),
      uid: 'x',
      percent: 1000,
      delivery_ids: ['x'],
      last_seen_session_count: 99,
    };
    const more = { created_at: 1, email: 'sly@example.com', company_id: 'x', account_id: api.other.account_id };
    await loaded({ properties: { ...properties, ...more } });
    expect(await stored()).toMatchObject({ ...profile, email: null });
  });

  it('stores keys such as `__proto__` as plain keys', async () => {
    const text = JSON.stringify({ account_token: api.account.account_token, uid, href: PAGE }).replace(
      '}',
      ',"properties":{"__proto__":{"a":1},"constructor":"c"}}',
    );
    const { status } = await api.post('/v3/observe/visits', text, { as: null });
    expect(status).toBe(200);
    expect((await stored()).constructor).toBe('c');
    expect(({} as { a?: unknown }).a).toBe(undefined);
  });

  it('returns 422 for invalid params and changes nothing', async () => {
    await loaded({ properties: { plan: 'pro' } });
    const wrong: [object, string][] = [
      [{ uid: undefined }, '`uid` is required'],
      [{ uid: '' }, '`uid`'],
      [{ uid: 'a\0b' }, '`uid`'],
      [{ href: undefined }, '`href` is required'],
      [{ email: ['a'] }, '`email`'],
      [{ properties: 'x' }, '`properties`'],
      [{ properties: { a: '\ud800' } }, '`properties.a`'],
      [{ company: {} }, '`company.uid`'],
      [{ company: { uid: 'a' }, company_uid: 'b' }, 'say different things'],
      [{ browser: { x: 'wide' } }, '`browser.x`'],
      [{ browser: { n: 'netscape' } }, '`browser.n`'],
      [{ browser: { l: 'no language' } }, '`browser.l`'],
      [{ browser: 7 }, '`browser`'],
      [{ explain: 'perhaps' }, '`explain`'],
    ];
    const before = await rows();
    now += MINUTE;
    for (const [params, message] of wrong) {
      const { status, body } = await load(params);
      expect([params, status, body.messages.join(' ')]).toEqual([params, 422, expect.stringContaining(message)]);
    }
    expect(await rows()).toEqual(before);
  });

  it('returns 422 for more than 200 keys and changes nothing', async () => {
    await loaded();
    const before = await rows();
    now += MINUTE;
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`many_${n}`, 1]));
    for (const params of [{ properties: keys(201) }, { company: { uid: 'c', ...keys(200) } }]) {
      const { status, body } = await load(params);
      expect([status, body.messages.join()]).toEqual([422, expect.stringContaining('200 keys at most, not 201')]);
    }
    expect(await rows()).toEqual(before);
    expect((await load({ properties: keys(200) })).status).toBe(200);
  });

  it('changes nothing when the input cannot be stored', async () => {
    const keys = (name: string) =>
      Object.fromEntries(Array.from({ length: 130 }, (_, n) => [name + n, 'x'.repeat(760)]));
    await loaded({ properties: keys('first'), company: { uid: 'large' } });
    await api.post('/v3/observe/hooks/companies', { uid: 'large', ...keys('first') });
    const before = await rows();
    now += MINUTE;
    expect((await load({ properties: keys('second') })).status).toBe(422);
    expect((await load({ company_id: 'f'.repeat(24) })).status).toBe(404);
    expect(await rows()).toEqual(before);
  });
});

describe('sessions', () => {
  it('begins a session with the first visit and after more than 90 minutes without one', async () => {
    const session = async (after: number, params: object = {}) => {
      now += after;
      expect((await loaded(params)).profile.last_seen_at).toBe(new Date(now).toISOString());
      const { last_seen_at, last_seen_session_count } = await stored();
      expect(last_seen_at).toBe(new Date(now).toISOString());
      return last_seen_session_count;
    };
    expect(await session(0)).toBe(1);
    expect(await session(90 * MINUTE)).toBe(1);
    expect(await session(90 * MINUTE + 1)).toBe(2);
    // The same holds when something is stored.
    expect(await session(90 * MINUTE, { properties: { plan: 'a' } })).toBe(2);
    expect(await session(90 * MINUTE + 1, { properties: { plan: 'b' } })).toBe(3);
    expect(await stored()).toMatchObject({ last_seen_session_count: 3 });
  });

  it('does not move the last visit back with a slow clock', async () => {
    await loaded();
    now -= MINUTE;
    await loaded();
    expect(await stored()).toMatchObject({
      last_seen_at: new Date(now + MINUTE).toISOString(),
      last_seen_session_count: 1,
    });
  });

  it('begins a new session for a cleared profile', async () => {
    const { profile } = await loaded({ browser: { x: 100 } });
    await api.send('DELETE', `/v3/edit/profiles/${profile.id}`);
    await loaded();
    expect(await stored()).toMatchObject({ id: profile.id, last_seen_session_count: 1, browser_x: null });
  });
});

describe('the browser', () => {
  const browser = { x: 1440, tz: -8, l: 'pt-BR', n: 'chrome', k: 'desktop' };
  const facts = { browser_x: 1440, browser_tz: -8, browser_l: 'pt-BR', browser_n: 'chrome', browser_k: 'desktop' };

  it('stores the browser of a new and of a known profile', async () => {
    expect((await loaded({ browser })).profile).toMatchObject(facts);
    expect(await stored()).toMatchObject(facts);
    const other = { x: 390, tz: 14, l: 'de', n: 'safari', k: 'mobile' };
    await loaded({ browser: other });
    expect(await stored()).toMatchObject({
      browser_x: 390,
      browser_tz: 14,
      browser_l: 'de',
      browser_n: 'safari',
      browser_k: 'mobile',
    });
  });

  it('keeps values that a visit does not send', async () => {
    await loaded({ browser });
    await loaded();
    await loaded({ browser: { x: 800 } });
    expect(await stored()).toMatchObject({ ...facts, browser_x: 800 });
  });

  it('uses the first language of `Accept-Language` when none is sent', async () => {
    const headers = { 'Accept-Language': 'pt-br,pt;q=0.9,en;q=0.8' };
    await loaded({}, { headers });
    expect((await stored()).browser_l).toBe('pt-BR');
    await loaded({ browser: { l: 'es' } }, { headers });
    expect((await stored()).browser_l).toBe('es');
    await loaded({}, { headers: { 'Accept-Language': '*' } });
    expect((await stored()).browser_l).toBe('es');
  });
});

describe('authentication of page loads', () => {
  it('accepts the public token of the account', async () => {
    const wrong: object[] = [{}, '', 'wrong', api.account.account_secret, 7, ['a'], api.account.account_id].map(
      (account_token) => ({ account_token }),
    );
    const before = await rows();
    for (const params of [...wrong, { account_token: undefined }]) {
      const { status } = await load(params);
      expect([params, status]).toEqual([params, 403]);
    }
    expect(await rows()).toEqual(before);
    expect((await load()).status).toBe(200);
  });

  it('needs no secret, and rejects a secret without the token', async () => {
    const sent = { uid, href: PAGE };
    expect((await api.post('/v3/observe/visits', sent)).status).toBe(403);
    expect((await api.post('/v3/observe/visits', { ...sent, account_token: api.account.account_token })).status).toBe(
      200,
    );
  });

  it('accepts JSON as plain text, as beacons send it', async () => {
    const body = JSON.stringify({ account_token: api.account.account_token, uid, href: PAGE });
    const { status } = await api.post('/v3/observe/visits', body, {
      as: null,
      headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
    });
    expect(status).toBe(200);
  });

  it('returns nothing of another account', async () => {
    const other = await newAccount();
    await hook({ plan: 'secret plan' });
    await hook({ plan: 'other plan' }, other);
    const [mine, theirs] = [await stored(), await stored(uid, other)];
    const steps = [{ title: 'Plan {{plan}}', quantifier_urls: [{ url: '/theirs', match_type: 'simple' }] }];
    await api.post('/v3/edit/tours', { name: 'Theirs', steps, published_at: '$now' }, { as: other });
    const before = await rows();
    const href = 'https://app.example.com/theirs';
    const response = await loaded({ href }, { as: other });
    expect(response.profile.id).toBe(theirs.id);
    expect(JSON.stringify(response)).not.toMatch(new RegExp(`${mine.id}|secret plan`));
    expect(response.experiences).toMatchObject([{ steps: [{ title: ['Plan other plan'] }] }]);
    expect(await rows()).toEqual(before);
    expect((await loaded({ href })).experiences).toEqual([]);
  });
});

describe('pages on other origins', () => {
  const headers = { Origin: 'https://app.example.com' };

  it('returns a preflight response that allows the request', async () => {
    const preflight = { ...headers, 'Access-Control-Request-Method': 'POST' };
    const { status, headers: responseHeaders } = await api.send('OPTIONS', '/v3/observe/visits', {
      as: null,
      headers: preflight,
    });
    expect(status).toBe(204);
    expect(Object.fromEntries([...responseHeaders].filter(([name]) => name.startsWith('access-control')))).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '86400',
    });
  });

  it('lets pages of other origins read responses and errors', async () => {
    const responses = [
      await load({}, { headers }),
      await load({ uid: '' }, { headers }),
      await load({ account_token: 'wrong' }, { headers }),
      await load({}, { headers: { Origin: 'https://unknown.example.org' } }),
      await api.post('/v3/observe/visits', '{"broken', { as: null, headers }),
      await api.post('/v3/observe/visits', 'x'.repeat(2 * 1024 * 1024), { as: null, headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 422, 403, 403, 422, 413]);
    for (const response of responses) expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('does not let pages of other origins read other endpoints', async () => {
    const others = [
      await api.get('/v3/edit/urls', { headers }),
      await api.post('/v3/observe/hooks/profiles', { uid }, { headers }),
      await api.get('/healthz', { headers }),
      await api.get('/nowhere', { headers }),
    ];
    for (const response of others) expect(response.headers.get('access-control-allow-origin')).toBe(null);
    expect((await api.send('OPTIONS', '/v3/edit/urls', { as: null, headers })).status).toBe(405);
  });
});

describe('`uid_hash`', () => {
  let account: CreatedAccount;
  let secret: string;
  beforeAll(async () => {
    account = await newAccount();
    const { body } = await api.post('/v3/edit/account/uid_secret', {}, { as: account });
    secret = body.uid_secret;
    await require(true);
  });
  const require = (require_uid_hash: boolean) => api.patch('/v3/edit/account', { require_uid_hash }, { as: account });
  const hashOf = (of: string, seconds = Math.floor(now / 1000), key = secret) =>
    `${createHmac('sha256', key).update(`${of}-${seconds}`).digest('hex')}-${seconds}`;
  const loadWith = (uid_hash: unknown) => load({ uid_hash }, { as: account });

  it('accepts a hash of the `uid` and the time with the secret', async () => {
    const { status, body } = await loadWith(hashOf(uid));
    expect([status, body.profile?.uid]).toEqual([200, uid]);
  });

  it('returns 403 without a `uid_hash`', async () => {
    const before = await rows(account);
    for (const missing of [undefined, null, '']) expect((await loadWith(missing)).status).toBe(403);
    expect(await rows(account)).toEqual(before);
  });

  it('returns 403 for a wrong `uid_hash`', async () => {
    await loadWith(hashOf(uid));
    const before = await rows(account);
    const right = hashOf(uid);
    const flipped = right.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const wrong = [hashOf('someone else'), hashOf(uid, undefined, 'no secret'), flipped, `${right}0`, 'x', secret];
    for (const uid_hash of wrong) {
      const { status, body } = await loadWith(uid_hash);
      expect([uid_hash, status]).toEqual([uid_hash, 403]);
      expect(body.messages.join()).toContain('`uid_hash`');
      expect(body.messages.join()).not.toContain(secret);
    }
    expect(await rows(account)).toEqual(before);
  });

  it('returns 403 for a `uid_hash` that is older than a day or in the future', async () => {
    const seconds = Math.floor(now / 1000);
    const day = 24 * 60 * 60;
    const statuses = [];
    for (const at of [seconds - day - 1, seconds - day + 1, seconds + 299, seconds + 302])
      statuses.push((await loadWith(hashOf(uid, at))).status);
    expect(statuses).toEqual([403, 200, 200, 403]);
  });

  it('returns 403 for a `uid_hash` of an earlier secret', async () => {
    const old = hashOf(uid);
    expect((await loadWith(old)).status).toBe(200);
    secret = (await api.post('/v3/edit/account/uid_secret', {}, { as: account })).body.uid_secret;
    expect([(await loadWith(old)).status, (await loadWith(hashOf(uid))).status]).toEqual([403, 200]);
  });

  it('requires `uid_hash` while the account setting is on', async () => {
    const statuses = [(await loadWith(undefined)).status];
    await require(false);
    statuses.push((await loadWith(undefined)).status, (await loadWith('wrong')).status);
    await require(true);
    statuses.push((await loadWith(undefined)).status);
    expect(statuses).toEqual([403, 200, 200, 403]);
  });

  it('gives access to the profile: without it a page reads only what it sent', async () => {
    const email = `${newUid()}@example.com`;
    await hook({ email, company: { uid: 'c' }, plan: 'pro', salary: 10 }, account);
    await require(false);
    const proven = (await loadWith(hashOf(uid))).body.profile;
    expect(proven).toEqual(await stored(uid, account));
    const unproven = (await load({ properties: { plan: 'pro' } }, { as: account })).body.profile;
    const { id, created_at, last_seen_at } = proven;
    const browser = { browser_x: null, browser_tz: null, browser_l: null, browser_n: null, browser_k: null };
    const untold = { ...browser, percent: null, last_seen_session_count: null, delivery_ids: [] };
    expect(unproven).toEqual({ id, uid, created_at, updated_at: last_seen_at, last_seen_at, ...untold, plan: 'pro' });
    await api.patch('/v3/edit/account', { allow_percent: true }, { as: account });
    const allowed = (await load({ properties: { plan: 'pro' } }, { as: account })).body.profile;
    const { updated_at, last_seen_at: seen } = allowed;
    expect(allowed).toEqual({ ...unproven, updated_at, last_seen_at: seen, percent: proven.percent });
    await api.patch('/v3/edit/account', { allow_percent: false }, { as: account });
    for (const wrong of ['wrong', hashOf('someone else')])
      expect(Object.keys((await loadWith(wrong)).body.profile)).not.toContain('salary');
    await require(true);
  });
});

describe('the token of a visit', () => {
  it('names the user and the time, and is signed', async () => {
    const { profile, visit } = await loaded();
    const read = readVisit(visit.token);
    expect(read?.visit).toMatchObject({
      accountId: api.account.account_id,
      profileId: profile.id,
      at: now,
    });
    const key = (await api.app.publishedCache.account(api.account.account_id))?.visitKey ?? '';
    const otherKey = (await api.app.publishedCache.account(api.other.account_id))?.visitKey ?? '';
    expect(key).toMatch(/^[\da-f]{64}$/);
    expect([read?.isSignedBy(key), read?.isSignedBy(otherKey), read?.isSignedBy('')]).toEqual([true, false, false]);
    const forged = visit.token.replace(profile.id, 'f'.repeat(24));
    expect(readVisit(forged)?.isSignedBy(key)).toBe(false);
  });

  it('expires after 12 hours', async () => {
    const { visit } = await loaded();
    const read = readVisit(visit.token);
    expect(
      read && [isVisitOver(read.visit, now + 720 * MINUTE), isVisitOver(read.visit, now + 720 * MINUTE + 1)],
    ).toEqual([false, true]);
  });

  it('authorizes later requests for this user only, until it expires', async () => {
    const { profile, visit } = await loaded();
    const follow = (visit_token: unknown, headers: Record<string, string> = {}) =>
      api.post('/v3/observe/events', { visit_token, name: 'exported' }, { as: null, headers });
    expect((await follow(visit.token)).status).toBe(200);
    const { body } = await api.get('/v3/analyze/profiles', {
      query: new URLSearchParams({ filters: '[{"kind":"event","value":"exported"}]' }).toString(),
    });
    expect(body.profiles.map(({ id }: { id: string }) => id)).toEqual([profile.id]);
    const forged = [visit.token.replace(profile.id, 'f'.repeat(24)), `${visit.token}x`, visit.token.slice(0, -1)];
    const elsewhere = visit.token.replace(api.account.account_id, api.other.account_id);
    for (const token of [...forged, elsewhere, api.account.account_token, undefined])
      expect([token, (await follow(token)).status]).toEqual([token, 403]);
    expect((await follow(visit.token, { Origin: 'https://elsewhere.example.org' })).status).toBe(403);
    now += 720 * MINUTE;
    expect((await follow(visit.token)).status).toBe(200);
    now += 1;
    const late = await follow(visit.token);
    expect([late.status, late.body.messages]).toEqual([403, ['This visit is over: load the page again']]);
  });

  it('differs for each visit', async () => {
    expect((await loaded()).visit.token).not.toBe((await loaded()).visit.token);
  });
});

describe('visits at the same time', () => {
  it('creates one profile for simultaneous visits of a new user', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => loaded({ properties: { [`p${n}`]: n } })));
    expect(new Set(responses.map(({ profile }) => profile.id)).size).toBe(1);
    const profile = await stored();
    expect(profile.last_seen_session_count).toBe(1);
    for (let n = 0; n < 20; n++) expect(profile[`p${n}`]).toBe(n);
  });

  it('begins one session for simultaneous visits', async () => {
    await loaded();
    now += 91 * MINUTE;
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? loaded() : loaded({ properties: { n } }))));
    expect((await stored()).last_seen_session_count).toBe(2);
  });

  it('loses nothing of simultaneous writes of pages and the backend', async () => {
    await loaded();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => [
        loaded({ browser: { x: 500 } }),
        loaded({ properties: { [`page${n}`]: n } }),
        hook({ [`hook${n}`]: n }),
      ]).flat(),
    );
    const profile = await stored();
    expect(profile.browser_x).toBe(500);
    for (let n = 0; n < 20; n++) expect([profile[`page${n}`], profile[`hook${n}`]]).toEqual([n, n]);
  });

  it('creates a new profile after the user is forgotten', async () => {
    const { profile } = await loaded({ properties: { plan: 'pro' } });
    await Promise.all([
      api.send('DELETE', `/v3/edit/profiles/${profile.id}/forget`),
      ...Array.from({ length: 5 }, () => loaded()),
    ]);
    const after = (await loaded()).profile;
    expect(after.id).not.toBe(profile.id);
    expect(await stored()).not.toHaveProperty('plan');
  });
});

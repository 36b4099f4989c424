import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, PASSWORD_COST, startApi } from '../../../../test/api.ts';
import {
  addSignedIn,
  addToAccount,
  Browser,
  forgetConfirmation,
  PASSWORD,
  setPassword,
  storeSession,
} from '../../../../test/sign-in.ts';
import { createAdmin } from '../admins/create-admin.ts';
import { createResetLink } from '../links/create-reset-link.ts';
import { hashPassword } from '../persons/password.ts';
import { sweepSessions } from './sweep-sessions.ts';
import { hashToken } from './token.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let api: Api;
let passed = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => Date.now() + passed, env: { USHER_LIMIT_SIGN_INS: '0' } });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const sessionRows = (personId: string) =>
  api.app.storage.reader(null).selectFrom('sessions').selectAll().where('person_id', '=', personId).execute();
const entries = async (account = api.account) => {
  const rows = api.app.storage.reader(account.account_id).selectFrom('audit_entries').selectAll();
  return rows.where('account_id', '=', account.account_id).orderBy('id').execute();
};

describe('signing in', () => {
  it('returns who has signed in, and sets a cookie that scripts cannot read', async () => {
    const { id, email, personId } = await addSignedIn(api, 'editor');
    const browser = new Browser(api);
    const { status, body, headers } = await browser.post(
      '/v3/session',
      { email: email.toUpperCase(), password: PASSWORD },
      { headers: { 'User-Agent': 'Firefox' } },
    );
    expect(status).toBe(200);
    const { account_id, account_token } = api.account;
    expect(body).toEqual({
      session: {
        id: expect.any(String),
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
        confirmed_until: expect.any(String),
        user_agent: 'Firefox',
        network: '127.0.0.1',
        current: true,
      },
      person: { id: personId, name: 'Kim editor', email },
      account: { id: account_id, name: 'Acme', token: account_token },
      user: { id, role: 'editor', permissions: ['read', 'translate', 'ingest', 'propose', 'edit', 'publish'] },
      accounts: [{ id: account_id, name: 'Acme', role: 'editor' }],
      preferences: { views: [], has_seen_tour: false },
    });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^usher_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/),
    ]);
    expect((await browser.get('/v3/session')).body).toEqual(body);
    expect((await browser.get('/v3/edit/urls')).status).toBe(200);
    expect(await entries()).toContainEqual(
      expect.objectContaining({
        action: 'session.create',
        admin_id: id,
        target_id: body.session.id,
        network: '127.0.0.1',
      }),
    );
  });

  it('stores only the hash of the token', async () => {
    const { personId, browser } = await addSignedIn(api, 'viewer');
    const [row] = await sessionRows(personId);
    expect(row?.hash).toBe(hashToken(browser.cookie ?? ''));
    expect(JSON.stringify(row)).not.toContain(browser.cookie);
  });

  it('gives a new token at each sign-in and ends the session that the browser had', async () => {
    const { email, browser } = await addSignedIn(api, 'viewer');
    const stolen = browser.cookie;
    expect((await browser.signIn(email)).status).toBe(200);
    expect(browser.cookie).not.toBe(stolen);
    expect((await new Browser(api, stolen).get('/v3/session')).status).toBe(401);
  });

  it('returns the same error for a wrong password, an unknown email and a person without a password', async () => {
    const { email } = await addSignedIn(api, 'viewer');
    const without = await createAdmin(api.app, {
      accountId: api.account.account_id,
      email: 'without@people.test',
      role: 'owner',
    });
    await setPassword(api, without.person_id, null);
    const responses = [
      await new Browser(api).signIn(email, 'wrong password'),
      await new Browser(api).signIn('nobody@people.test'),
      await new Browser(api).signIn('without@people.test'),
    ];
    for (const { status, text, headers } of responses) {
      expect([status, text]).toEqual([403, responses[0]?.text]);
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('rejects a person who was removed from every account', async () => {
    const { email, personId } = await addSignedIn(api, 'viewer');
    await api.app.storage.write(null, (db) =>
      db.updateTable('admins').set({ removed_at: 1 }).where('person_id', '=', personId).execute(),
    );
    const { status, body } = await new Browser(api).signIn(email);
    expect([status, body.messages]).toEqual([403, [expect.stringContaining('in no account')]]);
  });

  it('replaces a hash of an earlier version with one of today', async () => {
    const { email, personId } = await addSignedIn(api, 'viewer');
    await setPassword(api, personId, await hashPassword(PASSWORD, PASSWORD_COST / 2));
    const hash = async () => {
      const people = api.app.storage.reader(null).selectFrom('people').select('password_hash');
      return (await people.where('id', '=', personId).executeTakeFirst())?.password_hash;
    };
    const before = await hash();
    expect(before).toMatch(/^scrypt\$512\$/);
    expect((await new Browser(api).signIn(email, 'wrong password')).status).toBe(403);
    expect(await hash()).toBe(before);
    expect((await new Browser(api).signIn(email)).status).toBe(200);
    expect(await hash()).toMatch(/^scrypt\$1024\$/);
    expect((await new Browser(api).signIn(email)).status).toBe(200);
  });
});

it('signs in several times together while an old hash is replaced', async () => {
  const { email, personId } = await addSignedIn(api, 'viewer');
  await setPassword(api, personId, await hashPassword(PASSWORD, PASSWORD_COST / 2));
  const signedIn = await Promise.all(Array.from({ length: 3 }, () => new Browser(api).signIn(email)));
  expect(signedIn.map(({ status }) => status)).toEqual([200, 200, 200]);
});

describe('what happens while a password is checked', () => {
  /** Runs the work after the next password was checked or hashed, and before the request goes on. */
  function meanwhile(name: 'verify' | 'hash', work: () => Promise<unknown>): void {
    const { passwords } = api.app;
    const original = passwords[name].bind(passwords) as (...params: unknown[]) => Promise<never>;
    const spy = vi.spyOn(passwords, name).mockImplementationOnce(async (...params: unknown[]) => {
      const result = await original(...params);
      await work();
      return result;
    });
    onTestFinished(() => spy.mockRestore());
  }

  it('does not sign in with a password that was replaced meanwhile', async () => {
    const { email, personId } = await addSignedIn(api, 'owner');
    meanwhile('verify', () => setPassword(api, personId, 'scrypt$1024$AAAA$AAAA'));
    const thief = new Browser(api);
    expect((await thief.signIn(email)).status).toBe(403);
    expect(thief.cookie).toBeUndefined();
    expect(await sessionRows(personId)).toHaveLength(1);
  });

  it('does not change the password for a session that ended meanwhile', async () => {
    const { browser, email, personId } = await addSignedIn(api, 'owner');
    const thief = new Browser(api, await storeSession(api, personId, api.account.account_id));
    meanwhile('hash', () => browser.delete('/v3/sessions'));
    expect((await thief.patch('/v3/person', { password: 'the one of the thief' })).status).toBe(401);
    expect((await new Browser(api).signIn(email)).status).toBe(200);
  });
});

describe('passwords and tokens in a URL', () => {
  it.each(['/v3/session', '/v3/links/check', '/v3/links/reset'])('are rejected by POST %s', async (path) => {
    const { email } = await addSignedIn(api, 'viewer');
    const query = new URLSearchParams({ email, password: PASSWORD, token: 'a' }).toString();
    const { status, body, headers } = await new Browser(api).post(path, {}, { query });
    expect([status, body.messages[0]]).toEqual([422, expect.stringContaining('belongs in the body')]);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('are rejected where somebody who has signed in gives them', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    for (const [method, path] of [
      ['POST', '/v3/session/confirm'],
      ['PATCH', '/v3/person'],
    ] as const)
      expect((await browser.send(method, path, { query: 'password=correct+horse+battery' })).status).toBe(422);
  });
});

describe('a session', () => {
  it('is needed for its own endpoints, where a secret is not enough', async () => {
    expect((await new Browser(api).get('/v3/session')).status).toBe(401);
    expect((await new Browser(api, 'wrong').get('/v3/session')).status).toBe(401);
    expect((await api.get('/v3/session')).status).toBe(403);
    expect(
      (await api.get('/v3/sessions', { as: null, query: `account_secret=${api.account.account_secret}` })).status,
    ).toBe(403);
  });

  it('is not looked at if the request has a secret', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const headers = { 'X-Account-Secret': 'wrong' };
    expect((await browser.send('GET', '/v3/edit/urls', { headers })).status).toBe(403);
    expect((await browser.get('/v3/edit/urls', { query: 'account_secret=wrong' })).status).toBe(403);
    expect((await browser.post('/v3/edit/tags', { name: 'New', account_secret: 'wrong' })).status).toBe(403);
    const ended = new Browser(api, 'ended');
    const secret = { 'X-Account-Secret': api.account.account_secret };
    expect((await ended.send('GET', '/v3/edit/urls', { headers: secret })).status).toBe(200);
  });

  it('ends after 7 days without use, and after 30 days in any case', async () => {
    const { browser, personId } = await addSignedIn(api, 'viewer');
    const idle = new Browser(api, await storeSession(api, personId, api.account.account_id));
    try {
      for (let day = 0; day < 29; day += 6) {
        passed += 6 * DAY;
        expect([day, (await browser.get('/v3/session')).status]).toEqual([day, day < 24 ? 200 : 401]);
        // The use of a session is recorded without making the request wait.
        await expect
          .poll(async () => Math.max(...(await sessionRows(personId)).map((row) => row.last_used_at)))
          .toBeGreaterThan(day < 24 ? Date.now() + passed - DAY : 0);
        if (day === 0) expect((await idle.get('/v3/session')).body.session.current).toBe(true);
      }
      expect((await idle.get('/v3/session')).status).toBe(401);
    } finally {
      passed = 0;
    }
  });

  it('records its use once a minute at most', async () => {
    const { browser, personId } = await addSignedIn(api, 'viewer');
    const used = async () => (await sessionRows(personId))[0]?.last_used_at ?? 0;
    const first = await used();
    try {
      await browser.get('/v3/session');
      expect(await used()).toBe(first);
      passed += 2 * MINUTE;
      await browser.get('/v3/session');
      await expect.poll(used).toBeGreaterThan(first);
    } finally {
      passed = 0;
    }
  });

  it('ends with the sign-out, also for somebody who has a copy of the cookie', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const copy = new Browser(api, browser.cookie);
    expect((await copy.get('/v3/edit/urls')).status).toBe(200);
    const { status, headers } = await browser.delete('/v3/session');
    expect(status).toBe(200);
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^usher_session=; .*Max-Age=0$/)]);
    for (const path of ['/v3/session', '/v3/edit/urls']) {
      const { status, body } = await copy.get(path);
      expect([status, body.messages]).toEqual([401, [expect.stringContaining('sign in again')]]);
    }
    expect((await entries()).map(({ action }) => action)).toContain('session.delete');
  });

  it('lists the devices of the person, ends one, and ends all others', async () => {
    const { browser, personId } = await addSignedIn(api, 'viewer');
    const stranger = await addSignedIn(api, 'viewer');
    const more = await Promise.all(
      Array.from(
        { length: 3 },
        async () => new Browser(api, await storeSession(api, personId, api.account.account_id)),
      ),
    );
    const ids = async () => (await browser.get('/v3/sessions')).body.sessions.map(({ id }: { id: string }) => id);
    const all = (await browser.get('/v3/sessions')).body.sessions;
    expect(all).toHaveLength(4);
    expect(all.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    const { body } = await (more[0] as Browser).get('/v3/session');
    expect((await browser.delete(`/v3/sessions/${body.session.id}`)).status).toBe(200);
    expect((await (more[0] as Browser).get('/v3/session')).status).toBe(401);
    expect(await ids()).toHaveLength(3);

    const [strange] = (await stranger.browser.get('/v3/sessions')).body.sessions;
    const unknown = await browser.delete(`/v3/sessions/${'f'.repeat(24)}`);
    const theirs = await browser.delete(`/v3/sessions/${strange.id}`);
    expect([unknown.status, theirs.status, theirs.text]).toEqual([404, 404, unknown.text]);

    expect((await browser.delete('/v3/sessions')).body.sessions).toHaveLength(2);
    expect(await ids()).toHaveLength(1);
    for (const one of more) expect((await one.get('/v3/session')).status).toBe(401);
    expect((await stranger.browser.get('/v3/session')).status).toBe(200);
  });
});

it('deletes sessions and links that ended long ago', async () => {
  const { personId } = await addSignedIn(api, 'viewer');
  const links = () => api.app.storage.reader(null).selectFrom('links').select('id').execute();
  await createResetLink(api.app, 'ann@acme.test');
  await sweepSessions(api.app);
  expect([(await sessionRows(personId)).length, (await links()).length]).toEqual([1, 1]);
  try {
    passed = 62 * DAY;
    await sweepSessions(api.app);
    expect([(await sessionRows(personId)).length, (await links()).length]).toEqual([0, 0]);
  } finally {
    passed = 0;
  }
});

describe('one person in two accounts', () => {
  it('switches between them with a new token, and has the role of each', async () => {
    const { account, other } = api;
    const { browser, email, personId } = await addSignedIn(api, 'viewer');
    const second = await addToAccount(api, personId, other.account_id, 'editor');
    const shown = (await browser.get('/v3/session')).body;
    expect(shown.accounts).toEqual([
      { id: account.account_id, name: 'Acme', role: 'viewer' },
      { id: other.account_id, name: 'Other', role: 'editor' },
    ]);
    expect((await browser.post('/v3/edit/tags', { name: 'Mine' })).status).toBe(403);

    const old = browser.cookie;
    const { status, body } = await browser.patch('/v3/session', { account_id: other.account_id });
    expect([status, body.account.id, body.user]).toEqual([
      200,
      other.account_id,
      { id: second, role: 'editor', permissions: expect.arrayContaining(['edit']) },
    ]);
    expect(browser.cookie).not.toBe(old);
    expect((await new Browser(api, old).get('/v3/session')).status).toBe(401);
    expect((await browser.post('/v3/edit/tags', { name: 'Theirs' })).status).toBe(201);
    expect((await api.get('/v3/edit/tags', { as: other })).body.tags).toHaveLength(1);
    expect((await api.get('/v3/edit/tags')).body.tags).toHaveLength(0);
    expect((await entries(other)).map(({ action }) => action)).toContain('session.switch');
    expect((await new Browser(api).signIn(email)).body.account.id).toBe(other.account_id);
  });

  it('rejects what another tab sends for the account before the switch', async () => {
    const { account, other } = api;
    const { browser, id, personId } = await addSignedIn(api, 'owner');
    const second = await addToAccount(api, personId, other.account_id, 'owner');
    const headers = { 'X-User-Id': id };
    const addTag = () => browser.post('/v3/edit/tags', { name: 'Mine' }, { headers });
    expect((await addTag()).status).toBe(201);
    await browser.patch('/v3/session', { account_id: other.account_id });
    expect((await addTag()).body).toMatchObject({ code: 409, confirm: 'account' });
    expect((await browser.get('/v3/edit/tags', { headers })).status).toBe(409);
    expect((await browser.send('PATCH', '/v3/person', { body: { name: 'Kim' }, headers })).status).toBe(409);
    expect((await api.get('/v3/edit/tags', { as: other })).body.tags).toEqual([]);
    expect((await browser.get('/v3/edit/tags', { headers: { 'X-User-Id': second } })).status).toBe(200);
    await browser.patch('/v3/session', { account_id: account.account_id });
    expect((await browser.get('/v3/edit/tags', { headers })).body.tags).toHaveLength(1);
  });

  it('looks at no `X-User-Id` if there is a secret', async () => {
    const headers = { 'X-User-Id': 'f'.repeat(24) };
    expect((await api.get('/v3/edit/tags', { headers })).status).toBe(200);
  });

  it('returns 404 for an account that the person is not in, and for one that does not exist', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const strange = await browser.patch('/v3/session', { account_id: api.other.account_id });
    const unknown = await browser.patch('/v3/session', { account_id: 'f'.repeat(24) });
    expect([strange.status, unknown.status, unknown.text]).toEqual([404, 404, strange.text]);
  });
});

describe('the password again', () => {
  it('is needed after 10 minutes, and counts for 10 minutes', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const send = () => browser.post('/v3/edit/account/uid_secret');
    try {
      expect((await send()).status).toBe(201);
      passed += 10 * MINUTE + 1;
      expect((await send()).body).toMatchObject({ code: 403, confirm: 'password' });
      expect((await browser.get('/v3/session')).body.session.confirmed_until).toBeNull();
      expect((await browser.post('/v3/session/confirm', { password: 'wrong password' })).status).toBe(403);
      expect((await send()).status).toBe(403);
      const { status, body } = await browser.post('/v3/session/confirm', { password: PASSWORD });
      expect([status, Date.parse(body.session.confirmed_until) > Date.now() + passed]).toEqual([200, true]);
      expect((await send()).status).toBe(201);
    } finally {
      passed = 0;
    }
  });

  it('gives the session a new token, so that a copy of the cookie is worth nothing from then on', async () => {
    const { browser, personId } = await addSignedIn(api, 'owner');
    await forgetConfirmation(api, personId);
    const thief = new Browser(api, browser.cookie);
    expect((await thief.get('/v3/session')).status).toBe(200);
    expect((await browser.post('/v3/session/confirm', { password: 'wrong password' })).status).toBe(403);
    expect((await thief.get('/v3/session')).status).toBe(200);
    expect((await browser.post('/v3/session/confirm', { password: PASSWORD })).status).toBe(200);
    expect((await thief.post('/v3/edit/account/uid_secret')).status).toBe(401);
    expect((await browser.post('/v3/edit/account/uid_secret')).status).toBe(201);

    await forgetConfirmation(api, personId);
    const another = new Browser(api, browser.cookie);
    const changes = { email: `changed-${personId}@people.test`, current_password: PASSWORD };
    expect((await browser.patch('/v3/person', changes)).status).toBe(200);
    expect((await another.post('/v3/edit/account/uid_secret')).status).toBe(401);
    expect((await browser.post('/v3/edit/account/uid_secret')).status).toBe(201);
  });

  it('is needed to turn on code or trust in pages, but not to turn them off', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    try {
      passed += 11 * MINUTE;
      for (const params of [{ allow_scripts: true }, { trust_pages: true }])
        expect((await browser.patch('/v3/edit/account', params)).body).toMatchObject({
          code: 403,
          confirm: 'password',
        });
      for (const params of [{ allow_scripts: false }, { trust_pages: false }, { name: 'Renamed' }])
        expect((await browser.patch('/v3/edit/account', params)).status).toBe(200);
      expect((await api.patch('/v3/edit/account', { allow_scripts: true })).status).toBe(200);
    } finally {
      passed = 0;
    }
  });
});

it('needs the password again to delete a Company with its users, and records that they are forgotten', async () => {
  const { browser, personId } = await addSignedIn(api, 'editor');
  const send = async () => {
    await api.post('/v3/observe/hooks/profiles', { uid: 'user', company: { uid: 'acme' } });
    return browser.send('DELETE', '/v3/edit/company', { query: 'uid=acme&cascade=profiles' });
  };
  await forgetConfirmation(api, personId);
  expect((await send()).body).toMatchObject({ code: 403, confirm: 'password' });
  expect((await api.get('/v3/analyze/profile', { query: 'uid=user' })).status).toBe(200);
  await browser.post('/v3/session/confirm', { password: PASSWORD });
  expect((await send()).status).toBe(200);
  expect((await entries()).find(({ action }) => action === 'profile.forget')?.details).toEqual({ count: 1 });
  // Deleting a Company without its users still needs no password.
  await forgetConfirmation(api, personId);
  await api.post('/v3/observe/hooks/companies', { uid: 'acme' });
  expect((await browser.send('DELETE', '/v3/edit/company', { query: 'uid=acme' })).status).toBe(200);
});

describe('preferences', () => {
  const path = '/v3/session/preferences';
  const live = { name: 'Live tours', search: '?kind=tour&state=live' };
  const viewsOf = async (browser: Browser) => (await browser.get('/v3/session')).body.preferences.views;

  it('are the same in each browser of the administrator, and not of others', async () => {
    const { browser, email } = await addSignedIn(api, 'viewer');
    expect(await viewsOf(browser)).toEqual([]);
    const { status, body } = await browser.patch(path, { views: [live] });
    expect([status, body]).toEqual([200, { preferences: { views: [live], has_seen_tour: false } }]);
    await browser.patch(path, {});
    const second = new Browser(api);
    expect((await second.signIn(email)).body.preferences.views).toEqual([live]);
    expect(await viewsOf((await addSignedIn(api, 'viewer')).browser)).toEqual([]);
  });

  it('are limited, and need a session', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    const many = Array.from({ length: 21 }, (_, at) => ({ ...live, name: `View ${at}` }));
    for (const views of [
      many,
      [{ ...live, search: 'https://example.com' }],
      [{ ...live, name: 'a'.repeat(61) }],
      'all',
    ])
      expect((await browser.patch(path, { views })).status).toBe(422);
    expect((await browser.patch(path, { views: many.slice(1) })).status).toBe(200);
    expect((await api.patch(path, { views: [] })).status).toBe(403);
  });

  it('offer the tour of the dashboard until it was seen, unless it is turned off', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    expect((await browser.get('/v3/session')).body.preferences.has_seen_tour).toBe(false);
    expect((await browser.patch(path, { has_seen_tour: true })).body.preferences).toEqual({
      ...{ views: [], has_seen_tour: true },
    });
    expect((await browser.get('/v3/session')).body.preferences.has_seen_tour).toBe(true);
    const without = await startApi({ env: { USHER_DASHBOARD_TOUR: 'false' } });
    const other = await addSignedIn(without, 'viewer');
    expect((await other.browser.get('/v3/session')).body.preferences.has_seen_tour).toBe(true);
  });

  it('are deleted with the administrator', async () => {
    const { browser, id } = await addSignedIn(api, 'editor');
    await browser.patch(path, { views: [live] });
    expect((await api.send('DELETE', `/v3/edit/admins/${id}`)).status).toBe(200);
    const stored = api.app.storage.reader(null).selectFrom('admins').select('preferences').where('id', '=', id);
    expect(await stored.execute()).toEqual([{ preferences: null }]);
  });
});

describe('PATCH /v3/person', () => {
  it('changes the name at any time, and email and password only with the password', async () => {
    const { browser, personId } = await addSignedIn(api, 'viewer');
    try {
      passed += 11 * MINUTE;
      expect((await browser.patch('/v3/person', { name: 'Kim Lee' })).body.person.name).toBe('Kim Lee');
      const email = 'new@people.test';
      expect((await browser.patch('/v3/person', { email })).body).toMatchObject({ confirm: 'password' });
      expect((await browser.patch('/v3/person', { email, current_password: 'wrong one' })).status).toBe(403);
      const { body } = await browser.patch('/v3/person', { email, current_password: PASSWORD });
      expect(body).toEqual({ person: { id: personId, name: 'Kim Lee', email } });
      expect((await new Browser(api).signIn('NEW@people.test')).status).toBe(200);
    } finally {
      passed = 0;
    }
  });

  it('ends all other sessions with a new password, and gives this one a new token', async () => {
    const { browser, email, personId } = await addSignedIn(api, 'viewer');
    const elsewhere = new Browser(api, await storeSession(api, personId, api.account.account_id));
    const old = browser.cookie;
    expect((await browser.patch('/v3/person', { password: 'an entirely new one' })).status).toBe(200);
    expect((await elsewhere.get('/v3/session')).status).toBe(401);
    expect((await new Browser(api, old).get('/v3/session')).status).toBe(401);
    expect((await browser.get('/v3/session')).status).toBe(200);
    expect((await new Browser(api).signIn(email)).status).toBe(403);
    expect((await new Browser(api).signIn(email, 'an entirely new one')).status).toBe(200);
    const [entry] = (await entries()).filter(({ action }) => action === 'person.update');
    expect(entry?.details).toEqual({ fields: ['password'] });
  });

  it('ends links to reset the password when it is changed', async () => {
    const { browser, email } = await addSignedIn(api, 'viewer');
    const [, token] = (await createResetLink(api.app, email)).url.split('#');
    const check = async () => (await new Browser(api).post('/v3/links/check', { token })).status;
    await browser.patch('/v3/person', { name: 'Kim Lee' });
    expect(await check()).toBe(200);
    await browser.patch('/v3/person', { password: 'an entirely new one' });
    expect(await check()).toBe(404);
  });

  it('says what a password must be, without repeating itself', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    const { body } = await browser.patch('/v3/person', { password: 'short' });
    expect(body.messages).toEqual(['`password` has 5 characters: 8 at least']);
  });

  it('rejects passwords that are guessed first, and the email or name as a password', async () => {
    const { browser, email, personId } = await addSignedIn(api, 'viewer');
    const before = await api.app.storage.reader(null).selectFrom('people').selectAll().execute();
    for (const [params, message] of [
      [{ password: 'Password123!' }, 'guessed first'],
      [{ password: 'aaaaaaaaaaaa' }, 'guessed first'],
      [{ password: email.toUpperCase() }, 'must not be your email or your name'],
      [{ name: 'Kimberly Lee', password: 'kimberly lee 7' }, 'must not be your email or your name'],
    ] as const) {
      const { status, body } = await browser.patch('/v3/person', params);
      expect([status, body.messages]).toEqual([422, [expect.stringContaining(message)]]);
    }
    expect(await api.app.storage.reader(null).selectFrom('people').selectAll().execute()).toEqual(before);
    const [, token] = (await createResetLink(api.app, email)).url.split('#');
    const reset = (password: string) => new Browser(api).post('/v3/links/reset', { token, password });
    expect((await reset('letmein2024')).status).toBe(422);
    expect((await reset('four words are better')).body.person.id).toBe(personId);
  });

  it('says of ten emails in an hour whether somebody has them, and then nothing', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    const { email } = await addSignedIn(api, 'viewer');
    const statuses = [];
    for (let count = 0; count < 10; count++) statuses.push((await browser.patch('/v3/person', { email })).status);
    expect(new Set(statuses)).toEqual(new Set([409]));
    const { status, body } = await browser.patch('/v3/person', { email: 'free@people.test' });
    expect([status, body.messages]).toEqual([429, [expect.stringContaining('10 emails in an hour')]]);
    expect((await browser.patch('/v3/person', { name: 'Kim Lee' })).status).toBe(200);
    try {
      passed = 2 * 60 * MINUTE;
      expect(
        (await browser.patch('/v3/person', { email: 'free@people.test', current_password: PASSWORD })).status,
      ).toBe(200);
    } finally {
      passed = 0;
    }
  });

  it('rejects the email of somebody else, and a short password', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    const { email } = await addSignedIn(api, 'viewer');
    expect((await browser.patch('/v3/person', { email: email.toUpperCase() })).status).toBe(409);
    expect((await browser.patch('/v3/person', { password: 'short' })).status).toBe(422);
    expect((await browser.patch('/v3/person', { email: 'no email' })).status).toBe(422);
  });
});

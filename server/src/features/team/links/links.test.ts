import { join } from 'node:path';
import type { Role } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { createTestDatabase } from '../../../../test/engine.ts';
import { addSignedIn, Browser, forgetConfirmation, PASSWORD } from '../../../../test/sign-in.ts';
import { serve } from '../../../serve.ts';
import { readSettings } from '../../../settings/settings.ts';
import { setUpDemo } from '../../install/demo/set-up-demo.ts';
import { createAdmin } from '../admins/create-admin.ts';
import { createResetLink } from './create-reset-link.ts';
import { createSetupLink } from './create-setup-link.ts';
import { insertLink } from './queries.ts';

const DAY = 24 * 60 * 60_000;

let api: Api;
let passed = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => Date.now() + passed, env: { USHER_LIMIT_SIGN_INS: '0' } });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const person = { name: 'Ann Lee', email: 'ann.lee@people.test', password: PASSWORD };
const accountNames = ['account', 'other'] as const;
let count = 0;
const newPerson = () => ({ ...person, email: `new${++count}@people.test` });

const invite = async (role: Role = 'editor', { account_id } = api.account) => {
  const link = { kind: 'invite' as const, account_id, role };
  return (await api.app.storage.write(null, (db) => insertLink(api.app, db, link))).token;
};
const resetLink = async (person_id: string) => {
  const link = { kind: 'reset' as const, person_id };
  return (await api.app.storage.write(null, (db) => insertLink(api.app, db, link))).token;
};
const check = (token: string) => new Browser(api).post('/v3/links/check', { token });
const accept = (params: object, browser = new Browser(api)) => browser.post('/v3/links/accept', params);
const actions = async ({ account_id } = api.account) => {
  const rows = api.app.storage.reader(account_id).selectFrom('audit_entries').select('action');
  return (await rows.where('account_id', '=', account_id).orderBy('id').execute()).map(({ action }) => action);
};

describe('the setup link', () => {
  const setup = { ...person, product_name: 'Acme App', domain: 'https://App.acme.test:8443/start?x=1' };

  it('sets the first owner, the product and its domain up, and signs in', async () => {
    const fresh = await startApi();
    const token = (await createSetupLink(fresh.app)) as string;
    const browser = new Browser(fresh);
    const { body: checked } = await browser.post('/v3/links/check', { token });
    expect(checked.link).toMatchObject({ kind: 'setup', account: null, role: null, email: 'ann@acme.test' });
    const { status, body } = await browser.post('/v3/links/setup', { token, ...setup });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      person: { name: 'Ann Lee', email: 'ann.lee@people.test' },
      account: { id: fresh.account.account_id, name: 'Acme App' },
      user: { id: fresh.account.user_id, role: 'owner' },
    });
    const { urls } = (await browser.get('/v3/edit/urls')).body;
    expect(urls).toEqual([expect.objectContaining({ host: 'app.acme.test', enabled: 'on' })]);
    const { url_groups } = (await browser.get('/v3/edit/url_groups')).body;
    expect(url_groups).toEqual([expect.objectContaining({ id: urls[0].url_group_id, name: 'Production' })]);
    expect((await new Browser(fresh).signIn(person.email)).status).toBe(200);
    expect((await browser.post('/v3/links/setup', { token, ...setup })).status).toBe(404);
  });

  it('works while counts of pages wait to be written', async () => {
    const fresh = await startApi();
    const token = await createSetupLink(fresh.app);
    fresh.app.pageCounts.add(fresh.account.account_id, 'profiles');
    expect((await new Browser(fresh).post('/v3/links/setup', { token, ...setup })).status).toBe(200);
  });

  it('turns a domain on that was seen before, for pages too', async () => {
    const fresh = await startApi();
    await fresh.post('/v3/edit/urls', { host: 'app.acme.test', enabled: 'off', archived_at: '$now' });
    const version = async () => {
      const { account_id } = fresh.account;
      const rows = fresh.app.storage.reader(account_id).selectFrom('published_versions').select('version');
      return (await rows.where('account_id', '=', account_id).executeTakeFirst())?.version ?? 0;
    };
    const before = await version();
    const token = await createSetupLink(fresh.app);
    // The name of the account stays the same, so only the domain changes what is published.
    const params = { token, ...setup, product_name: 'Acme' };
    expect((await new Browser(fresh).post('/v3/links/setup', params)).status).toBe(200);
    const { urls } = (await fresh.get('/v3/edit/urls')).body;
    expect(urls).toEqual([expect.objectContaining({ host: 'app.acme.test', enabled: 'on', archived_at: null })]);
    expect(await version()).toBeGreaterThan(before);
  });

  it('takes a domain of the demo to an Environment of the product', async () => {
    const fresh = await startApi();
    await setUpDemo(fresh.app, fresh.account, []);
    const token = await createSetupLink(fresh.app);
    const params = { token, ...setup, domain: 'http://localhost:5173/start' };
    expect((await new Browser(fresh).post('/v3/links/setup', params)).status).toBe(200);
    const { urls } = (await fresh.get('/v3/edit/urls')).body;
    const { url_groups } = (await fresh.get('/v3/edit/url_groups')).body;
    const groupOf = (host: string) => {
      const url = urls.find((one: { host: string }) => one.host === host);
      return url_groups.find(({ id }: { id: string }) => id === url.url_group_id).name;
    };
    expect([groupOf('localhost'), groupOf('127.0.0.1')]).toEqual(['Production', 'Demo']);
  });

  it('is printed at each start until somebody has used one', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.remove());
    const start = async (env: NodeJS.ProcessEnv = {}) => {
      let printed = '';
      const settings = readSettings({
        ...database.env,
        PORT: '0',
        USHER_LOG_LEVEL: 'silent',
        USHER_DEMO: 'false',
        ...env,
      });
      const running = await serve(settings, (text) => {
        printed += text;
      });
      const [, url, token] = /^ {2}(\S+\/app\/setup)#([\w-]{43})$/m.exec(printed) ?? [];
      return { ...running, url, token };
    };
    const first = await start({ USHER_PUBLIC_URL: 'https://usher.acme.test' });
    expect(first.url).toBe('https://usher.acme.test/app/setup');
    await first.stop();
    const file = join(database.env.USHER_DATA, 'never-written');
    const silent = await start({ USHER_FIRST_SECRET_FILE: file });
    expect(silent.url).toBeUndefined();
    await silent.stop();
    const second = await start();
    expect(second.url).toBe(`${second.address}/app/setup`);
    const { status } = await fetch(`${second.address}/v3/links/setup`, {
      method: 'POST',
      headers: { Origin: second.address },
      body: JSON.stringify({ ...setup, token: second.token }),
    });
    expect(status).toBe(200);
    await second.stop();
    const third = await start();
    expect(third.url).toBeUndefined();
    await third.stop();
  });

  it('works for one of two people who use it together', async () => {
    const fresh = await startApi();
    const tokens = [await createSetupLink(fresh.app), await createSetupLink(fresh.app)];
    const sent = [tokens[0], tokens[0], tokens[1]].map((token, index) =>
      new Browser(fresh).post('/v3/links/setup', { token, ...setup, email: `ann${index}@people.test` }),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 404, 404]);
    const people = fresh.app.storage.reader(null).selectFrom('people').select('email');
    const [owner] = await people.where('password_hash', 'is not', null).execute();
    expect(owner?.email).toBe(`ann${statuses.indexOf(200)}@people.test`);
  });

  it('is not made, and does not work any more, when somebody has a password', async () => {
    const fresh = await startApi();
    const token = await createSetupLink(fresh.app);
    await addSignedIn(fresh, 'viewer');
    expect(await createSetupLink(fresh.app)).toBeUndefined();
    expect((await new Browser(fresh).post('/v3/links/check', { token })).status).toBe(404);
    expect((await new Browser(fresh).post('/v3/links/setup', { token, ...setup })).status).toBe(404);
  });

  it('stays usable after a mistake in the form', async () => {
    const fresh = await startApi();
    const token = await createSetupLink(fresh.app);
    const send = (params: object) => new Browser(fresh).post('/v3/links/setup', { token, ...setup, ...params });
    for (const [params, name] of [
      [{ password: 'short' }, 'password'],
      [{ email: 'nobody' }, 'email'],
      [{ domain: 'not a domain' }, 'domain'],
      [{ product_name: ' ' }, 'product_name'],
      [{ name: undefined }, 'name'],
    ] as const) {
      const { status, body } = await send(params);
      expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}\``)]]);
    }
    expect((await send({ email: 'bob@other.test' })).status).toBe(409);
    expect((await send({ domain: undefined })).status).toBe(200);
  });
});

describe('an invitation', () => {
  it('says where it leads', async () => {
    const { body } = await check(await invite('translator'));
    expect(body.link).toMatchObject({ kind: 'invite', account: { name: 'Acme' }, role: 'translator', email: null });
  });

  it('creates a new person with its role, and signs in', async () => {
    const token = await invite('translator');
    const browser = new Browser(api);
    const { status, body } = await accept({ token, ...newPerson() }, browser);
    expect([status, body.user.role, body.account.id]).toEqual([200, 'translator', api.account.account_id]);
    expect((await browser.get('/v3/session')).body.person.name).toBe('Ann Lee');
    expect(await actions()).toEqual(expect.arrayContaining(['admin.create', 'session.create']));
  });

  it('works once, also when two people use it together', async () => {
    const token = await invite();
    const statuses = (await Promise.all([accept({ token, ...newPerson() }), accept({ token, ...newPerson() })])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 404]);
    expect((await accept({ token, ...newPerson() })).status).toBe(404);
    expect((await check(token)).status).toBe(404);
  });

  it('expires after 7 days', async () => {
    const token = await invite();
    try {
      passed = 7 * DAY - 60_000;
      expect((await check(token)).status).toBe(200);
      passed = 7 * DAY + 1;
      expect((await check(token)).text).toBe((await check('unknown')).text);
      expect((await accept({ token, ...newPerson() })).status).toBe(404);
    } finally {
      passed = 0;
    }
  });

  it('adds a person of another account with their password, and with a wrong one it stays unused', async () => {
    const { email, personId } = await addSignedIn(api, 'owner', { accountId: api.other.account_id });
    const token = await invite('viewer');
    expect((await accept({ token, email, password: 'wrong password' })).status).toBe(403);
    expect((await accept({ token, ...person, email, password: 'wrong password' })).status).toBe(403);
    const { status, body } = await accept({ token, email, password: PASSWORD });
    expect([status, body.person.id, body.accounts.length]).toEqual([200, personId, 2]);
    expect([body.account.id, body.user.role]).toEqual([api.account.account_id, 'viewer']);
  });

  it('lets somebody who is in no account any more choose a new password', async () => {
    const removed = await addSignedIn(api, 'viewer');
    expect((await api.send('DELETE', `/v3/edit/admins/${removed.id}`)).status).toBe(200);
    const token = await invite('editor');
    expect((await accept({ token, email: removed.email, password: 'short' })).status).toBe(422);
    const chosen = { email: removed.email, password: 'a new long password' };
    const { status, body } = await accept({ token, ...chosen });
    expect([status, body.person.id, body.user.role]).toEqual([200, removed.personId, 'editor']);
    expect((await new Browser(api).signIn(removed.email)).status).toBe(403);
    expect((await new Browser(api).signIn(removed.email, chosen.password)).status).toBe(200);
  });

  it('adds the person who has signed in, with a new token', async () => {
    const { browser, personId } = await addSignedIn(api, 'owner', { accountId: api.other.account_id });
    const old = browser.cookie;
    const { status, body } = await accept({ token: await invite('viewer') }, browser);
    expect([status, body.person.id, body.account.id]).toEqual([200, personId, api.account.account_id]);
    expect(browser.cookie).not.toBe(old);
    expect((await new Browser(api, old).get('/v3/session')).status).toBe(401);
  });

  it('does not count as the password again for a person who has signed in', async () => {
    const { browser, personId } = await addSignedIn(api, 'owner', { accountId: api.other.account_id });
    const stolen = new Browser(api, browser.cookie);
    await forgetConfirmation(api, personId);
    const { status, body } = await accept({ token: await invite('owner') }, stolen);
    expect([status, body.session.confirmed_until]).toEqual([200, null]);
    await stolen.patch('/v3/session', { account_id: api.other.account_id });
    const secret = await stolen.post('/v3/edit/secrets', { name: 'Mine', scope: 'all' });
    expect([secret.status, secret.body.confirm]).toEqual([403, 'password']);
  });

  it('keeps the time at which the person who has signed in gave the password', async () => {
    const { browser } = await addSignedIn(api, 'owner', { accountId: api.other.account_id });
    const { confirmed_until } = (await browser.get('/v3/session')).body.session;
    const { body } = await accept({ token: await invite('viewer') }, browser);
    expect(body.session.confirmed_until).toBe(confirmed_until);
  });

  it('does not let its holder try out which emails exist', async () => {
    const limited = await startApi({ env: { USHER_LIMIT_SIGN_INS: '5' } });
    const { account_id } = limited.account;
    const link = { kind: 'invite' as const, account_id, role: 'viewer' as const };
    const { token } = await limited.app.storage.write(null, (db) => insertLink(limited.app, db, link));
    const statuses = [];
    for (let count = 0; count < 6; count++) {
      const params = { token, email: `nobody${count}@people.test`, password: 'x' };
      statuses.push((await new Browser(limited).post('/v3/links/accept', params)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it('says of ten emails in an hour whether somebody has them, from however many networks', async () => {
    const proxied = await startApi({ env: { USHER_TRUST_PROXY: '127.0.0.1', USHER_LIMIT_SIGN_INS: '0' } });
    const link = { kind: 'invite', account_id: proxied.account.account_id, role: 'viewer' } as const;
    const { token } = await proxied.app.storage.write(null, (db) => insertLink(proxied.app, db, link));
    const statuses = [];
    for (let count = 0; count < 11; count++) {
      const params = { token, email: `nobody${count}@people.test`, password: 'x' };
      const headers = { 'X-Forwarded-For': `192.0.2.${count}`, 'X-Forwarded-Proto': 'https' };
      statuses.push((await new Browser(proxied).post('/v3/links/accept', params, { headers })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });

  it.each([
    ['an account, from however many networks', (n: number) => ({ from: `192.0.2.${n}`, account: 'account' as const })],
    ['a network, in however many accounts', (n: number) => ({ from: '192.0.2.1', account: accountNames[n % 2] })],
  ])('says of 50 emails in an hour whether somebody has them, with however many links of %s', async (_, chosen) => {
    const env = { USHER_TRUST_PROXY: '127.0.0.1', USHER_LIMIT_SIGN_INS: '1000' };
    const proxied = await startApi({ env });
    const statuses = [];
    for (let n = 0; n < 51; n++) {
      const { from, account } = chosen(n);
      const link = { kind: 'invite', account_id: proxied[account ?? 'account'].account_id, role: 'viewer' } as const;
      const { token } = await proxied.app.storage.write(null, (db) => insertLink(proxied.app, db, link));
      const params = { token, email: `nobody${n}@people.test`, password: 'x' };
      const headers = { 'X-Forwarded-For': from, 'X-Forwarded-Proto': 'https' };
      statuses.push((await new Browser(proxied).post('/v3/links/accept', params, { headers })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 422), 429]);
  });

  it('does not give away a person who has not chosen a password yet', async () => {
    const email = 'sleeping@people.test';
    await createAdmin(api.app, { accountId: api.other.account_id, email, role: 'owner' });
    expect((await accept({ token: await invite(), ...person, email })).status).toBe(403);
  });

  it('returns 409 to somebody who is in the account already, and stays unused', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    const token = await invite('owner');
    expect((await accept({ token }, browser)).status).toBe(409);
    expect((await browser.get('/v3/session')).body.user.role).toBe('viewer');
    expect((await check(token)).status).toBe(200);
  });

  it('gives somebody who was removed before their old place back', async () => {
    const { id, email } = await addSignedIn(api, 'owner');
    await api.app.storage.write(null, (db) =>
      db.updateTable('admins').set({ removed_at: 1 }).where('id', '=', id).execute(),
    );
    const { body } = await accept({ token: await invite('viewer'), email, password: PASSWORD });
    expect(body.user).toMatchObject({ id, role: 'viewer' });
  });

  it('says what is missing', async () => {
    const token = await invite();
    const { name: _, ...nameless } = newPerson();
    for (const [params, message] of [
      [{}, '`email` and `password` are required'],
      [{ email: 'x@people.test' }, 'belong together'],
      [nameless, '`name` is required'],
      [{ ...newPerson(), password: 'short' }, '8 characters'],
      [{ ...newPerson(), password: 'password1' }, 'guessed first'],
      [{ ...newPerson(), email: 'somebody@people.test', password: 'somebody' }, 'must not be your email'],
    ] as const) {
      const { status, body } = await accept({ token, ...params });
      expect([status, body.messages[0]]).toEqual([422, expect.stringContaining(message)]);
    }
    expect((await check(token)).status).toBe(200);
  });
});

describe('a reset link', () => {
  it('sets a new password, ends all sessions and other links of the person, and signs in', async () => {
    const { browser, email, personId } = await addSignedIn(api, 'viewer');
    const stranger = await addSignedIn(api, 'viewer');
    const [token, another] = [await resetLink(personId), await resetLink(personId)];
    expect((await check(token)).body.link).toMatchObject({ kind: 'reset', email });
    const fresh = new Browser(api);
    const { status, body } = await fresh.post('/v3/links/reset', { token, password: 'brand new password' });
    expect([status, body.person.id]).toEqual([200, personId]);
    expect((await fresh.get('/v3/session')).status).toBe(200);
    expect((await browser.get('/v3/session')).status).toBe(401);
    expect((await stranger.browser.get('/v3/session')).status).toBe(200);
    expect((await new Browser(api).signIn(email)).status).toBe(403);
    expect((await new Browser(api).signIn(email, 'brand new password')).status).toBe(200);
    for (const used of [token, another]) expect((await check(used)).status).toBe(404);
    expect(await actions()).toContain('person.reset_password');
  });

  it('ends when the person is removed from an account, also if they join again', async () => {
    const { id, personId, email } = await addSignedIn(api, 'viewer');
    const token = await resetLink(personId);
    const stranger = await addSignedIn(api, 'viewer');
    const other = await resetLink(stranger.personId);
    expect((await api.send('DELETE', `/v3/edit/admins/${id}`)).status).toBe(200);
    const joined = await accept({ token: await invite('viewer'), email, password: 'another password' });
    expect(joined.body.user).toMatchObject({ id });
    expect((await check(token)).status).toBe(404);
    const reset = { token, password: 'brand new password' };
    expect((await new Browser(api).post('/v3/links/reset', reset)).status).toBe(404);
    expect((await new Browser(api).signIn(email, 'another password')).status).toBe(200);
    expect((await check(other)).status).toBe(200);
  });

  it('is not made for somebody who is being removed', async () => {
    const { id, email } = await addSignedIn(api, 'viewer');
    const [removed, made] = await Promise.allSettled([
      api.send('DELETE', `/v3/edit/admins/${id}`),
      createResetLink(api.app, email),
    ]);
    expect(removed.status).toBe('fulfilled');
    const token = made.status === 'fulfilled' ? made.value.url.split('#')[1] : undefined;
    if (token) expect((await check(token)).status).toBe(404);
    else expect(made).toMatchObject({ reason: { code: 409 } });
  });

  it('expires after a day, and is no link of another kind', async () => {
    const { personId } = await addSignedIn(api, 'viewer');
    const token = await resetLink(personId);
    expect((await accept({ token, ...newPerson() })).status).toBe(404);
    expect((await new Browser(api).post('/v3/links/reset', { token: await invite(), password: PASSWORD })).status).toBe(
      404,
    );
    try {
      passed = DAY + 1;
      expect((await check(token)).status).toBe(404);
    } finally {
      passed = 0;
    }
  });

  it('is stored as a hash only', async () => {
    const { personId } = await addSignedIn(api, 'viewer');
    const token = await resetLink(personId);
    const rows = await api.app.storage.reader(null).selectFrom('links').selectAll().execute();
    expect(rows.filter(({ person_id }) => person_id === personId)).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

import { describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { addSignedIn, Browser, PASSWORD } from '../../test/sign-in.ts';
import { runCommand } from './cli.ts';

/** Starts a server with two accounts, and returns a function that runs commands on its database. */
async function start() {
  const api = await startApi();
  const run = async (line: string) => {
    const output = { out: '', err: '' };
    const code = await runCommand(
      line.split(' '),
      { ...api.database.env, USHER_PUBLIC_URL: api.url },
      {
        print: (text) => {
          output.out += text;
        },
        printError: (text) => {
          output.err += text;
        },
        untilStopped: async () => {},
      },
    );
    return { code, ...output, json: line.includes('--json') && code === 0 ? JSON.parse(output.out) : undefined };
  };
  return { api, run };
}

it('adds an administrator, who chooses a password with the printed link', async () => {
  const { api, run } = await start();
  const { account_id } = api.account;
  const { json } = await run(
    `admin create --email kim@acme.test --name Kim --role viewer --account ${account_id} --json`,
  );
  expect(json).toMatchObject({ account_id, email: 'kim@acme.test', role: 'viewer' });
  const [page, token] = json.url.split('#');
  expect(page).toBe(`${api.url}/app/reset`);
  const browser = new Browser(api);
  const { body } = await browser.post('/v3/links/reset', { token, password: 'kim likes tours' });
  expect(body).toMatchObject({ user: { id: json.user_id, role: 'viewer' }, account: { id: account_id } });

  expect((await run(`admin create --email kim@acme.test --account ${account_id}`)).err).toContain(
    'in the account already',
  );
  const listed = await run(`admin list --account ${account_id} --json`);
  expect(listed.json).toEqual([
    expect.objectContaining({ email: 'ann@acme.test', role: 'owner', has_password: false }),
    expect.objectContaining({
      user_id: json.user_id,
      name: 'Kim',
      role: 'viewer',
      has_password: true,
      removed_at: null,
    }),
  ]);
  expect((await run('admin list --json')).json).toHaveLength(3);
});

describe('an email that somebody has already', () => {
  /** An attacker invites "themselves" with the email of a future customer, and signs in. */
  async function takeEmail(api: Api): Promise<Browser> {
    const mallory = await addSignedIn(api, 'owner');
    expect((await mallory.browser.patch('/v3/person', { email: 'boss@customer.test' })).status).toBe(200);
    return mallory.browser;
  }
  const accountsOf = async (browser: Browser) =>
    (await browser.get('/v3/session')).body.accounts.map(({ name }: { name: string }) => name);

  it('does not make its person the owner of a new account: `account create` prints an invitation', async () => {
    const { api, run } = await start();
    const mallory = await takeEmail(api);
    const { json } = await run('account create --name Customer --email Boss@customer.test --json');
    expect(json).toMatchObject({
      account_id: expect.any(String),
      account_token: expect.any(String),
      email: 'boss@customer.test',
      role: 'owner',
      their_accounts: ['Acme'],
      url: expect.stringContaining(`${api.url}/app/join#`),
      note: expect.stringContaining('The person who opens the link and signs in joins'),
    });
    expect(json).not.toHaveProperty('account_secret');
    expect(await accountsOf(mallory)).toEqual(['Acme']);
    expect((await mallory.patch('/v3/session', { account_id: json.account_id })).status).toBe(404);
    expect((await new Browser(api).signIn('boss@customer.test')).body.accounts).toHaveLength(1);
    const none = await run(`token create --account ${json.account_id}`);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('No person has joined this account yet')]);

    const customer = new Browser(api);
    const [, token] = json.url.split('#');
    const person = { name: 'Boss', email: 'the.boss@customer.test', password: PASSWORD };
    expect((await customer.post('/v3/links/accept', { token, ...person })).body).toMatchObject({
      account: { id: json.account_id, name: 'Customer' },
      user: { role: 'owner' },
    });
    const { audit_entries } = (await customer.get('/v3/analyze/audit_entries')).body;
    expect(
      audit_entries.map(({ action, user }: { action: string; user: { name: string } | null }) => [action, user?.name]),
    ).toEqual([
      ['session.create', 'Boss'],
      ['admin.create', 'Boss'],
      ['invitation.create', undefined],
    ]);
    expect((await run(`token create --account ${json.account_id}`)).code).toBe(0);
  });

  it('gets no role in another account: `admin create` prints an invitation', async () => {
    const { api, run } = await start();
    const mallory = await takeEmail(api);
    const { account_id } = api.other;
    const line = `admin create --email boss@customer.test --role owner --account ${account_id}`;
    const { json } = await run(`${line} --json`);
    expect(json).toMatchObject({ account_id, role: 'owner', their_accounts: ['Acme'] });
    expect(json).not.toHaveProperty('user_id');
    expect(await accountsOf(mallory)).toEqual(['Acme']);
    expect((await run(`admin list --account ${account_id} --json`)).json).toHaveLength(1);
    const [, token] = json.url.split('#');
    expect((await mallory.post('/v3/links/accept', { token })).body.user.role).toBe('owner');
    expect(await run(line)).toMatchObject({
      code: 1,
      err: expect.stringContaining('in the account already, as owner'),
    });
    expect((await run('admin create --email boss@customer.test --account 0123456789abcdef01234567')).err).toContain(
      'There is no account with this ID',
    );
  });

  it('is shown with the accounts of its person where a link to choose a password is printed', async () => {
    const { api, run } = await start();
    await takeEmail(api);
    const { out } = await run('admin reset-link --email boss@customer.test');
    expect(out).toMatch(/^their_accounts +Acme$/m);
  });
});

it('makes a link to choose a new password', async () => {
  const { api, run } = await start();
  const { json } = await run('admin reset-link --email Ann@acme.test --json');
  expect(json).toMatchObject({ email: 'ann@acme.test', url: expect.stringMatching(/\/app\/reset#[\w-]{43}$/) });
  const [, token] = json.url.split('#');
  const { audit_entries } = (await api.get('/v3/analyze/audit_entries')).body;
  expect(audit_entries).toEqual([
    expect.objectContaining({ action: 'person.create_reset_link', target_id: api.account.user_id, user: null }),
  ]);
  expect((await new Browser(api).post('/v3/links/reset', { token, password: 'a new password' })).status).toBe(200);
  expect(await run('admin reset-link --email nobody@acme.test')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nobody has the email nobody@acme.test'),
  });
  const { account_id } = api.account;
  const { user_id } = (await run(`admin create --email kim@acme.test --account ${account_id} --json`)).json;
  await api.send('DELETE', `/v3/edit/admins/${user_id}`);
  expect(await run('admin reset-link --email kim@acme.test')).toMatchObject({
    code: 1,
    err: expect.stringContaining('is in no account any more'),
  });
});

it('makes secrets with a scope, an expiry and networks', async () => {
  const { api, run } = await start();
  const { account_id } = api.account;
  const line = `token create --account ${account_id} --scope ingest --expires +90d --network 127.0.0.1 --network ::1 --json`;
  const { json } = await run(line);
  expect((await api.post('/v3/observe/hooks/profiles', { uid: 'a' }, { as: json })).status).toBe(200);
  expect((await api.get('/v3/edit/urls', { as: json })).status).toBe(403);
  const [, made] = (await run(`token list --account ${account_id} --json`)).json;
  expect(made).toMatchObject({
    id: json.id,
    scope: 'ingest',
    networks: '127.0.0.1, ::1',
    expires_at: expect.any(String),
  });
  await run(`token revoke ${json.id}`);
  expect((await api.post('/v3/observe/hooks/profiles', { uid: 'a' }, { as: json })).status).toBe(403);
  const entries = (await api.get('/v3/analyze/audit_entries')).body.audit_entries;
  expect(entries.map(({ action, user }: { action: string; user: unknown }) => [action, user])).toEqual([
    ['secret.delete', null],
    ['secret.create', null],
  ]);
});

it('revokes a secret with the secrets that it has made, unless --keep-children is given', async () => {
  const { api, run } = await start();
  const { account_id } = api.account;
  const statusesAfter = async (options: string) => {
    const parent = (await run(`token create --account ${account_id} --json`)).json;
    const { secret } = (await api.post('/v3/edit/secrets', { name: 'Child', scope: 'read' }, { as: parent })).body;
    await run(`token revoke ${parent.id}${options}`);
    const child = { account_secret: secret.secret };
    return [(await api.get('/', { as: parent })).status, (await api.get('/', { as: child })).status];
  };
  expect(await statusesAfter('')).toEqual([403, 403]);
  expect(await statusesAfter(' --keep-children')).toEqual([403, 200]);
});

it.each([
  ['admin create --account ACCOUNT', 'give --email'],
  ['admin create --email nobody --account ACCOUNT', '--email must be an email address'],
  [
    'admin create --email kim@acme.test --role king --account ACCOUNT',
    '--role must be one of owner, editor, translator, viewer',
  ],
  ['admin create --email kim@acme.test', 'there are several accounts'],
  ['token create --account ACCOUNT --scope some', '--scope must be one of read, ingest, propose, edit, all'],
  ['token create --account ACCOUNT --expires soon', '--expires must be a time'],
  ['token create --account ACCOUNT --expires 2001-01-01', '`expires_at` must be in the future'],
  ['token create --account ACCOUNT --network here', '`networks` must be addresses'],
])('rejects %s', async (line, message) => {
  const { api, run } = await start();
  const { code, err } = await run(line.replace('ACCOUNT', api.account.account_id));
  expect([code > 0, err]).toEqual([true, expect.stringContaining(message)]);
});

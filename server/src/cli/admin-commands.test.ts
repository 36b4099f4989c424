import { expect, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { Browser } from '../../test/sign-in.ts';
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

  // Whoever has a password needs no link for another account.
  const more = await run(`admin create --email KIM@acme.test --role owner --account ${api.other.account_id} --json`);
  expect(more.json).not.toHaveProperty('url');
  expect((await browser.get('/v3/session')).body.accounts).toHaveLength(2);
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
  expect((await run('admin list --json')).json).toHaveLength(4);
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

it.each([
  ['admin create --account ACCOUNT', 'give --email'],
  ['admin create --email nobody --account ACCOUNT', '--email must be an email address'],
  [
    'admin create --email kim@acme.test --role king --account ACCOUNT',
    '--role must be one of owner, editor, translator, viewer',
  ],
  ['admin create --email kim@acme.test', 'there are several accounts'],
  ['token create --account ACCOUNT --scope some', '--scope must be one of read, ingest, edit, all'],
  ['token create --account ACCOUNT --expires soon', '--expires must be a time'],
  ['token create --account ACCOUNT --expires 2001-01-01', '`expires_at` must be in the future'],
  ['token create --account ACCOUNT --network here', '`networks` must be addresses'],
])('rejects %s', async (line, message) => {
  const { api, run } = await start();
  const { code, err } = await run(line.replace('ACCOUNT', api.account.account_id));
  expect([code > 0, err]).toEqual([true, expect.stringContaining(message)]);
});

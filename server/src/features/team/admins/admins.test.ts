import type { Role } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn, addToAccount, Browser, PASSWORD, storeSession } from '../../../../test/sign-in.ts';
import { createContext } from '../../../create-context.ts';
import { createInvitation } from '../links/invitations.ts';
import { createSecret } from '../secrets/create-secret.ts';
import { issueSecret } from '../secrets/issue-secret.ts';
import { removeAdmin } from './remove-admin.ts';
import { updateAdmin } from './update-admin.ts';

let api: Api;
let passed = 0;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => Date.now() + passed, env: { USHER_LIMIT_SIGN_INS: '0' } });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const setRole = (browser: Browser, id: string, role: Role) => browser.patch(`/v3/edit/admins/${id}`, { role });
const entries = async (action: string, { account_id } = api.account) => {
  const rows = api.app.storage.reader(account_id).selectFrom('audit_entries').selectAll();
  const all = await rows.where('account_id', '=', account_id).orderBy('id').execute();
  return all.filter((entry) => entry.action === action);
};

describe('the team', () => {
  it('lists who is in the account, newest first', async () => {
    const owner = await addSignedIn(api, 'owner');
    const viewer = await addSignedIn(api, 'viewer');
    await addSignedIn(api, 'viewer', { accountId: api.other.account_id });
    const { body } = await owner.browser.get('/v3/edit/admins');
    expect(body.admins).toEqual([
      expect.objectContaining({ id: viewer.id, email: viewer.email, role: 'viewer', current: false }),
      expect.objectContaining({ id: owner.id, role: 'owner', current: true, last_used_at: expect.any(String) }),
      expect.objectContaining({ id: api.account.user_id, role: 'owner', last_used_at: null }),
    ]);
    expect(body.cursor).toEqual({ limit: 50, before: null });
  });

  it('changes a role, ends the sessions of that person in this account, and only there', async () => {
    const owner = await addSignedIn(api, 'owner');
    const { id, browser, personId, email } = await addSignedIn(api, 'viewer');
    await addToAccount(api, personId, api.other.account_id, 'viewer');
    const elsewhere = new Browser(api, await storeSession(api, personId, api.other.account_id));
    const { status, body } = await setRole(owner.browser, id, 'editor');
    expect([status, body.admin.role]).toEqual([200, 'editor']);
    expect((await browser.get('/v3/session')).status).toBe(401);
    expect((await elsewhere.get('/v3/session')).body.user.role).toBe('viewer');
    expect((await browser.signIn(email)).body.account.id).toBe(api.account.account_id);
    expect((await browser.get('/v3/session')).body.user.role).toBe('editor');
    expect((await entries('admin.update')).at(-1)).toMatchObject({
      admin_id: owner.id,
      target_id: id,
      details: { role: ['viewer', 'editor'] },
    });
  });

  it('keeps the session of an owner who changes their own role, with a new token', async () => {
    const { id, browser, personId } = await addSignedIn(api, 'owner');
    const another = new Browser(api, await storeSession(api, personId, api.account.account_id));
    const old = browser.cookie;
    expect((await setRole(browser, id, 'viewer')).status).toBe(200);
    expect(browser.cookie).not.toBe(old);
    expect((await browser.get('/v3/session')).body.user).toMatchObject({ id, role: 'viewer', permissions: ['read'] });
    for (const cookie of [old, another.cookie])
      expect((await new Browser(api, cookie).get('/v3/session')).status).toBe(401);
    expect((await setRole(browser, id, 'owner')).status).toBe(403);
  });

  it('removes somebody with their sessions, secrets and invitations, and says which secrets', async () => {
    const owner = await addSignedIn(api, 'owner');
    const leaving = await addSignedIn(api, 'owner');
    const { account_id: accountId } = api.account;
    const secret = await createSecret(api.app, { accountId, email: leaving.email, name: 'Nightly export' });
    const { url } = (await leaving.browser.post('/v3/edit/invitations', { role: 'owner' })).body.invitation;
    expect((await api.get('/', { as: secret })).status).toBe(200);

    const { status, body } = await owner.browser.delete(`/v3/edit/admins/${leaving.id}`);
    expect([status, body.admin.id]).toEqual([200, leaving.id]);
    expect(body.secrets).toEqual([expect.objectContaining({ id: secret.id, name: 'Nightly export' })]);
    expect((await leaving.browser.get('/v3/session')).status).toBe(401);
    expect((await api.get('/', { as: secret })).status).toBe(403);
    expect((await new Browser(api).post('/v3/links/check', { token: url.split('#')[1] })).status).toBe(404);
    const { admins } = (await owner.browser.get('/v3/edit/admins')).body;
    expect(admins.map(({ id }: { id: string }) => id)).not.toContain(leaving.id);
    expect((await owner.browser.delete(`/v3/edit/admins/${leaving.id}`)).status).toBe(404);
    expect((await entries('admin.delete')).at(-1)?.details).toEqual({ role: 'owner', secret_ids: [secret.id] });
  });

  it.each([
    ['was removed', (id: string) => api.send('DELETE', `/v3/edit/admins/${id}`)],
    ['got another role', (id: string) => api.patch(`/v3/edit/admins/${id}`, { role: 'editor' })],
  ])('keeps nothing that somebody creates who %s while the request runs', async (_, change) => {
    const leaving = await addSignedIn(api, 'owner');
    const session = { id: 'f'.repeat(24), personId: leaving.personId, confirmedUntil: 0 };
    const account = { id: api.account.account_id };
    // This context is of a request that was authenticated before the change.
    const ctx = createContext(api.app, { account, actor: { id: leaving.id, role: 'owner', session } });
    expect((await change(leaving.id)).status).toBe(200);
    const viewer = await addSignedIn(api, 'viewer');
    const requests = [
      () => issueSecret(ctx, { name: 'Late', scope: 'all' }),
      () => createInvitation(ctx, { role: 'owner' }),
      () => updateAdmin(ctx, viewer.id, 'owner'),
      () => removeAdmin(ctx, viewer.id),
    ];
    for (const request of requests) await expect(request()).rejects.toMatchObject({ code: 403 });
  });

  it('revokes a secret that is created while its administrator is being removed', async () => {
    const { account_id: accountId } = api.account;
    for (let round = 0; round < 5; round++) {
      const leaving = await addSignedIn(api, 'owner');
      const params = { name: 'Late', scope: 'all' };
      const [made, printed, removed] = await Promise.all([
        leaving.browser.post('/v3/edit/secrets', params),
        createSecret(api.app, { accountId, email: leaving.email, name: 'Printed' }).catch(() => undefined),
        api.send('DELETE', `/v3/edit/admins/${leaving.id}`),
      ]);
      expect(removed.status).toBe(200);
      const secrets = [made.body.secret?.secret, printed?.account_secret].filter((one) => one !== undefined);
      for (const account_secret of secrets) expect((await api.get('/', { as: { account_secret } })).status).toBe(403);
    }
    const working = api.app.storage.reader(null).selectFrom('secrets').select('name').where('revoked_at', 'is', null);
    const left = await working.where('account_id', '=', accountId).where('name', 'in', ['Late', 'Printed']).execute();
    expect(left).toEqual([]);
  });

  it('still names somebody who was removed in Changes and in the audit log', async () => {
    const owner = await addSignedIn(api, 'owner');
    const editor = await addSignedIn(api, 'editor');
    await editor.browser.post('/v3/edit/tours', { name: 'Welcome' });
    await owner.browser.delete(`/v3/edit/admins/${editor.id}`);
    const { changes } = (await owner.browser.get('/v3/edit/tours/changes')).body ?? {};
    const feed = changes ?? (await api.get('/v3/edit/changes')).body.changes;
    expect(feed[0].user).toEqual({ id: editor.id, name: 'Kim editor', email: editor.email });
  });

  it('never loses its last owner', async () => {
    const { account_id, user_id } = api.account;
    const { status, body } = await api.patch(`/v3/edit/admins/${user_id}`, { role: 'viewer' });
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('last owner')]]);
    expect((await api.send('DELETE', `/v3/edit/admins/${user_id}`)).status).toBe(409);
    const second = await addSignedIn(api, 'owner');
    // Both owners remove each other at the same time: one of them stays.
    const statuses = await Promise.all([
      api.send('DELETE', `/v3/edit/admins/${second.id}`),
      second.browser.delete(`/v3/edit/admins/${user_id}`),
    ]);
    const owners = api.app.storage.reader(null).selectFrom('admins').select('id').where('account_id', '=', account_id);
    const left = await owners.where('role', '=', 'owner').where('removed_at', 'is', null).execute();
    expect([left.length, statuses.filter(({ status }) => status === 200).length]).toEqual([1, 1]);
  });

  it('returns the same 404 for an administrator of another account as for an unknown one', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const strange = await setRole(browser, api.other.user_id, 'viewer');
    const unknown = await setRole(browser, 'f'.repeat(24), 'viewer');
    expect([strange.status, strange.text]).toEqual([404, unknown.text]);
    expect((await browser.delete(`/v3/edit/admins/${api.other.user_id}`)).text).toBe(unknown.text);
  });
});

describe('invitations', () => {
  it('have a note that says for whom they are, which those who are invited do not see', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const create = (note: unknown) => browser.post('/v3/edit/invitations', { role: 'viewer', note });
    const { invitation } = (await create('  for Ann from support ')).body;
    expect(invitation.note).toBe('for Ann from support');
    const listed = (await browser.get('/v3/edit/invitations')).body.invitations;
    expect(listed.find(({ id }: { id: string }) => id === invitation.id).note).toBe('for Ann from support');
    const token = invitation.url.split('#')[1];
    expect((await new Browser(api).post('/v3/links/check', { token })).text).not.toContain('Ann from support');
    expect((await create('x'.repeat(200))).status).toBe(201);
    for (const [note, status] of [
      ['x'.repeat(201), 422],
      [7, 422],
      [' ', 422],
    ])
      expect([note, (await create(note)).status]).toEqual([note, status]);
  });

  it('show their link once, with the token in the fragment', async () => {
    const { browser, id } = await addSignedIn(api, 'owner');
    const { status, body } = await browser.post('/v3/edit/invitations', { role: 'viewer' });
    expect(status).toBe(201);
    expect(body.invitation).toMatchObject({ role: 'viewer', user: { id } });
    expect(body.invitation.url).toMatch(new RegExp(`^${api.url}/app/join#[\\w-]{43}$`));
    const { url: _, ...shown } = body.invitation;
    expect((await browser.get('/v3/edit/invitations')).body.invitations).toEqual([shown]);
    expect((await browser.get('/v3/edit/invitations')).text).not.toContain('#');
    expect(shown.note).toBe(null);
    expect((await entries('invitation.create')).at(-1)).toMatchObject({
      target_id: shown.id,
      details: { role: 'viewer' },
    });
  });

  it('work until they are withdrawn, used or expired', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const invite = async () => (await browser.post('/v3/edit/invitations', { role: 'viewer' })).body.invitation;
    const [withdrawn, used, expired] = [await invite(), await invite(), await invite()];
    const accept = ({ url }: { url: string }, email: string) =>
      new Browser(api).post('/v3/links/accept', { token: url.split('#')[1], name: 'Kim', email, password: PASSWORD });
    expect((await browser.delete(`/v3/edit/invitations/${withdrawn.id}`)).body.invitation.id).toBe(withdrawn.id);
    expect((await browser.delete(`/v3/edit/invitations/${withdrawn.id}`)).status).toBe(404);
    expect((await accept(withdrawn, 'withdrawn@people.test')).status).toBe(404);
    expect((await accept(used, 'used@people.test')).status).toBe(200);
    const listed = (await browser.get('/v3/edit/invitations')).body.invitations;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([expired.id]);
    try {
      passed = 8 * 24 * 60 * 60_000;
      expect((await api.get('/v3/edit/invitations')).body.invitations).toEqual([]);
      expect((await accept(expired, 'expired@people.test')).status).toBe(404);
    } finally {
      passed = 0;
    }
    expect((await entries('invitation.delete')).length).toBe(1);
  });

  it('of another account are unknown', async () => {
    const { invitation } = (await api.post('/v3/edit/invitations', { role: 'viewer' }, { as: api.other })).body;
    expect((await api.send('DELETE', `/v3/edit/invitations/${invitation.id}`)).status).toBe(404);
  });

  it('of an owner who becomes an editor end', async () => {
    const { browser, id } = await addSignedIn(api, 'owner');
    await browser.post('/v3/edit/invitations', { role: 'owner' });
    await api.patch(`/v3/edit/admins/${id}`, { role: 'editor' });
    expect((await api.get('/v3/edit/invitations')).body.invitations).toEqual([]);
  });
});

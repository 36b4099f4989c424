import { ignoredReasons } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { openKey } from '../../../keys/account-keys.ts';
import { createAdmin } from '../admins/create-admin.ts';
import { createSecret } from '../secrets/create-secret.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const show = async (as = api.account) => (await api.get('/v3/edit/account', { as })).body.account;
const change = (params: object, as: { account_secret: string } = api.account) =>
  api.patch('/v3/edit/account', params, { as });

/** Another administrator of the account, with a secret. */
async function addAdmin(role: 'owner' | 'editor' | 'viewer'): Promise<{ account_secret: string }> {
  const { account_id } = api.account;
  const email = newEmail();
  await createAdmin(api.app, { accountId: account_id, name: 'Kim', email, role });
  return createSecret(api.app, { accountId: account_id, email, name: role });
}

describe('account', () => {
  it('returns 409 for a change by somebody who has not seen the last one', async () => {
    const { updated_at } = await show();
    const first = await change({ name: 'First', updated_at });
    expect(first.status).toBe(200);
    const late = await change({ name: 'Late', updated_at });
    expect(late.status).toBe(409);
    expect(late.body.messages).toEqual([
      expect.stringMatching(/^Somebody changed this account at \d{4}-.*load it again/),
    ]);
    expect((await show()).name).toBe('First');
    expect((await change({ name: 'Late', updated_at: first.body.account.updated_at })).status).toBe(200);
  });

  it('returns 409 also if both changes are of the same millisecond', async () => {
    const at = Date.now();
    const frozen = await startApi({ now: () => at });
    const { updated_at } = (await frozen.get('/v3/edit/account')).body.account;
    expect((await frozen.patch('/v3/edit/account', { name: 'First', updated_at })).status).toBe(200);
    expect((await frozen.patch('/v3/edit/account', { name: 'Late', updated_at })).status).toBe(409);
  });

  it('shows its name and token, and that code is not allowed', async () => {
    const { status, body } = await api.get('/v3/edit/account');
    expect(status).toBe(200);
    const { created_at, updated_at, ...rest } = body.account;
    expect(updated_at).toBe(created_at);
    const { account_id: id, account_token: token } = api.account;
    const settings = {
      allow_scripts: false,
      allow_globals: false,
      allow_percent: false,
      delivery_ids_limit: 3,
      require_uid_hash: false,
      trust_pages: false,
      anonymous_users: false,
      anonymous_days: 90,
      who_may_publish: 'editors',
      record_paths: true,
      time_zone: 'UTC',
      time_zone_changed_at: null,
      test_emails: [],
      events_days: 365,
      holdout_percent: 0,
      holdout_until: null,
    };
    const ignored_page_writes = Object.fromEntries(ignoredReasons.map((reason) => [reason, 0]));
    expect(rest).toEqual({ id, name: 'Acme', token, ...settings, ignored_page_writes });
    expect(await show(api.other)).toMatchObject({ id: api.other.account_id, name: 'Other' });
  });

  it.each(['PUT', 'PATCH'])('%s changes only the given fields', async (method) => {
    const [before, others] = [await show(), await show(api.other)];
    const update = async (body: object) => (await api.send(method, '/v3/edit/account', { body })).body.account;
    const renamed = await update({ name: 'Acme Corp' });
    expect(renamed).toEqual({ ...before, name: 'Acme Corp', updated_at: renamed.updated_at });
    const allowed = await update({ allow_scripts: true });
    expect(allowed).toEqual({ ...renamed, allow_scripts: true, updated_at: allowed.updated_at });
    expect(await show()).toEqual(allowed);
    expect(await update({ allow_scripts: false })).toMatchObject({ name: 'Acme Corp', allow_scripts: false });
    const raised = await update({ delivery_ids_limit: 100 });
    expect(raised).toMatchObject({ name: 'Acme Corp', delivery_ids_limit: 100 });
    expect(await show()).toEqual(raised);
    expect(await show(api.other)).toEqual(others);
  });

  it('changes updated_at only when something changes', async () => {
    const { account_id } = api.account;
    await api.app.storage.write(null, (db) =>
      db.updateTable('accounts').set({ updated_at: 1000 }).where('id', '=', account_id).execute(),
    );
    for (const params of [
      {},
      { name: 'Acme' },
      { allow_scripts: false },
      { delivery_ids_limit: 3, require_uid_hash: false },
      { token: 'mine', id: 'f'.repeat(24), uid_secret: 'mine' },
    ])
      expect((await change(params)).body.account.updated_at).toBe('1970-01-01T00:00:01.000Z');
    expect(Date.parse((await change({ name: 'New' })).body.account.updated_at)).toBeGreaterThan(1000);
  });

  it('lets only owners change the account', async () => {
    const before = await show();
    for (const role of ['editor', 'viewer'] as const) {
      const as = await addAdmin(role);
      const { status, body } = await change({ allow_scripts: true }, as);
      expect(status).toBe(403);
      expect(body.messages).toHaveLength(1);
      if (role === 'editor') expect(body.messages).toEqual([expect.stringContaining('Only owners')]);
      expect((await api.get('/v3/edit/account', { as })).body.account).toEqual(before);
    }
    expect((await change({ name: 'Ours' }, await addAdmin('owner'))).status).toBe(200);
  });

  it.each([
    ['name', { name: null }],
    ['name', { name: ' ' }],
    ['name', { name: 'n'.repeat(256) }],
    ['allow_scripts', { allow_scripts: null }],
    ['allow_globals', { allow_globals: 'perhaps' }],
    ['allow_percent', { allow_percent: 'perhaps' }],
    ['allow_scripts', { allow_scripts: 'perhaps' }],
    ['delivery_ids_limit', { delivery_ids_limit: 0 }],
    ['delivery_ids_limit', { delivery_ids_limit: 101 }],
    ['delivery_ids_limit', { delivery_ids_limit: 2.5 }],
    ['delivery_ids_limit', { delivery_ids_limit: null }],
    ['require_uid_hash', { require_uid_hash: null }],
    ['trust_pages', { trust_pages: 'perhaps' }],
    ['anonymous_users', { anonymous_users: 'perhaps' }],
    ['anonymous_days', { anonymous_days: 0 }],
  ])('rejects a wrong %s %#', async (path, params) => {
    const before = await show();
    const { status, body } = await change(params);
    expect(status).toBe(422);
    expect(body.messages).toEqual([expect.stringContaining(`\`${path}\``)]);
    expect(await show()).toEqual(before);
  });
});

describe('limit of pending Deliveries', () => {
  it('allows three pending Deliveries until an owner changes the limit', async () => {
    const { body } = await api.post('/v3/edit/tours', {
      name: 'Live',
      steps: [{ title: 'Hello', body: 'This is it.', buttons: [{ text: 'Next' }] }],
      published_at: '$now',
    });
    const profile_id = await addSeenProfile();
    const params = { model_kind: 'tour', model_id: body.tour.id, profile_id, delivery_ids_position: 'first' };
    const deliver = async () => (await api.post('/v3/edit/deliveries', params)).status;
    expect([await deliver(), await deliver(), await deliver(), await deliver()]).toEqual([201, 201, 201, 409]);
    await change({ delivery_ids_limit: 4 });
    expect([await deliver(), await deliver()]).toEqual([201, 409]);
    // Pending Deliveries stay when the new limit is lower than their number.
    await change({ delivery_ids_limit: 1 });
    expect(await deliver()).toBe(409);
    expect((await api.get(`/v3/analyze/profiles/${profile_id}`)).body.profile.delivery_ids).toHaveLength(4);
  });

  async function addSeenProfile(): Promise<string> {
    const { account_id } = api.account;
    const { body } = await api.post('/v3/observe/hooks/profiles', { uid: 'seen' });
    await api.app.storage.write(account_id, (db) =>
      db
        .updateTable('profiles')
        .set({ last_seen_at: 1000 })
        .where('account_id', '=', account_id)
        .where('id', '=', body.profile.id)
        .execute(),
    );
    return body.profile.id;
  }
});

describe('secret for uid_hash', () => {
  const make = (as: { account_secret: string } = api.account) =>
    api.post('/v3/edit/account/uid_secret', undefined, { as });
  const stored = async ({ account_id } = api.account) => {
    const query = api.app.storage.reader(null).selectFrom('accounts').select(['id', 'uid_secret']);
    const row = await query.where('id', '=', account_id).executeTakeFirstOrThrow();
    return openKey(api.app.secretBox, row, 'uid_secret');
  };

  it('shows the secret for uid_hash only when it is created', async () => {
    const { status, body } = await make();
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['uid_secret']);
    expect(body.uid_secret).toMatch(/^usher_uid_secret_[\w-]{43}$/);
    expect(await stored()).toBe(body.uid_secret);
    expect(await stored(api.other)).toBeNull();
    for (const response of [await api.get('/v3/edit/account'), await change({ name: 'Renamed' })])
      expect(response.text).not.toContain(body.uid_secret);
  });

  it('differs each time', async () => {
    const first = (await make()).body.uid_secret;
    const second = (await make()).body.uid_secret;
    expect(second).not.toBe(first);
    expect(await stored()).toBe(second);
  });

  it('lets only owners create the secret for uid_hash', async () => {
    for (const role of ['editor', 'viewer'] as const) expect((await make(await addAdmin(role))).status).toBe(403);
    expect(await stored()).toBeNull();
    expect((await make(await addAdmin('owner'))).status).toBe(201);
  });

  it('requires the secret for uid_hash before hashes can be required', async () => {
    const before = await show();
    const { status, body } = await change({ require_uid_hash: true, name: 'Never' });
    expect([status, body.messages]).toEqual([409, [expect.stringContaining('`POST /v3/edit/account/uid_secret`')]]);
    expect(await show()).toEqual(before);
    await make();
    expect((await change({ require_uid_hash: true })).body.account.require_uid_hash).toBe(true);
    expect((await show()).require_uid_hash).toBe(true);
    expect((await change({ require_uid_hash: false })).body.account.require_uid_hash).toBe(false);
  });
});

it('increases the published version with each change of the account, and only then', async () => {
  const { account_id } = api.account;
  const version = async () => {
    const query = api.app.storage.reader(account_id).selectFrom('published_versions').select('version');
    return (await query.where('account_id', '=', account_id).executeTakeFirst())?.version ?? 0;
  };
  let before = await version();
  const countPublishedChanges = async (work: Promise<unknown>) => {
    await work;
    const after = await version();
    const more = after - before;
    before = after;
    return more;
  };
  expect(await countPublishedChanges(api.post('/v3/edit/account/uid_secret'))).toBe(1);
  for (const params of [
    { trust_pages: true },
    { require_uid_hash: true },
    { delivery_ids_limit: 5 },
    { allow_scripts: true },
    { allow_globals: true },
    { allow_percent: true },
  ]) {
    expect([params, await countPublishedChanges(change(params))]).toEqual([params, 1]);
    expect([params, await countPublishedChanges(change(params))]).toEqual([params, 0]);
  }
  expect(await countPublishedChanges(change({ delivery_ids_limit: 0 }))).toBe(0);
});

describe('code in Experiences', () => {
  const withCode = [
    [
      'action_script of a Button',
      'tours',
      { steps: [{ title: 'A', buttons: [{ text: 'Go', action_script: 'go()' }] }] },
    ],
    ['custom_trigger of a Step', 'tours', { steps: [{ title: 'A', custom_trigger: 'ready()' }] }],
    ['action_script of an item', 'launchers', { items: [{ kind: 'script', title: 'A', action_script: 'go()' }] }],
  ] as const;
  const create = (path: string, params: object, as: { account_secret: string } = api.account) =>
    api.post(`/v3/edit/${path}`, { name: 'With code', ...params }, { as });
  const count = async () => (await api.get('/v3/edit/experiences')).body.experiences.length;

  it.each(withCode)('rejects code while the account does not allow it: %s', async (_, path, params) => {
    const { status, body } = await create(path, params);
    expect(status).toBe(403);
    expect(body.messages).toEqual([expect.stringContaining('`allow_scripts`')]);
    expect(await count()).toBe(0);
    const { body: made } = await create(path, {});
    const { id, updated_at } = Object.values<{ id: string; updated_at: string }>(made)[0] as never;
    expect((await api.patch(`/v3/edit/${path}/${id}`, params)).status).toBe(403);
    const after = (await api.get(`/v3/edit/${path}/${id}`)).body;
    expect(Object.values<object>(after)[0]).toMatchObject({ updated_at });
  });

  it.each(withCode)('lets owners write code if the account allows it: %s', async (_, path, params) => {
    await change({ allow_scripts: true });
    const { status, body } = await create(path, params);
    expect(status).toBe(201);
    expect(Object.values<object>(body)[0]).toMatchObject(params);
  });

  it.each(withCode)('does not let editors write code: %s', async (_, path, params) => {
    await change({ allow_scripts: true });
    const as = await addAdmin('editor');
    const { status, body } = await create(path, params, as);
    expect(status).toBe(403);
    expect(body.messages).toEqual([expect.stringContaining('Only owners')]);
    expect(await count()).toBe(0);
  });

  it('stays when editors change other fields, who can remove it but not add it again', async () => {
    await change({ allow_scripts: true });
    const as = await addAdmin('editor');
    const { body } = await create(...([withCode[0][1], withCode[0][2]] as const));
    const [step] = body.tour.steps;
    const update = (params: object) => api.patch(`/v3/edit/tours/${body.tour.id}`, params, { as });
    const button = { id: step.buttons[0].id, text: 'Go on' };
    const renamed = await update({ name: 'Renamed', steps: [{ id: step.id, title: 'B', buttons: [button] }] });
    expect(renamed.status).toBe(200);
    expect(renamed.body.tour.steps[0]).toMatchObject({
      title: 'B',
      buttons: [{ text: 'Go on', action_script: 'go()' }],
    });
    const script = (action_script: string | null) => ({
      steps: [{ id: step.id, buttons: [{ id: button.id, action_script }] }],
    });
    expect((await update(script('other()'))).status).toBe(403);
    expect((await update(script(null))).status).toBe(200);
    expect((await update(script('go()'))).status).toBe(403);
  });

  it('stays when the account no longer allows it, but cannot be added to', async () => {
    await change({ allow_scripts: true });
    const { body } = await create('tours', withCode[0][2]);
    await change({ allow_scripts: false });
    const update = (params: object) => api.patch(`/v3/edit/tours/${body.tour.id}`, params);
    expect((await update({ name: 'Renamed' })).body.tour.steps[0].buttons[0].action_script).toBe('go()');
    expect((await update({ steps: [{ custom_trigger: 'ready()' }] })).status).toBe(403);
  });
});

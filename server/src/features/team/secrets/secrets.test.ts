import { type AuditEntry, MAX_SECRETS } from '@usher/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { addSignedIn, Browser } from '../../../../test/sign-in.ts';

let api: Api;
let passed = 0;
beforeAll(async () => {
  const env = { USHER_TRUST_PROXY: '127.0.0.1' };
  api = await startApi({ inTest: false, now: () => Date.now() + passed, env });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

const create = (params: object) => api.post('/v3/edit/secrets', { name: 'Export', scope: 'all', ...params });
const statusOf = async (account_secret: string, from?: string) => {
  const headers = from === undefined ? {} : { 'X-Forwarded-For': from };
  return (await api.get('/v3/edit/urls', { as: { account_secret }, headers })).status;
};

describe('secrets', () => {
  it('are shown once, and belong to the administrator who makes them', async () => {
    const { browser, id, email } = await addSignedIn(api, 'owner');
    const { status, body } = await browser.post('/v3/edit/secrets', {
      name: 'Export',
      scope: 'read',
      expires_at: '+30d',
    });
    expect(status).toBe(201);
    const { secret, ...shown } = body.secret;
    expect(secret).toMatch(/^usher_secret_[\w-]{43}$/);
    expect(shown).toMatchObject({
      name: 'Export',
      scope: 'read',
      networks: null,
      last_used_at: null,
      user: { id, email },
    });
    const listed = await browser.get('/v3/edit/secrets');
    expect(listed.body.secrets[0]).toEqual(shown);
    expect(listed.text).not.toContain(secret);
    expect((await api.get('/', { as: { account_secret: secret } })).body.user.id).toBe(id);
    await expect
      .poll(async () => (await browser.get('/v3/edit/secrets')).body.secrets[0].last_used_at)
      .toEqual(expect.any(String));
  });

  it('are rejected from the moment they are revoked', async () => {
    const { secret, id } = (await create({})).body.secret;
    expect(await statusOf(secret)).toBe(200);
    expect((await api.send('DELETE', `/v3/edit/secrets/${id}`)).status).toBe(200);
    expect(await statusOf(secret)).toBe(403);
    expect((await api.send('DELETE', `/v3/edit/secrets/${id}`)).status).toBe(404);
    const { secrets } = (await api.get('/v3/edit/secrets')).body;
    expect(secrets.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  it('expire, and the error says when', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const { secret } = (await create({ expires_at })).body.secret;
    expect(await statusOf(secret)).toBe(200);
    try {
      passed = 61_000;
      const { status, body } = await api.get('/', { as: { account_secret: secret } });
      expect([status, body.messages]).toEqual([403, [expect.stringContaining(`expired at ${expires_at}`)]]);
    } finally {
      passed = 0;
    }
  });

  it('work from their networks only', async () => {
    const networks = ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7', '::ffff:203.0.113.0/120'];
    const { secret } = (await create({ networks })).body.secret;
    for (const [from, status] of [
      ['203.0.113.9', 200],
      ['::ffff:203.0.113.9', 200],
      ['203.0.114.9', 403],
      ['192.0.2.200:5122', 200],
      ['[2001:db8:1::5]:5122', 200],
      ['192.0.3.1:5122', 403],
      ['192.0.2.200', 200],
      ['198.51.100.7', 200],
      ['2001:db8:1::5', 200],
      ['::ffff:192.0.2.1', 200],
      ['192.0.3.1', 403],
      ['198.51.100.8', 403],
      ['2001:db9::1', 403],
      ['nonsense', 403],
      [undefined, 403],
    ] as const)
      expect([from, await statusOf(secret, from)]).toEqual([from, status]);
  });

  it('check the network of each request, also of requests that arrive together', async () => {
    const { secret } = (await create({ networks: ['192.0.2.1'] })).body.secret;
    const from = Array.from({ length: 20 }, (_, at) => (at % 2 ? '192.0.2.1' : '192.0.2.2'));
    const statuses = await Promise.all(from.map((address) => statusOf(secret, address)));
    expect(statuses).toEqual(from.map((_, at) => (at % 2 ? 200 : 403)));
  });

  it('are checked before a large body is read', async () => {
    const { secret: account_secret } = (await create({ scope: 'read', networks: ['192.0.2.1'] })).body.secret;
    const send = (from: string) =>
      api.post('/v3/observe/hooks/profiles/batch', 'no list', {
        as: { account_secret },
        headers: { 'X-Forwarded-For': from },
      });
    const [away, here] = [await send('192.0.2.2'), await send('192.0.2.1')];
    expect([away.status, away.body.messages[0]]).toEqual([403, expect.stringContaining('may not be used from')]);
    expect([here.status, here.body.messages[0]]).toEqual([403, expect.stringContaining('scope')]);
  });

  it('of another account are unknown', async () => {
    const { id } = (await api.post('/v3/edit/secrets', { name: 'Theirs', scope: 'read' }, { as: api.other })).body
      .secret;
    expect((await api.send('DELETE', `/v3/edit/secrets/${id}`)).status).toBe(404);
    expect((await api.get('/v3/edit/secrets')).text).not.toContain(id);
  });

  it.each([
    ['name', { name: '' }],
    ['scope', { scope: 'everything' }],
    ['scope', { scope: undefined }],
    ['expires_at', { expires_at: '2001-01-01' }],
    ['expires_at', { expires_at: 'soon' }],
    ['networks', { networks: ['10.0.0.0/33'] }],
    ['networks', { networks: ['localhost'] }],
    ['networks', { networks: [] }],
    ['networks', { networks: Array.from({ length: 21 }, () => '192.0.2.1') }],
  ])('rejects a wrong %s %#', async (name, params) => {
    const { status, body } = await create(params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}`)]]);
  });
});

describe('a secret that another secret has created', () => {
  const HOUR = 60 * 60_000;
  const from = { 'X-Forwarded-For': '192.0.2.1' };
  const limits = () => ({ networks: ['192.0.2.0/24'], expires_at: new Date(Date.now() + HOUR).toISOString() });
  const createBy = (account_secret: string, params: object = {}) =>
    api.post('/v3/edit/secrets', { name: 'Child', scope: 'all', ...params }, { as: { account_secret }, headers: from });
  const listIds = async () =>
    (await api.get('/v3/edit/secrets')).body.secrets.map((secret: { id: string }) => secret.id) as string[];

  /** Stores secrets of the owner, each with what `fieldsOf` returns for it. */
  const insertSecrets = async (count: number, fieldsOf: (index: number, ids: string[]) => object) => {
    const { account_id, user_id } = api.account;
    const ids = Array.from({ length: count }, () => api.app.newId());
    const rows = ids.map((id, index) => {
      const fields = { account_id, admin_id: user_id, name: 'One of many', updated_at: 1 };
      return { id, hash: id, ...fields, ...fieldsOf(index, ids) };
    });
    await api.app.storage.write(null, async (db) => {
      for (let at = 0; at < rows.length; at += 500)
        await db
          .insertInto('secrets')
          .values(rows.slice(at, at + 500))
          .execute();
    });
  };

  it('has the limits of its parent where it is given none', async () => {
    const parent = (await create(limits())).body.secret;
    const { status, body } = await createBy(parent.secret, { networks: null });
    expect(status).toBe(201);
    const { networks, expires_at, parent_id, secret } = body.secret;
    expect({ networks, expires_at, parent_id }).toEqual({
      networks: parent.networks,
      expires_at: parent.expires_at,
      parent_id: parent.id,
    });
    expect(await statusOf(secret, '192.0.2.9')).toBe(200);
    expect(await statusOf(secret, '198.51.100.1')).toBe(403);
    try {
      passed = 2 * HOUR;
      expect(await statusOf(secret, '192.0.2.9')).toBe(403);
    } finally {
      passed = 0;
    }
  });

  it.each([
    ['networks', { networks: ['192.0.2.7', '198.51.100.1'] }],
    ['networks', { networks: ['192.0.2.0/23'] }],
    ['networks', { networks: ['0.0.0.0/0'] }],
    ['networks', { networks: ['::/0'] }],
    ['expires_at', { expires_at: '+2h' }],
  ])('cannot have more than its parent: %s %#', async (name, params) => {
    const { secret } = (await create(limits())).body.secret;
    const before = await listIds();
    const { status, body } = await createBy(secret, params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}\` must not permit more`)]]);
    expect(await listIds()).toEqual(before);
  });

  it('can have less', async () => {
    const { secret } = (await create(limits())).body.secret;
    const child = (await createBy(secret, { networks: ['192.0.2.0/25'], expires_at: '+10m', scope: 'read' })).body
      .secret;
    expect(child).toMatchObject({ networks: ['192.0.2.0/25'], scope: 'read' });
    expect((await createBy(child.secret)).status).toBe(403);
  });

  it('is revoked with its parent, as are the secrets and invitations that it has created', async () => {
    const [parent, other] = [(await create({})).body.secret, (await create({})).body.secret];
    const child = (await createBy(parent.secret)).body.secret;
    const grandchild = (await createBy(child.secret)).body.secret;
    const as = { account_secret: grandchild.secret };
    const invited = (await api.post('/v3/edit/invitations', { role: 'owner' }, { as })).body.invitation;
    const [, token] = invited.url.split('#');
    const check = async () => (await new Browser(api).post('/v3/links/check', { token })).status;
    expect(await check()).toBe(200);
    const { status, body } = await api.send('DELETE', `/v3/edit/secrets/${parent.id}`);
    const idsOf = (secrets: { id: string }[]) => secrets.map(({ id }) => id);
    expect([status, body.secret.id, idsOf(body.children)]).toEqual([200, parent.id, [child.id, grandchild.id]]);
    for (const { secret } of [parent, child, grandchild]) expect(await statusOf(secret)).toBe(403);
    expect(await statusOf(other.secret)).toBe(200);
    expect(await check()).toBe(404);
    const { audit_entries } = (await api.get('/v3/analyze/audit_entries', { query: 'action=secret.delete' })).body;
    expect(audit_entries.map(({ target_id, details }: AuditEntry) => [target_id, details.revoked_with])).toEqual([
      [grandchild.id, parent.id],
      [child.id, parent.id],
      [parent.id, undefined],
    ]);
  });

  it('stays if the caller says so, and then belongs to the secret above', async () => {
    const parent = (await create({})).body.secret;
    const child = (await createBy(parent.secret)).body.secret;
    const grandchild = (await createBy(child.secret)).body.secret;
    const { body } = await api.send('DELETE', `/v3/edit/secrets/${child.id}`, { query: 'keep_children=true' });
    expect(body.children).toEqual([]);
    expect(await statusOf(child.secret)).toBe(403);
    expect(await statusOf(grandchild.secret)).toBe(200);
    expect((await api.send('DELETE', `/v3/edit/secrets/${parent.id}`)).body.children).toMatchObject([
      { id: grandchild.id, parent_id: parent.id },
    ]);
    expect(await statusOf(grandchild.secret)).toBe(403);
  });

  it('cannot keep itself, and the parent that is revoked cannot keep it', async () => {
    const parent = (await create({})).body.secret;
    const child = (await createBy(parent.secret)).body.secret;
    for (const { secret: account_secret } of [parent, child]) {
      const sent = { as: { account_secret }, query: 'keep_children=true' };
      expect((await api.send('DELETE', `/v3/edit/secrets/${parent.id}`, sent)).status).toBe(409);
    }
    expect(await statusOf(parent.secret)).toBe(200);
    expect(
      (await api.send('DELETE', `/v3/edit/secrets/${parent.id}`, { as: { account_secret: parent.secret } })).status,
    ).toBe(200);
    expect(await statusOf(child.secret)).toBe(403);
  });

  it('is revoked with its parent, however many secrets have created each other', async () => {
    const parent = (await create({})).body.secret;
    const child = (await createBy(parent.secret)).body.secret;
    await insertSecrets(9000, (index, ids) => ({ parent_id: ids[index - 1] ?? child.id }));
    const { status, body } = await api.send('DELETE', `/v3/edit/secrets/${parent.id}`);
    expect([status, body.children?.length]).toEqual([200, 9001]);
    expect(await statusOf(child.secret)).toBe(403);
    expect(await listIds()).toHaveLength(1);
  });

  it('is not created when the account has a thousand secrets that have not expired', async () => {
    const { secret } = (await create({})).body.secret;
    await insertSecrets(MAX_SECRETS - 3, () => ({}));
    await insertSecrets(10, () => ({ expires_at: 1 }));
    const statuses = [await createBy(secret), await createBy(secret)].map(({ status }) => status);
    expect(statuses).toEqual([201, 409]);
  });

  it('is not created while its parent is being revoked', async () => {
    for (let round = 0; round < 5; round++) {
      const parent = (await create({})).body.secret;
      const [made] = await Promise.all([createBy(parent.secret), api.send('DELETE', `/v3/edit/secrets/${parent.id}`)]);
      if (made.status === 201) expect(await statusOf(made.body.secret.secret)).toBe(403);
      else expect(made.status).toBe(403);
    }
  });

  it.each([
    ['a time', { expires_at: '+1h' }],
    ['networks', { networks: ['127.0.0.0/8', '::1/128'] }],
  ])('invites no person and changes no role if it is limited to %s', async (_, limits) => {
    const { secret } = (await create(limits)).body.secret;
    const as = { account_secret: secret };
    expect((await api.post('/v3/edit/invitations', { role: 'owner' }, { as })).status).toBe(403);
    const { id } = await addSignedIn(api, 'viewer');
    expect((await api.patch(`/v3/edit/admins/${id}`, { role: 'owner' }, { as })).status).toBe(403);
    expect((await api.patch(`/v3/edit/admins/${id}`, { role: 'editor' })).body.admin.role).toBe('editor');
  });

  it('has no parent if a person creates it', async () => {
    const { browser } = await addSignedIn(api, 'owner');
    const { body } = await browser.post('/v3/edit/secrets', { name: 'Mine', scope: 'all' });
    expect(body.secret).toMatchObject({ parent_id: null, networks: null, expires_at: null });
  });
});

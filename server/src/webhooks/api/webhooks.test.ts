import { isId, topics, toTimestamp } from '@usher/domain';
import type { Insertable, Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../test/account-rows.ts';
import { type Api, newEmail, startApi } from '../../../test/api.ts';
import type { Schema } from '../../db/schema.ts';
import { type CreatedAccount, createAccount } from '../../features/team/accounts/create-account.ts';

let api: Api;
let woken: string[] = [];
beforeAll(async () => {
  api = await startApi({ inTest: false });
  api.app.webhooks.wake = (accountId) => woken.push(accountId);
});
afterAll(() => api.stop());

const path = '/v3/edit/webhooks';
const unknownId = 'f'.repeat(24);
let count = 0;
const newUrl = () => `https://example.com/hooks/${++count}`;
/** Each test has an account of its own, because an account has room for 5 webhooks. */
const newAccount = () => createAccount(api.app, { name: 'Acme', email: newEmail() });

async function addExperience(kind: string, as: CreatedAccount): Promise<string> {
  const { body } = await api.post(`/v3/edit/${kind}`, { name: 'Welcome' }, { as });
  const [made] = Object.values(body) as { id: string }[];
  return made?.id ?? '';
}
const create = (as: CreatedAccount, params: object = {}) =>
  api.post(path, { url: newUrl(), topics: ['tour.*'], ...params }, { as });
async function add(as: CreatedAccount, params: object = {}) {
  const { status, body } = await create(as, params);
  expect([status, body.messages]).toEqual([201, undefined]);
  const { secret: _, ...webhook } = body.webhook;
  return webhook;
}
const show = async (as: CreatedAccount, id: string) => (await api.get(`${path}/${id}`, { as })).body.webhook;
const change = (as: CreatedAccount, id: string, params: object) => api.patch(`${path}/${id}`, params, { as });
const list = async (as: CreatedAccount) => (await api.get(path, { as })).body.webhooks;

/** Stores what sending an item would have stored. */
function write(as: CreatedAccount, id: string, params: Updateable<Schema['webhooks']>): Promise<unknown> {
  return api.app.storage.write(as.account_id, (db) =>
    db.updateTable('webhooks').set(params).where('account_id', '=', as.account_id).where('id', '=', id).execute(),
  );
}
async function version({ account_id }: CreatedAccount): Promise<number> {
  const query = api.app.storage.reader(account_id).selectFrom('published_versions').select('version');
  return (await query.where('account_id', '=', account_id).executeTakeFirst())?.version ?? 0;
}
/** Returns how often the published version changed. */
async function publishedChanges(as: CreatedAccount, work: () => Promise<unknown>): Promise<number> {
  const before = await version(as);
  await work();
  return (await version(as)) - before;
}

describe('create', () => {
  it('accepts topics that are never sent, with a warning', async () => {
    const as = await newAccount();
    const { status, body } = await create(as, { topics: ['tour.*', 'helpbar.search', 'demo.form.submitted'] });
    expect([status, body.webhook.topics]).toEqual([201, ['tour.*', 'helpbar.search', 'demo.form.submitted']]);
    expect(body.warnings).toEqual([
      expect.stringMatching(/^`helpbar.search` is accepted, and never sent/),
      expect.stringMatching(/^`demo.form.submitted` is accepted, and never sent/),
    ]);
    const { id } = body.webhook;
    expect((await change(as, id, { topics: ['helpbar.answer'] })).body.warnings).toHaveLength(1);
    expect((await change(as, id, { topics: ['ping'], nmae: 'x' })).body.warnings).toEqual([
      expect.stringContaining('`nmae` is no parameter'),
    ]);
    expect((await change(as, id, { name: 'Renamed' })).body.warnings).toBeUndefined();
    expect((await create(as, { topics: ['helpbar.*'] })).status).toBe(422);
  });

  it('keeps the kind by which existing clients find their webhook', async () => {
    const as = await newAccount();
    const { id, kind } = await add(as, { kind: 'zapier_hook' });
    expect([kind, (await show(as, id)).kind, (await list(as))[0].kind]).toEqual(Array(3).fill('zapier_hook'));
  });

  it('creates a webhook with its URL as uid', async () => {
    const as = await newAccount();
    const url = newUrl();
    const { status, body } = await create(as, { url, kind: 'webhook', name: 'To the CRM', topics: ['ping'] });
    expect(status).toBe(201);
    const { id, created_at, updated_at, secret, ...rest } = body.webhook;
    expect(isId(id)).toBe(true);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({
      kind: 'webhook',
      uid: url,
      name: 'To the CRM',
      topics: ['ping'],
      experience_ids: [],
      id_header: null,
      signature_header: null,
      enabled: true,
      secret_rotated_at: null,
      failing_since: null,
      last_item_at: null,
      last_item_state: null,
      last_item_error: null,
    });
    expect(await show(as, id)).toEqual({ id, created_at, updated_at, ...rest });
  });

  it('uses the host as the default name', async () => {
    const as = await newAccount();
    expect(await add(as, { url: 'https://hooks.example.com:8443/a?b=c' })).toMatchObject({
      name: 'hooks.example.com:8443',
      uid: 'https://hooks.example.com:8443/a?b=c',
      kind: 'webhook',
    });
  });

  it.each(topics)('accepts the topic %s', async (topic) => {
    const as = await newAccount();
    expect((await add(as, { topics: [topic] })).topics).toEqual([topic]);
  });

  it('accepts all topics, each once', async () => {
    const as = await newAccount();
    expect((await add(as, { topics: [...topics] })).topics).toEqual(topics);
    expect((await add(as, { topics: 'survey.*,tour.started,survey.*' })).topics).toEqual(['survey.*', 'tour.started']);
  });

  it('accepts the IDs of tours, surveys and embeds, each once', async () => {
    const as = await newAccount();
    const ids = [];
    for (const kind of ['tours', 'surveys', 'embeds']) ids.push(await addExperience(kind, as));
    expect((await add(as, { experience_ids: [...ids, ...ids] })).experience_ids).toEqual(ids);
  });

  it('accepts `experience_id` as a list of one and null for all Experiences, and rejects both parameters together', async () => {
    const as = await newAccount();
    const tour = await addExperience('tours', as);
    const one = await add(as, { experience_id: tour });
    expect(one.experience_ids).toEqual([tour]);
    const patch = async (params: object) =>
      (await api.send('PATCH', `/v3/edit/webhooks/${one.id}`, { as, body: params })).body.webhook.experience_ids;
    expect(await patch({ experience_id: null })).toEqual([]);
    expect(await patch({ experience_id: tour })).toEqual([tour]);
    expect(await create(as, { experience_id: unknownId })).toMatchObject({ status: 404 });
    expect(await create(as, { experience_id: tour, experience_ids: [] })).toMatchObject({
      status: 422,
      body: { messages: ['Give `experience_id` or `experience_ids`, not both'] },
    });
  });

  it('rejects the address of the server itself', async () => {
    const url = `${api.app.publicUrl}/hooks`.replace('http:', 'https:');
    expect(await create(await newAccount(), { url })).toMatchObject({ status: 422 });
  });

  it('returns 404 for Experiences without webhook events', async () => {
    const as = await newAccount();
    const tour = await addExperience('tours', as);
    const foreign = await addExperience('tours', await newAccount());
    const before = await accountRows(api.app, as.account_id);
    for (const other of [unknownId, await addExperience('launchers', as), await addExperience('tooltips', as), foreign])
      expect(await create(as, { experience_ids: [tour, other] })).toMatchObject({
        status: 404,
        body: { messages: ['`experience_ids[1]` is the ID of no tour, survey or embed in this account'] },
      });
    expect((await accountRows(api.app, as.account_id)).webhooks).toEqual(before.webhooks);
  });

  it.each([
    ['url', { url: undefined }],
    ['url', { url: '' }],
    ['url', { url: 'example.com/hooks' }],
    ['url', { url: 'ftp://example.com/' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: 'http://example.com/hooks' }],
    ['url', { url: 'https://ann:secret@example.com/' }],
    ['url', { url: 'https://127.0.0.1/' }],
    ['url', { url: 'https://localhost/' }],
    ['url', { url: 'https://[::1]/' }],
    ['url', { url: 'https://0x7f.1/' }],
    ['url', { url: 'https://10.0.0.1/' }],
    ['url', { url: 'https://169.254.169.254/latest' }],
    ['url', { url: 'https://[::ffff:192.168.0.1]/' }],
    ['url', { url: `https://example.com/${'x'.repeat(2000)}` }],
    ['topics', { topics: undefined }],
    ['topics', { topics: [] }],
    ['topics', { topics: null }],
    ['topics[1]', { topics: ['ping', 'launcher.started'] }],
    ['topics[0]', { topics: ['*'] }],
    ['topics[0]', { topics: ['tour.displayed'] }],
    ['experience_ids', { experience_ids: Array(1001).fill(unknownId) }],
    ['experience_ids[0]', { experience_ids: ['x'] }],
    ['kind', { kind: 'slack' }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(256) }],
  ])('returns 422 for a wrong `%s` %#', async (name, params) => {
    const as = await newAccount();
    const { status, body } = await create(as, params);
    expect([status, body.messages]).toEqual([422, [expect.stringContaining(`\`${name}\``)]]);
    expect(await list(as)).toEqual([]);
  });

  it('says that the address must be https', async () => {
    const { body } = await create(api.account, { url: 'http://example.com/hooks' });
    expect(body.messages).toEqual(['`url` must be an address that begins with `https://`']);
  });

  it.each(['https://127.0.0.1/hooks', 'http://localhost:3000/hooks', 'https://192.168.1.5/'])(
    'names the setting that allows %s',
    async (url) => {
      const { status, body } = await create(api.account, { url });
      expect([status, body.messages]).toEqual([
        422,
        [expect.stringMatching(/operator.*`USHER_WEBHOOK_ALLOW_NETWORKS`/)],
      ]);
    },
  );

  it('allows http, and private addresses, only in networks that the operator allows', async () => {
    const allowing = await startApi({ env: { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1' } });
    const create = async (url: string) => (await allowing.post(path, { url, topics: ['ping'] })).status;
    expect(await create('http://127.0.0.1:3000/hooks')).toBe(201);
    expect(await create('http://localhost:3000/hooks')).toBe(201);
    expect(await create('https://[::1]/')).toBe(201);
    expect(await create('http://10.0.0.1/')).toBe(422);
    expect(await create('https://10.0.0.1/')).toBe(422);
    expect(await create('http://93.184.215.14/')).toBe(422);
  });

  it('returns 409 for an address that is already used', async () => {
    const as = await newAccount();
    const { uid } = await add(as);
    expect(await create(as, { url: uid })).toMatchObject({
      status: 409,
      body: { messages: ['There is a webhook with this `url` already'] },
    });
    expect(await list(as)).toHaveLength(1);
    await add(await newAccount(), { url: uid });
  });

  it('returns 409 for a sixth webhook', async () => {
    const as = await newAccount();
    for (let n = 0; n < 5; n++) await add(as);
    expect(await create(as)).toMatchObject({
      status: 409,
      body: { messages: ['There are 5 webhooks already: delete one of them first'] },
    });
    const [first] = await list(as);
    await api.send('DELETE', `${path}/${first.id}`, { as });
    await add(as);
    expect(await list(as)).toHaveLength(5);
  });

  it('creates at most 5 of many at the same time, and each address once', async () => {
    const as = await newAccount();
    const many = await Promise.all(Array.from({ length: 12 }, () => create(as)));
    expect(many.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
    const other = await newAccount();
    const url = newUrl();
    const same = await Promise.all(Array.from({ length: 4 }, () => create(other, { url })));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});

describe('list, show and change', () => {
  it('lists newest first, page by page', async () => {
    const as = await newAccount();
    const made: { id: string }[] = [];
    for (let n = 0; n < 3; n++) made.unshift(await add(as));
    expect((await api.get(path, { as })).body).toEqual({ webhooks: made, cursor: { limit: 50, before: null } });
    const { body } = await api.get(path, { as, query: 'limit=2' });
    expect(body).toEqual({ webhooks: made.slice(0, 2), cursor: { limit: 2, before: made[1]?.id } });
    expect((await api.get(path, { as, query: `before=${made[1]?.id}` })).body.webhooks).toEqual(made.slice(2));
  });

  it.each(['PUT', 'PATCH'])('%s changes only the given fields', async (method) => {
    const as = await newAccount();
    const tour = await addExperience('tours', as);
    let before = await add(as);
    for (const params of [
      { name: 'Another' },
      { topics: ['survey.exited', 'ping'] },
      { experience_ids: [tour] },
      { experience_ids: [] },
      { id_header: 'X-Guide-Id' },
      { signature_header: "a!#$%&'*+.^_`|~-9" },
      { id_header: null, signature_header: null },
      { enabled: false },
      { enabled: true },
      { url: newUrl() },
    ]) {
      const { body } = await api.send(method, `${path}/${before.id}`, { as, body: params });
      const { url, ...rest } = params as Record<string, unknown>;
      const { updated_at } = body.webhook;
      expect(body.webhook).toEqual({ ...before, ...rest, ...(url !== undefined && { uid: url }), updated_at });
      expect(await show(as, before.id)).toEqual(body.webhook);
      before = body.webhook;
    }
  });

  it('changes updated_at and the published version only when something changes', async () => {
    const as = await newAccount();
    const { id, uid } = await add(as, { name: 'Same' });
    await write(as, id, { updated_at: 1000 });
    for (const params of [{}, { name: 'Same' }, { url: uid }, { topics: ['tour.*', 'tour.*'] }, { enabled: true }]) {
      expect(await publishedChanges(as, () => change(as, id, params))).toBe(0);
      expect((await show(as, id)).updated_at).toBe('1970-01-01T00:00:01.000Z');
    }
    for (const params of [{ topics: ['ping'] }, { enabled: false }, { name: 'Other' }])
      expect(await publishedChanges(as, () => change(as, id, params))).toBe(1);
    expect(await publishedChanges(as, () => add(as))).toBe(1);
    expect(await publishedChanges(as, () => create(as, { topics: [] }))).toBe(0);
    expect(await publishedChanges(as, () => create(as, { url: uid }))).toBe(0);
  });

  it('checks the changed fields', async () => {
    const as = await newAccount();
    const [webhook, other] = [await add(as), await add(as)];
    for (const [params, status] of [
      [{ url: 'http://example.com/' }, 422],
      [{ url: 'https://127.0.0.1/' }, 422],
      [{ url: other.uid }, 409],
      [{ topics: [] }, 422],
      [{ topics: ['x'] }, 422],
      [{ enabled: 'maybe' }, 422],
      [{ name: null }, 422],
      [{ experience_ids: [unknownId] }, 404],
    ] as const)
      expect([params, (await change(as, webhook.id, params)).status]).toEqual([params, status]);
    expect(await show(as, webhook.id)).toEqual(webhook);
  });

  it('keeps a deleted Experience in its list, because an empty list would mean all of them', async () => {
    const as = await newAccount();
    const [tour, survey] = [await addExperience('tours', as), await addExperience('surveys', as)];
    const { id } = await add(as, { experience_ids: [tour] });
    expect((await api.send('DELETE', `/v3/edit/tours/${tour}`, { as })).status).toBe(200);
    expect((await show(as, id)).experience_ids).toEqual([tour]);
    expect((await change(as, id, { experience_ids: [tour, survey] })).body.webhook.experience_ids).toEqual([
      tour,
      survey,
    ]);
  });

  it('sends again when it is enabled after failures disabled it', async () => {
    const as = await newAccount();
    const { id } = await add(as);
    const failed = { failing_since: 1000, last_item_at: 2000, last_item_state: 'disabled', last_item_error: 'x' };
    await write(as, id, { enabled: false, ...failed } as Updateable<Schema['webhooks']>);
    expect(await show(as, id)).toMatchObject({
      enabled: false,
      failing_since: toTimestamp(1000),
      last_item_at: toTimestamp(2000),
      last_item_state: 'disabled',
      last_item_error: 'x',
    });
    woken = [];
    expect((await change(as, id, { enabled: true })).body.webhook).toMatchObject({
      enabled: true,
      failing_since: null,
      last_item_at: toTimestamp(2000),
      last_item_state: null,
      last_item_error: null,
    });
    expect(woken).toEqual([as.account_id]);
  });
});

it('returns 409 for a change by somebody who has not seen the last one', async () => {
  const as = await newAccount();
  const { id, updated_at } = await add(as);
  expect((await change(as, id, { name: 'First', updated_at })).status).toBe(200);
  expect((await change(as, id, { name: 'Late', updated_at })).status).toBe(409);
  expect((await show(as, id)).name).toBe('First');
});

describe('further headers', () => {
  it.each([
    ...[
      ' ',
      'X Guide',
      'X-Guide:',
      'X-Gu\r\nide',
      'X-Gu\u0000ide',
      'X-Güide',
      '"X"',
      'x'.repeat(101),
      5,
      ['X-A', 'X-B'],
    ],
    ...['X-Usher-Id', 'x-usher-other', 'Webhook-Signature', 'HOST', 'content-type', 'Content-Length', 'User-Agent'],
    ...['Connection', 'keep-alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Proxy-Authorization', 'Cookie'],
    ...[
      'Authorization',
      'Accept-Encoding',
      'X-Forwarded-For',
      'Forwarded',
      'Date',
      'Expect',
      'Origin',
      'Sec-Fetch-Mode',
    ],
  ])('cannot be %j', async (name) => {
    const as = await newAccount();
    const webhook = await add(as, { id_header: 'X-Guide-Id' });
    for (const param of ['id_header', 'signature_header']) {
      const results = [await create(as, { [param]: name }), await change(as, webhook.id, { [param]: name })];
      for (const { status, body } of results) {
        expect([name, status]).toEqual([name, 422]);
        expect(body.messages).toEqual([expect.stringContaining(`\`${param}\``)]);
      }
    }
    expect(await list(as)).toEqual([webhook]);
  });

  it('have two names', async () => {
    const as = await newAccount();
    const names = { id_header: 'X-Guide', signature_header: 'x-guide' };
    expect((await create(as, names)).status).toBe(422);
    const { id } = await add(as, { id_header: 'X-Guide' });
    expect((await change(as, id, { signature_header: 'x-GUIDE' })).status).toBe(422);
    expect(await show(as, id)).toMatchObject({ id_header: 'X-Guide', signature_header: null });
  });
});

describe('delete', () => {
  it.each(['id', 'url'])('finds the webhook by %s', async (name) => {
    const as = await newAccount();
    const [webhook, other] = [await add(as), await add(as)];
    const query = new URLSearchParams({ [name]: name === 'id' ? webhook.id : webhook.uid }).toString();
    expect((await api.send('DELETE', path, { as, query })).body).toEqual({ webhook });
    expect(await list(as)).toEqual([other]);
    expect((await api.send('DELETE', path, { as, query })).status).toBe(404);
  });

  it('finds the webhook by its path', async () => {
    const as = await newAccount();
    const webhook = await add(as);
    expect(await publishedChanges(as, () => api.send('DELETE', `${path}/${webhook.id}`, { as }))).toBe(1);
    expect(await list(as)).toEqual([]);
    expect((await api.send('DELETE', `${path}/${webhook.id}`, { as })).status).toBe(404);
  });

  it('rejects a missing ID and URL, and those of different webhooks', async () => {
    const as = await newAccount();
    const [one, other] = [await add(as), await add(as)];
    expect(await api.send('DELETE', path, { as })).toMatchObject({
      status: 422,
      body: { messages: ['Give the `id` or the `url` of the webhook'] },
    });
    const query = new URLSearchParams({ id: one.id, url: other.uid }).toString();
    expect((await api.send('DELETE', path, { as, query })).status).toBe(404);
    expect(await list(as)).toHaveLength(2);
  });

  it('deletes its items and attempts, and nothing of another webhook', async () => {
    const as = await newAccount();
    const [one, other] = [await add(as), await add(as)];
    for (const { id } of [one, other])
      for (let n = 0; n < 3; n++) {
        const { item } = (await api.post(`${path}/${id}/ping`, {}, { as })).body;
        await addAttempt(as, id, item.id);
      }
    await api.send('DELETE', `${path}/${one.id}`, { as });
    const rows = await accountRows(api.app, as.account_id);
    for (const table of ['outbox', 'webhook_attempts']) {
      expect(rows[table]).toHaveLength(3);
      expect(rows[table]?.every((row) => row.includes(other.id))).toBe(true);
    }
  });
});

async function addAttempt(
  as: CreatedAccount,
  webhook_id: string,
  item_id: string,
  params: Partial<Insertable<Schema['webhook_attempts']>> = {},
): Promise<string> {
  const id = api.app.newId();
  const row = { account_id: as.account_id, id, webhook_id, item_id, kind: 'ping' as const, at: 1000, ms: 12 };
  await api.app.storage.write(as.account_id, (db) =>
    db
      .insertInto('webhook_attempts')
      .values({ ...row, ...params })
      .execute(),
  );
  return id;
}

describe('ping', () => {
  it('sends a ping immediately, whatever the topics', async () => {
    const as = await newAccount();
    const [{ id }] = [await add(as, { topics: ['survey.*'] }), await add(as)];
    woken = [];
    const { status, body } = await api.post(`${path}/${id}/ping`, {}, { as });
    expect(status).toBe(201);
    const { id: itemId, created_at, ...item } = body.item;
    expect(isId(itemId)).toBe(true);
    const pending = { kind: 'ping', profile_id: null, state: 'pending', attempts_count: 0 };
    expect(item).toEqual({ ...pending, next_attempt_at: created_at });
    expect((await api.get(`${path}/${id}/items`, { as })).body.items).toEqual([body.item]);
    expect(JSON.stringify((await accountRows(api.app, as.account_id)).outbox).match(/webhook_id/g)).toHaveLength(1);
    expect(woken).toEqual([as.account_id]);
  });

  it('returns 409 for a ping while the webhook is disabled', async () => {
    const as = await newAccount();
    const { id } = await add(as);
    await change(as, id, { enabled: false });
    woken = [];
    const { status, body } = await api.post(`${path}/${id}/ping`, {}, { as });
    expect([status, body.messages]).toEqual([409, ['This webhook is disabled: set `enabled` to true first']]);
    expect((await api.get(`${path}/${id}/items`, { as })).body.items).toEqual([]);
    expect(woken).toEqual([]);
  });
});

describe('items', () => {
  async function addItems(as: CreatedAccount) {
    const { id } = await add(as);
    const items: { id: string }[] = [];
    for (let n = 0; n < 4; n++) items.unshift((await api.post(`${path}/${id}/ping`, {}, { as })).body.item);
    return { id, items };
  }
  function set(as: CreatedAccount, itemId: string, params: Updateable<Schema['outbox']>) {
    return api.app.storage.write(as.account_id, (db) =>
      db.updateTable('outbox').set(params).where('account_id', '=', as.account_id).where('id', '=', itemId).execute(),
    );
  }

  it('lists items newest first, page by page, all or of one state', async () => {
    const as = await newAccount();
    const { id, items } = await addItems(as);
    const listItems = async (query: string) => (await api.get(`${path}/${id}/items`, { as, query })).body;
    expect(await listItems('')).toEqual({ items, cursor: { limit: 50, before: null } });
    expect(await listItems('limit=3')).toEqual({
      items: items.slice(0, 3),
      cursor: { limit: 3, before: items[2]?.id },
    });
    expect((await listItems(`limit=3&before=${items[2]?.id}`)).items).toEqual(items.slice(3));
    await set(as, items[0]?.id ?? '', { state: 'failed', next_at: null, attempts: 10 });
    await set(as, items[1]?.id ?? '', { state: 'sent', next_at: null, attempts: 1 });
    const idsOf = async (query: string) => (await listItems(query)).items.map((item: { id: string }) => item.id);
    expect(await idsOf('state=failed')).toEqual([items[0]?.id]);
    expect(await idsOf('state=sent')).toEqual([items[1]?.id]);
    expect(await idsOf('state=pending')).toEqual([items[2]?.id, items[3]?.id]);
    expect((await listItems('')).items[0]).toMatchObject({ attempts_count: 10, next_attempt_at: null });
    expect((await api.get(`${path}/${id}/items`, { as, query: 'state=lost' })).status).toBe(422);
  });

  it.each([
    ['failed', { state: 'failed', next_at: null, attempts: 10 }, 0],
    ['sent', { state: 'sent', next_at: null, attempts: 2 }, 0],
    ['pending', { state: 'pending', next_at: 9e12, attempts: 4 }, 4],
  ] as const)('sends %s items again immediately', async (_, params, attempts) => {
    const as = await newAccount();
    const { id, items } = await addItems(as);
    const [item, other] = items;
    await set(as, item?.id ?? '', params);
    woken = [];
    const { status, body } = await api.post(`${path}/${id}/items/${item?.id}/retry`, {}, { as });
    expect(status).toBe(200);
    expect(body.item).toMatchObject({ id: item?.id, state: 'pending', attempts_count: attempts });
    expect(Date.parse(body.item.next_attempt_at)).toBeLessThanOrEqual(api.app.now());
    expect(woken).toEqual([as.account_id]);
    const { items: after } = (await api.get(`${path}/${id}/items`, { as })).body;
    expect(after.slice(0, 2)).toEqual([body.item, other]);
  });

  it('returns 409 for a retry while the webhook is disabled', async () => {
    const as = await newAccount();
    const { id, items } = await addItems(as);
    await change(as, id, { enabled: false });
    const retry = `${path}/${id}/items/${items[0]?.id}/retry`;
    expect((await api.post(retry, {}, { as })).status).toBe(409);
  });

  it('returns 404 for an item of another webhook', async () => {
    const as = await newAccount();
    const [one, other] = [await addItems(as), await addItems(as)];
    const [item] = one.items;
    expect((await api.post(`${path}/${other.id}/items/${item?.id}/retry`, {}, { as })).status).toBe(404);
    const query = `item_id=${item?.id}`;
    expect((await api.get(`${path}/${other.id}/attempts`, { as, query })).status).toBe(404);
  });
});

describe('attempts', () => {
  it('shows the time, item, duration and response of an attempt', async () => {
    const as = await newAccount();
    const { id } = await add(as);
    const { item } = (await api.post(`${path}/${id}/ping`, {}, { as })).body;
    const failed = await addAttempt(as, id, item.id, { at: 1000, ms: 7000, error: 'no answer within 7 s' });
    const succeeded = await addAttempt(as, id, item.id, { at: 11_000, ms: 12, status: 200, answer: 'ok' });
    const { attempts } = (await api.get(`${path}/${id}/attempts`, { as })).body;
    expect(attempts).toEqual([
      {
        id: succeeded,
        created_at: expect.any(String),
        item_id: item.id,
        kind: 'ping',
        profile_id: null,
        at: '1970-01-01T00:00:11.000Z',
        status: 200,
        duration_ms: 12,
        answer: 'ok',
        error: null,
      },
      {
        id: failed,
        created_at: expect.any(String),
        item_id: item.id,
        kind: 'ping',
        profile_id: null,
        at: '1970-01-01T00:00:01.000Z',
        status: null,
        duration_ms: 7000,
        answer: null,
        error: 'no answer within 7 s',
      },
    ]);
  });

  it('lists attempts page by page, all or of one item, only of this webhook', async () => {
    const as = await newAccount();
    const [{ id }, other] = [await add(as), await add(as)];
    const items = [];
    for (let n = 0; n < 2; n++) items.push((await api.post(`${path}/${id}/ping`, {}, { as })).body.item.id);
    const made = [];
    for (const item of [...items, ...items]) made.unshift(await addAttempt(as, id, item));
    await addAttempt(as, other.id, items[0]);
    const listAttempts = async (query: string) => {
      const { body } = await api.get(`${path}/${id}/attempts`, { as, query });
      return { ids: body.attempts.map((one: { id: string }) => one.id), before: body.cursor.before };
    };
    expect(await listAttempts('')).toEqual({ ids: made, before: null });
    expect(await listAttempts('limit=3')).toEqual({ ids: made.slice(0, 3), before: made[2] });
    expect(await listAttempts(`before=${made[2]}`)).toEqual({ ids: made.slice(3), before: null });
    expect((await listAttempts(`item_id=${items[1]}`)).ids).toEqual([made[0], made[2]]);
  });
});

describe('one attempt', () => {
  it('shows the request as it was sent, without the signatures', async () => {
    const as = await newAccount();
    const { id, uid } = await add(as);
    const { item } = (await api.post(`${path}/${id}/ping`, {}, { as })).body;
    const attemptId = await addAttempt(as, id, item.id, { at: 11_000, ms: 12, status: 200, answer: 'ok' });
    const { status, body } = await api.get(`${path}/${id}/attempts/${attemptId}`, { as });
    expect(status).toBe(200);
    const { request, ...attempt } = body.attempt;
    expect((await api.get(`${path}/${id}/attempts`, { as })).body.attempts).toEqual([attempt]);
    expect(request.url).toBe(uid);
    expect(request.headers).toEqual({
      'user-agent': 'Usher',
      'x-usher-id': item.id,
      'webhook-id': item.id,
      'webhook-timestamp': '11',
    });
    expect(JSON.parse(request.body)).toMatchObject({
      id: item.id,
      kind: 'ping',
      sent_at: toTimestamp(11_000),
      data: { account: { id: as.account_id } },
    });
  });

  it('has no request when the item is gone', async () => {
    const as = await newAccount();
    const { id } = await add(as);
    const attemptId = await addAttempt(as, id, unknownId);
    expect((await api.get(`${path}/${id}/attempts/${attemptId}`, { as })).body.attempt.request).toBe(null);
  });

  it('returns 404 for an attempt of another webhook or account', async () => {
    const as = await newAccount();
    const [{ id }, other] = [await add(as), await add(as)];
    const attemptId = await addAttempt(as, id, unknownId);
    expect((await api.get(`${path}/${other.id}/attempts/${attemptId}`, { as })).status).toBe(404);
    expect((await api.get(`${path}/${id}/attempts/${attemptId}`, { as: api.other })).status).toBe(404);
  });
});

describe('source addresses', () => {
  it('lists the source addresses that the operator has set', async () => {
    const source = '/v3/edit/source_addresses';
    expect((await api.get(source)).body).toEqual({ source_addresses: [] });
    const set = await startApi({ env: { USHER_WEBHOOK_SOURCE_ADDRESSES: '127.0.0.2,127.0.0.3' } });
    expect((await set.get(source)).body).toEqual({ source_addresses: ['127.0.0.2', '127.0.0.3'] });
  });
});

describe('other accounts', () => {
  it('returns 404 for a webhook of another account', async () => {
    const as = await newAccount();
    const { id, uid } = await add(as);
    const { item } = (await api.post(`${path}/${id}/ping`, {}, { as })).body;
    const before = await accountRows(api.app, as.account_id);
    const requests: [string, string, object?][] = [
      ['GET', `${path}/${id}`],
      ['PATCH', `${path}/${id}`, { name: 'Mine' }],
      ['DELETE', `${path}/${id}`],
      ['DELETE', path, { id }],
      ['DELETE', path, { url: uid }],
      ['POST', `${path}/${id}/rotate`],
      ['POST', `${path}/${id}/ping`],
      ['GET', `${path}/${id}/items`],
      ['POST', `${path}/${id}/items/${item.id}/retry`],
      ['GET', `${path}/${id}/attempts`],
    ];
    for (const [method, address, body] of requests) {
      const { status } = await api.send(method, address, { as: api.other, ...(body && { body }) });
      expect([method, address, status]).toEqual([method, address, 404]);
    }
    expect(await list(api.other)).toEqual([]);
    expect(await accountRows(api.app, as.account_id)).toEqual(before);
  });
});

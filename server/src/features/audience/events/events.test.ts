import { isId, timeOfId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const PLURAL = '/v3/observe/hooks/events';
const SINGULAR = '/v3/observe/hooks/event';
const unknownId = 'f'.repeat(24);
const json = { 'Content-Type': 'application/json' };
let count = 0;
const newUid = () => `user-${++count}`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

const send = (body: unknown, as: CreatedAccount = api.account) => api.post(PLURAL, body, { as });
async function track(body: object, as: CreatedAccount = api.account): Promise<string> {
  const { status, text, body: response } = await send(body, as);
  expect(text).toBe(`{"event":{"id":"${response.event?.id}"}}`);
  expect(status).toBe(200);
  return response.event.id;
}
async function saveProfile(body: object, as: CreatedAccount = api.account): Promise<string> {
  return (await api.post('/v3/observe/hooks/profiles', body, { as })).body.profile.id;
}
const find = (uid: string, as: CreatedAccount = api.account) =>
  api.get('/v3/analyze/profile', { query: `uid=${uid}`, as });

/** What is stored for a profile: there is no endpoint that lists it. */
async function eventsOf(profileId: string, { account_id }: CreatedAccount = api.account) {
  const rows = await api.app.storage
    .reader(account_id)
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('profile_id', '=', profileId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, custom }) => ({ id, name, custom }));
}
async function countsOf(profileId: string, { account_id }: CreatedAccount = api.account) {
  const rows = await api.app.storage
    .reader(account_id)
    .selectFrom('profile_events')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('profile_id', '=', profileId)
    .orderBy('name')
    .execute();
  return rows.map(({ name, count, first_at, last_at }) => ({ name, count, first_at, last_at }));
}
/** Expects a rejection with this message, and no change in the account. */
async function expectRejected(status: number, message: string, run: () => Promise<ApiResponse>): Promise<void> {
  await api.app.propertyRegistry.flush(api.account.account_id);
  const before = await accountRows(api.app, api.account.account_id);
  const response = await run();
  expect(response.body).toMatchObject({ code: status, messages: [expect.stringContaining(message)] });
  expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
}

describe.each([PLURAL, SINGULAR])('%s', (path) => {
  const ways: [string, (body: object) => Promise<ApiResponse>][] = [
    ['the header', (body) => api.post(path, body)],
    [
      'a parameter',
      (body) => api.post(path, body, { as: null, query: `account_secret=${api.account.account_secret}` }),
    ],
    ['the body', (body) => api.post(path, { ...body, account_secret: api.account.account_secret }, { as: null })],
    ['the path', (body) => api.post(path.replace('hooks', `hooks/${api.account.account_secret}`), body, { as: null })],
  ];

  it.each(ways)('returns the ID of the event with the secret in %s', async (_where, post) => {
    const uid = newUid();
    const { status, text, body } = await post({ uid, name: 'Report exported', format: 'pdf' });
    expect(status).toBe(200);
    expect(text).toBe(`{"event":{"id":"${body.event.id}"}}`);
    expect(isId(body.event.id)).toBe(true);
    const { id } = (await find(uid)).body.profile;
    expect(await eventsOf(id)).toEqual([{ id: body.event.id, name: 'report_exported', custom: { format: 'pdf' } }]);
  });

  it('requires a secret', async () => {
    expect((await api.post(path, { uid: newUid(), name: 'x' }, { as: null })).status).toBe(403);
    expect((await api.post(path.replace('hooks', 'hooks/nobody'), { uid: '1', name: 'x' }, { as: null })).status).toBe(
      403,
    );
  });

  it('requires a name', async () => {
    await expectRejected(422, '`name` is required', () => api.post(path, { uid: newUid() }));
  });
});

describe('event', () => {
  it('belongs to the profile with this id or uid', async () => {
    const uid = newUid();
    const id = await saveProfile({ uid });
    const events = [
      await track({ id, name: 'a' }),
      await track({ uid, name: 'b' }),
      await track({ id, uid, name: 'c' }),
    ];
    expect((await eventsOf(id)).map((event) => event.id)).toEqual(events);
  });

  it('creates a profile for an unknown uid', async () => {
    const uid = newUid();
    await track({ uid, name: 'Signed up', plan: 'pro' });
    const { profile } = (await find(uid)).body;
    expect(profile).toMatchObject({ uid, email: null });
    expect(profile).not.toHaveProperty('plan');
    expect(await eventsOf(profile.id)).toHaveLength(1);
  });

  it('creates no profile for an unknown id, or one of another account', async () => {
    const foreign = await saveProfile({ uid: newUid() }, api.other);
    for (const id of [unknownId, foreign])
      await expectRejected(404, 'no profile with this ID', () => send({ id, name: 'a' }));
  });

  it('is rejected with an id and a uid of different profiles', async () => {
    const [one, other] = [newUid(), newUid()];
    const id = await saveProfile({ uid: one });
    await saveProfile({ uid: other });
    await expectRejected(422, 'of different profiles', () => send({ id, uid: other, name: 'a' }));
  });

  it.each([{}, { email: 'ann@example.com' }, { UID: '1' }])(
    'is rejected without an id or a uid: %j',
    async (params) => {
      await expectRejected(422, '`uid` is required', () => send({ name: 'a', ...params }));
    },
  );

  it.each([undefined, null, '', '  ', '!?', 12, ['a'], 'n'.repeat(256), 'a\0'])(
    'is rejected with the name %j',
    async (name) => {
      await expectRejected(422, '`name`', () => send({ uid: newUid(), name }));
    },
  );

  it('reports all problems together', async () => {
    const { body } = await send({ name: '!', title: '\0' });
    expect(body.messages).toEqual([
      expect.stringContaining('`uid` is required'),
      expect.stringContaining('`name` must'),
      expect.stringContaining('`title` must'),
    ]);
  });

  it('belongs to the same user with a uid as a number and as text', async () => {
    const number = 70_000_000 + ++count;
    const id = await saveProfile({ uid: String(number) });
    await track({ uid: number, name: 'a' });
    expect(await eventsOf(id)).toHaveLength(1);
    await expectRejected(422, 'more digits than JSON keeps', () => send({ uid: 1e21, name: 'a' }));
  });

  it('stores its name in lower case with underscores', async () => {
    const uid = newUid();
    const id = await saveProfile({ uid });
    for (const name of ['Report Exported', 'reportExported', 'report-exported', 'REPORT_EXPORTED'])
      await track({ uid, name });
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(Array(4).fill('report_exported'));
    expect(await countsOf(id)).toMatchObject([{ name: 'report_exported', count: 4 }]);
  });

  it('stores all other keys as properties, normalized, without nulls', async () => {
    const uid = newUid();
    const id = await saveProfile({ uid });
    await track({
      uid,
      name: 'a',
      fileSize: '12',
      'Is Draft': 'true',
      startedAt: 1870258680,
      tags: ['x', null, { y: 1 }],
      in: { a: { b: { c: { d: 1 } } } },
      long: 'é'.repeat(500),
      gone: null,
      email: 'ann@example.com',
      created_at: '2029-04-07',
      Name: 'other',
      ID: '1',
    });
    const [event] = await eventsOf(id);
    expect(event?.custom).toEqual({
      file_size: 12,
      is_draft: true,
      started_at: '2029-04-07T12:18:00.000Z',
      tags: ['x'],
      in: { a: { b: {} } },
      long: 'é'.repeat(384),
      email: 'ann@example.com',
    });
    expect((await find(uid)).body.profile.email).toBe(null);
  });

  it('accepts properties with the names of built-in object members', async () => {
    const uid = newUid();
    const id = await saveProfile({ uid });
    const text = `{"uid":"${uid}","name":"a","__proto__":{"polluted":true},"constructor":1}`;
    expect((await api.post(PLURAL, text, { headers: json })).status).toBe(200);
    const [event] = await eventsOf(id);
    expect(Object.keys(event?.custom ?? {}).sort()).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
  });

  it.each([
    ['a NUL', '"plan":"\\u0000"', '`plan` must be valid Unicode'],
    ['half a pair', '"plan":"\\udc00"', '`plan` must be valid Unicode'],
    ['1e999', '"plan":1e999', '`plan` is a number that is too large'],
    ['a key of 256 characters', `"${'k'.repeat(256)}":1`, 'is longer than 255 characters'],
  ])('is rejected with %s', async (_what, member, message) => {
    const text = `{"uid":"${newUid()}","name":"a",${member}}`;
    await expectRejected(422, message, () => api.post(PLURAL, text, { headers: json }));
  });

  it('is rejected when its properties exceed 128 KB', async () => {
    const large = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key_${index}`, 'x'.repeat(700)]));
    await expectRejected(422, 'more than 128 KB', () => send({ uid: newUid(), name: 'a', ...large }));
  });

  it('is counted for its profile, with the first and last time', async () => {
    const uid = newUid();
    const id = await saveProfile({ uid });
    const events = [
      await track({ uid, name: 'opened' }),
      await track({ uid, name: 'closed' }),
      await track({ uid, name: 'Opened' }),
      await track({ uid, name: 'opened' }),
    ].map(timeOfId);
    expect(await countsOf(id)).toEqual([
      { name: 'closed', count: 1, first_at: events[1], last_at: events[1] },
      { name: 'opened', count: 3, first_at: events[0], last_at: events[3] },
    ]);
  });

  it('does not change the profile', async () => {
    const uid = newUid();
    await saveProfile({ uid, plan: 'pro', company_uid: 'acme' });
    const before = (await find(uid)).body;
    await track({ uid, name: 'opened', plan: 'basic' });
    expect((await find(uid)).body).toEqual(before);
  });

  it('is counted when many come at the same time', async () => {
    const as = await newAccount();
    const names = ['opened', 'closed'];
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) => track({ uid: `u${index % 3}`, name: names[index % 2], index }, as)),
    );
    expect(new Set(ids).size).toBe(60);
    for (const uid of ['u0', 'u1', 'u2']) {
      const { id } = (await find(uid, as)).body.profile;
      expect(await eventsOf(id, as)).toHaveLength(20);
      expect((await countsOf(id, as)).map(({ name, count }) => [name, count])).toEqual([
        ['closed', 10],
        ['opened', 10],
      ]);
    }
  });

  it('creates one profile for 20 events of one unknown uid', async () => {
    const as = await newAccount();
    await Promise.all(Array.from({ length: 20 }, () => track({ uid: 'one', name: 'opened' }, as)));
    expect((await api.get('/v3/analyze/profiles/count', { as })).body).toEqual({ count: 1 });
    const { id } = (await find('one', as)).body.profile;
    expect(await countsOf(id, as)).toMatchObject([{ name: 'opened', count: 20 }]);
  });

  it('rejects only the wrong ones of many that come at the same time', async () => {
    const as = await newAccount();
    const id = await saveProfile({ uid: 'known' }, as);
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        if (n % 4 === 1) return send({ id: unknownId, name: 'opened' }, as);
        if (n % 4 === 2) return send({ id, uid: `new-${n}`, name: 'opened' }, as);
        return send({ uid: n % 4 === 0 ? 'known' : `new-${n}`, name: 'opened' }, as);
      }),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toEqual(responses.map((_, n) => [200, 404, 422, 200][n % 4]));
    expect(await countsOf(id, as)).toMatchObject([{ name: 'opened', count: 10 }]);
    expect((await api.get('/v3/analyze/profiles/count', { as })).body).toEqual({ count: 11 });
  });

  it('shares a transaction with others that come at the same time', async () => {
    const as = await newAccount();
    await track({ uid: 'one', name: 'opened' }, as);
    const write = vi.spyOn(api.app.storage, 'write');
    onTestFinished(() => write.mockRestore());
    await Promise.all(Array.from({ length: 60 }, (_, n) => track({ uid: 'one', name: 'opened', n }, as)));
    expect(write.mock.calls.filter(([id]) => id === as.account_id).length).toBeLessThan(30);
  });
});

describe('single event with an idempotency key', () => {
  it('counts once when it is sent again, and returns the ID of the first', async () => {
    const event = { uid: newUid(), name: 'Report exported', format: 'pdf', idempotency_key: 'export-1' };
    const profile = await saveProfile({ uid: event.uid });
    const id = await track(event);
    expect(await track({ ...event, format: 'csv' })).toBe(id);
    expect((await api.post(SINGULAR, event)).body.event.id).toBe(id);
    expect(await eventsOf(profile)).toEqual([{ id, name: 'report_exported', custom: { format: 'pdf' } }]);
    expect(await countsOf(profile)).toMatchObject([{ name: 'report_exported', count: 1 }]);
    await track({ ...event, idempotency_key: 'export-2' });
    await track({ uid: event.uid, name: event.name });
    await track({ ...event, uid: newUid() });
    expect(await countsOf(profile)).toMatchObject([{ name: 'report_exported', count: 3 }]);
  });

  it('is one with the event of a batch that has its key', async () => {
    const event = { uid: newUid(), name: 'Report exported', idempotency_key: 'export-3' };
    const profile = await saveProfile({ uid: event.uid });
    const id = await track(event);
    expect((await api.post(`${PLURAL}/batch`, { events: [event] })).body.errors).toBeUndefined();
    expect(await eventsOf(profile)).toMatchObject([{ id }]);
  });

  it.each([12, null, '', 'x'.repeat(65), ['a']])('is rejected when the key is %j', async (idempotency_key) => {
    await expectRejected(422, '`idempotency_key` ', () => send({ uid: newUid(), name: 'a', idempotency_key }));
  });
});

import { isId } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const ONE = '/v3/observe/hooks/companies';
const MANY = '/v3/observe/hooks/companies/batch';
const unknownId = 'f'.repeat(24);
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
let count = 0;
const newUid = () => `company-${++count}`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

const send = (body: unknown, as: CreatedAccount = api.account) => api.post(ONE, body, { as });
async function save(body: object, as: CreatedAccount = api.account): Promise<string> {
  const { status, text, body: response } = await send(body, as);
  expect(text).toBe(`{"company":{"id":"${response.company?.id}"}}`);
  expect(status).toBe(200);
  return response.company.id;
}
const sendMany = (companies: unknown, more: object = {}, as: CreatedAccount = api.account) =>
  api.post(MANY, { companies, ...more }, { as });
const find = (uid: string, as: CreatedAccount = api.account) =>
  api.get('/v3/analyze/company', { query: new URLSearchParams({ uid }).toString(), as });
async function show(uid: string, as: CreatedAccount = api.account) {
  const { status, body } = await find(uid, as);
  expect(status).toBe(200);
  return body.company;
}
/** Only the custom properties. */
async function customOf(uid: string, as: CreatedAccount = api.account): Promise<Record<string, unknown>> {
  const { id: _id, uid: _uid, created_at: _created, updated_at: _updated, ...custom } = await show(uid, as);
  return custom;
}
async function countCompanies(as: CreatedAccount): Promise<number> {
  return (await accountRows(api.app, as.account_id)).companies?.length ?? 0;
}
async function backdate(uid: string): Promise<string> {
  const { account_id } = api.account;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('companies')
      .set({ updated_at: 1000 })
      .where('account_id', '=', account_id)
      .where('uid', '=', uid)
      .execute(),
  );
  return '1970-01-01T00:00:01.000Z';
}
/** Expects that a request is rejected with this message and changes nothing. */
async function expectRefused(status: number, message: string, run: () => Promise<ApiResponse>): Promise<void> {
  await api.app.propertyRegistry.flush(api.account.account_id);
  const before = await accountRows(api.app, api.account.account_id);
  const response = await run();
  expect(response.body).toMatchObject({ code: status, messages: [expect.stringContaining(message)] });
  expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
}
const errorOf = (code: number, index: number, message: string) => ({
  code,
  index,
  message: expect.stringContaining(message),
});

describe('the secret', () => {
  const ways: [string, (path: string, body: object) => Promise<ApiResponse>][] = [
    ['the header', (path, body) => api.post(path, body)],
    [
      'a parameter',
      (path, body) => api.post(path, body, { as: null, query: `account_secret=${api.account.account_secret}` }),
    ],
    ['the body', (path, body) => api.post(path, { ...body, account_secret: api.account.account_secret }, { as: null })],
    [
      'the path',
      (path, body) => api.post(path.replace('hooks', `hooks/${api.account.account_secret}`), body, { as: null }),
    ],
  ];

  it.each(ways)('accepts the secret of a company in %s', async (_where, post) => {
    const uid = newUid();
    const { status, body } = await post(ONE, { uid, plan: 'pro' });
    expect(status).toBe(200);
    expect(body).toEqual({ company: { id: (await show(uid)).id } });
    expect(await customOf(uid)).toEqual({ plan: 'pro' });
  });

  it.each(ways)('accepts the secret of a batch in %s', async (_where, post) => {
    const uid = newUid();
    const { status, body } = await post(MANY, { companies: [{ uid, plan: 'pro' }] });
    expect(status).toBe(202);
    expect(body).toEqual({ batch: { id: expect.any(String) } });
    expect(await customOf(uid)).toEqual({ plan: 'pro' });
  });
});

describe('a company', () => {
  it('creates a Company for an unknown uid, and finds it by id or uid', async () => {
    const uid = newUid();
    const id = await save({ uid, a: 1, b: 1 });
    expect(isId(id)).toBe(true);
    const { created_at, updated_at, ...rest } = await show(uid);
    expect(rest).toEqual({ id, uid, a: 1, b: 1 });
    expect(updated_at).toBe(created_at);
    expect(await save({ id, a: 2 })).toBe(id);
    expect(await save({ uid, b: 2 })).toBe(id);
    expect(await save({ id, uid, c: 2 })).toBe(id);
    expect(await customOf(uid)).toEqual({ a: 2, b: 2, c: 2 });
  });

  it('creates no Company for an unknown id or one of another account', async () => {
    const foreign = await save({ uid: newUid() }, api.other);
    for (const id of [unknownId, foreign])
      await expectRefused(404, 'no Company with this ID', () => send({ id, plan: 1 }));
  });

  it('rejects an id and a uid of different Companies', async () => {
    const [one, other] = [newUid(), newUid()];
    const id = await save({ uid: one });
    await save({ uid: other });
    await expectRefused(422, 'of different Companies', () => send({ id, uid: other, plan: 'pro' }));
  });

  it.each([{}, { name: 'Acme' }, { Uid: '1' }])('requires an id or a uid, which %j does not have', async (params) => {
    await expectRefused(422, '`uid` is required', () => send(params));
  });

  it.each([
    ['id', 'nonsense'],
    ['uid', null],
    ['uid', ''],
    ['uid', true],
    ['uid', ['a']],
    ['uid', 1e21],
    ['uid', 'u'.repeat(256)],
  ])('rejects an invalid %s %#', async (name, value) => {
    await expectRefused(422, `\`${name}\``, () => send({ uid: newUid(), [name]: value }));
  });

  it('stores the uid unchanged, and treats a number and its text the same', async () => {
    const as = await newAccount();
    const id = await save({ uid: 931 }, as);
    expect(await save({ uid: '931' }, as)).toBe(id);
    expect((await show('931', as)).uid).toBe('931');
    for (const uid of ['0931', 'true', ' x ', '2029-04-07']) {
      expect(await save({ uid }, as)).not.toBe(id);
      expect((await show(uid, as)).uid).toBe(uid);
    }
  });

  it('stores all other keys as normalized properties, and removes one with null', async () => {
    const uid = newUid();
    await save({
      uid,
      'Plan Name': 'pro',
      seatCount: '12',
      isPaid: 'true',
      renewsAt: 1870258680,
      tags: ['a', null, { b: 1 }],
      address: { zipCode: '12', a: { b: { c: { d: 1 } } } },
      long: 'é'.repeat(500),
      email: 'sales@example.com',
    });
    const expected = {
      plan_name: 'pro',
      seat_count: 12,
      is_paid: true,
      renews_at: '2029-04-07T12:18:00.000Z',
      tags: ['a'],
      address: { zip_code: 12, a: { b: {} } },
      long: 'é'.repeat(384),
      email: 'sales@example.com',
    };
    expect(await customOf(uid)).toEqual(expected);
    await save({ uid, planName: null, nobody: null });
    const { plan_name: _, ...rest } = expected;
    expect(await customOf(uid)).toEqual(rest);
  });

  it('rejects reserved names in any spelling', async () => {
    const uid = newUid();
    await save({ uid });
    const before = await show(uid);
    await save({ uid, ID: 1, createdAt: 1, 'Updated At': 1, account_id: 1, accountSecret: 1 });
    expect(await show(uid)).toEqual(before);
  });

  it('accepts names of built-in object members', async () => {
    const uid = newUid();
    const text = `{"uid":"${uid}","__proto__":{"polluted":true},"constructor":1}`;
    expect((await api.post(ONE, text, { headers: json })).status).toBe(200);
    const custom = await customOf(uid);
    expect(Object.getOwnPropertyDescriptor(custom, '__proto__')?.value).toEqual({ polluted: true });
    expect(Object.keys(custom).sort()).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
  });

  it.each([
    ['a NUL', '"plan":"\\u0000"', '`plan` must be valid Unicode'],
    ['half a pair', '"plan":"\\udc00"', '`plan` must be valid Unicode'],
    ['1e999', '"plan":1e999', '`plan` is a number that is too large'],
    ['a key of 256 characters', `"${'k'.repeat(256)}":1`, 'is longer than 255 characters'],
  ])('rejects %s', async (_what, member, message) => {
    const uid = newUid();
    await expectRefused(422, message, () => api.post(ONE, `{"uid":"${uid}","seats":1,${member}}`, { headers: json }));
  });

  it('rejects properties of more than 128 KB', async () => {
    const uid = newUid();
    const large = (start: string) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${start}_${index}`, 'x'.repeat(700)]));
    await save({ uid, ...large('first') });
    await expectRefused(422, 'more than 128 KB', () => send({ uid, ...large('second') }));
  });

  it('updates updated_at only when something changes', async () => {
    const uid = newUid();
    const params = { plan: 'pro', list: [1, 2], in: { a: 1, b: 2 } };
    await save({ uid, ...params });
    const before = await backdate(uid);
    for (const same of [{}, params, { in: { b: 2, a: 1 } }, { nobody: null }, { createdAt: 1 }])
      await save({ uid, ...same });
    expect((await show(uid)).updated_at).toBe(before);
    for (const change of [{ plan: 'basic' }, { seats: 1 }, { list: [2, 1] }, { plan: null }]) {
      await backdate(uid);
      await save({ uid, ...change });
      expect((await show(uid)).updated_at).not.toBe(before);
    }
  });
});

describe('a batch', () => {
  it('returns 202 with only its ID when every item is valid', async () => {
    const { status, text, body } = await sendMany([{ uid: newUid() }, { uid: newUid() }]);
    expect(status).toBe(202);
    expect(isId(body.batch.id)).toBe(true);
    expect(text).toBe(`{"batch":{"id":"${body.batch.id}"}}`);
  });

  it('stores valid items, and returns the index and the error of each invalid one', async () => {
    const [known, one, other] = [newUid(), newUid(), newUid()];
    const id = await save({ uid: known });
    const { status, body } = await sendMany([
      { uid: one, plan: 'a' },
      { plan: 'nobody' },
      { id: unknownId },
      { id, uid: one },
      'text',
      { uid: newUid(), plan: '\0' },
      { uid: other, plan: 'b' },
      { id, plan: 'c' },
    ]);
    expect(status).toBe(202);
    expect(body).toEqual({
      batch: { id: expect.any(String) },
      errors: [
        errorOf(422, 1, '`uid` is required'),
        errorOf(404, 2, 'no Company with this ID'),
        errorOf(422, 3, 'of different Companies'),
        errorOf(422, 4, 'must be the company'),
        errorOf(422, 5, '`plan` must be valid Unicode'),
      ],
    });
    for (const [uid, plan] of [
      [one, 'a'],
      [other, 'b'],
      [known, 'c'],
    ] as const)
      expect((await show(uid)).plan).toBe(plan);
  });

  it('creates missing records, or ignores them with on_model_missing=ignore', async () => {
    const as = await newAccount();
    const known = newUid();
    await save({ uid: known }, as);
    const companies = [{ uid: known, plan: 'pro' }, { uid: newUid() }, { id: unknownId }];
    const ignored = await sendMany(companies, { on_model_missing: 'ignore' }, as);
    expect(ignored.body).toEqual({ batch: { id: expect.any(String) } });
    expect((await show(known, as)).plan).toBe('pro');
    expect(await countCompanies(as)).toBe(1);
    const made = await sendMany(companies, {}, as);
    expect(made.body.errors).toEqual([errorOf(404, 2, 'no Company')]);
    expect(await countCompanies(as)).toBe(2);
  });

  it.each([{}, { companies: null }, { companies: 'text' }, { companies: {} }, { profiles: [] }])(
    'requires a list of companies, which %j does not have',
    async (params) => {
      await expectRefused(422, '`companies` is required: give a list', () => api.post(MANY, params));
    },
  );

  it('rejects broken JSON as a whole', async () => {
    await expectRefused(422, 'not valid JSON', () => api.post(MANY, '{"companies":[{"uid":"a"},}', { headers: json }));
  });

  it('accepts a form', async () => {
    const uid = newUid();
    const body = `companies[0][uid]=${uid}&companies[0][seatCount]=12`;
    expect((await api.post(MANY, body, { headers: form })).status).toBe(202);
    expect(await customOf(uid)).toEqual({ seat_count: 12 });
  });

  it('merges the items of one uid in their order', async () => {
    const uid = newUid();
    await sendMany([
      { uid, a: 1, b: 1, c: 1 },
      { uid, b: 2 },
      { uid, c: null },
    ]);
    expect(await customOf(uid)).toEqual({ a: 1, b: 2 });
  });

  it('stores 2,000 items in chunks', async () => {
    const as = await newAccount();
    const companies: object[] = Array.from({ length: 2000 }, (_, index) => ({ uid: `c${index}`, at: index }));
    companies[1500] = {};
    const { body } = await sendMany(companies, {}, as);
    expect(body.errors).toEqual([errorOf(422, 1500, '`uid` is required')]);
    expect(await countCompanies(as)).toBe(1999);
    expect((await show('c1999', as)).at).toBe(1999);
  });
});

describe('concurrent writes', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index);

  it('creates one Company from 20 concurrent changes of one uid', async () => {
    const as = await newAccount();
    const ids = await Promise.all(twenty.map((index) => save({ uid: 'one', [`key_${index}`]: index }, as)));
    expect(new Set(ids).size).toBe(1);
    expect(await countCompanies(as)).toBe(1);
    expect(await customOf('one', as)).toEqual(Object.fromEntries(twenty.map((index) => [`key_${index}`, index])));
  });

  it('loses nothing in concurrent batches of the same Companies', async () => {
    const as = await newAccount();
    const uids = Array.from({ length: 300 }, (_, index) => index);
    const orders = [uids, [...uids].reverse(), uids];
    const responses = await Promise.all(
      orders.map((order, at) =>
        sendMany(
          order.map((uid) => ({ uid, [`batch_${at}`]: uid })),
          {},
          as,
        ),
      ),
    );
    expect(responses.map(({ status, body }) => [status, body.errors])).toEqual(orders.map(() => [202, undefined]));
    expect(await countCompanies(as)).toBe(300);
    for (const uid of [0, 150, 299])
      expect(await customOf(String(uid), as)).toEqual({ batch_0: uid, batch_1: uid, batch_2: uid });
  });
});

import { connect, type Socket } from 'node:net';
import { isId } from '@usher/domain';
import fc from 'fast-check';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { randomRuns } from '../../../../../domain/test/random-runs.ts';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { openDomain, visit } from '../../../../test/visiting.ts';
import { MAX_BATCH_BYTES } from '../../../batches/worker-messages.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const ONE = '/v3/observe/hooks/profiles';
const MANY = '/v3/observe/hooks/profiles/batch';
const unknownId = 'f'.repeat(24);
const backdated = '1970-01-01T00:00:01.000Z';
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
let count = 0;
const newUid = () => `user-${++count}`;
const newEmail = () => `user-${++count}@example.com`;
const newAccount = () => createAccount(api.app, { name: 'Fresh', email: `fresh${++count}@acme.test` });

const send = (body: unknown, as: CreatedAccount = api.account) => api.post(ONE, body, { as });
const sendText = (body: string) => api.post(ONE, body, { headers: json });
async function save(body: object, as: CreatedAccount = api.account): Promise<string> {
  const { status, text, body: response } = await send(body, as);
  expect(text).toBe(`{"profile":{"id":"${response.profile?.id}"}}`);
  expect(status).toBe(200);
  return response.profile.id;
}
const sendMany = (profiles: unknown, more: object = {}, as: CreatedAccount = api.account) =>
  api.post(MANY, { profiles, ...more }, { as });
/** Sends a valid batch. */
async function saveMany(profiles: object[], as: CreatedAccount = api.account): Promise<void> {
  const { status, body } = await sendMany(profiles, {}, as);
  expect(body).toEqual({ batch: { id: expect.any(String) } });
  expect(status).toBe(202);
}
const find = (query: Record<string, string>, as: CreatedAccount = api.account) =>
  api.get('/v3/analyze/profile', { query: new URLSearchParams(query).toString(), as });
async function show(uid: string, as: CreatedAccount = api.account) {
  const { status, body } = await find({ uid, 'expand[company]': 'all' }, as);
  expect(status).toBe(200);
  return body.profile;
}
async function countProfiles(as: CreatedAccount): Promise<number> {
  return (await api.get('/v3/analyze/profiles/count', { as })).body.count;
}
const ownKeys = new Set([
  'anonymous',
  ...['id', 'created_at', 'updated_at', 'uid', 'email', 'company_id', 'company', 'percent', 'delivery_ids'],
  ...['browser_x', 'browser_tz', 'browser_l', 'browser_n', 'browser_k'],
  ...['last_seen_at', 'last_seen_session_count', 'last_cleared_at'],
]);
/** Only the custom properties. */
async function customOf(uid: string, as: CreatedAccount = api.account): Promise<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(await show(uid, as)).filter(([key]) => !ownKeys.has(key)));
}
async function backdate(uid: string): Promise<void> {
  const { account_id } = api.account;
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('profiles')
      .set({ updated_at: 1000 })
      .where('account_id', '=', account_id)
      .where('uid', '=', uid)
      .execute(),
  );
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

  it.each(ways)('accepts the secret of a profile in %s', async (_where, post) => {
    const uid = newUid();
    const { status, body } = await post(ONE, { uid, plan: 'pro' });
    expect(status).toBe(200);
    expect(body).toEqual({ profile: { id: (await show(uid)).id } });
    expect(await customOf(uid)).toEqual({ plan: 'pro' });
  });

  it.each(ways)('accepts the secret of a batch in %s', async (_where, post) => {
    const uid = newUid();
    const { status, body } = await post(MANY, { profiles: [{ uid, plan: 'pro' }] });
    expect(status).toBe(202);
    expect(body).toEqual({ batch: { id: expect.any(String) } });
    expect(await customOf(uid)).toEqual({ plan: 'pro' });
  });

  it.each([ONE, MANY, ONE.replace('hooks', 'hooks/nobody'), MANY.replace('hooks', 'hooks/nobody')])(
    'requires the secret on %s',
    async (path) => {
      const { status } = await api.post(path, { uid: newUid(), profiles: [] }, { as: null });
      expect(status).toBe(403);
    },
  );
});

describe('a profile', () => {
  it('creates a profile with every field for an unknown uid', async () => {
    const uid = newUid();
    const id = await save({ uid, email: 'Ann@Example.com', plan: 'pro' });
    expect(isId(id)).toBe(true);
    const { created_at, updated_at, percent, ...rest } = await show(uid);
    expect(updated_at).toBe(created_at);
    expect(percent).toBeGreaterThanOrEqual(0);
    expect(percent).toBeLessThanOrEqual(100);
    expect(rest).toEqual({
      id,
      uid,
      email: 'Ann@Example.com',
      browser_x: null,
      browser_tz: null,
      browser_l: null,
      browser_n: null,
      browser_k: null,
      last_seen_at: null,
      last_seen_session_count: 0,
      delivery_ids: [],
      last_cleared_at: null,
      plan: 'pro',
    });
  });

  it('finds a profile by id, uid or email, and keeps what is left out', async () => {
    const [uid, email] = [newUid(), newEmail()];
    const id = await save({ uid, email, a: 1, b: 1, c: 1 });
    expect(await save({ id, a: 2 })).toBe(id);
    expect(await save({ uid, b: 2 })).toBe(id);
    expect(await save({ email, c: 2 })).toBe(id);
    expect(await save({ id, uid, email, d: 2 })).toBe(id);
    expect(await show(uid)).toMatchObject({ id, uid, email, a: 2, b: 2, c: 2, d: 2 });
  });

  it('creates no profile for an unknown id', async () => {
    await expectRefused(404, 'no profile with this ID', () => send({ id: unknownId, plan: 'pro' }));
    await expectRefused(404, 'no profile with this ID', () => send({ id: unknownId, uid: newUid(), plan: 'pro' }));
  });

  it('creates no profile for an unknown email', async () => {
    await expectRefused(404, 'no profile with this email', () => send({ email: newEmail(), plan: 'pro' }));
  });

  it('does not find profiles of another account', async () => {
    const [uid, email] = [newUid(), newEmail()];
    const id = await save({ uid, email }, api.other);
    await expectRefused(404, 'no profile with this ID', () => send({ id }));
    await expectRefused(404, 'no profile with this email', () => send({ email }));
    expect(await save({ uid, email })).not.toBe(id);
    expect(await show(uid, api.other)).toMatchObject({ id, email });
  });

  it('rejects an id and a uid of different profiles', async () => {
    const [one, other] = [newUid(), newUid()];
    const id = await save({ uid: one });
    await save({ uid: other });
    const message = '`id` and `uid` are of different profiles';
    await expectRefused(422, message, () => send({ id, uid: other, plan: 'pro' }));
    await expectRefused(422, message, () => send({ id, uid: newUid(), plan: 'pro' }));
  });

  it.each([{}, { plan: 'pro' }, { email: null }, { Uid: '1', EMAIL: 'ann@example.com' }])(
    'requires an id, a uid or an email, which %j does not have',
    async (params) => {
      await expectRefused(422, '`uid` is required', () => send(params));
    },
  );

  it.each([
    ['id', 'nonsense'],
    ['id', null],
    ['id', 12],
    ['uid', null],
    ['uid', ''],
    ['uid', '   '],
    ['uid', true],
    ['uid', ['a']],
    ['uid', { a: 1 }],
    ['uid', 'u'.repeat(256)],
    ['uid', 'a\0'],
    ['email', 'e'.repeat(256)],
    ['email', ['a@example.com', 'b@example.com']],
    ['email', true],
    ['company', 'Acme'],
    ['company_id', 'nonsense'],
    ['company_uid', ['a']],
  ])('rejects an invalid %s %#', async (name, value) => {
    await expectRefused(422, `\`${name}\``, () => send({ uid: newUid(), [name]: value }));
  });

  it('treats a uid as a number and as a text the same', async () => {
    const number = 90_000_000 + ++count;
    const id = await save({ uid: number });
    expect(await save({ uid: String(number), plan: 'pro' })).toBe(id);
    expect((await show(String(number))).uid).toBe(String(number));
    expect(await save({ uid: number + 0.5 })).not.toBe(id);
    expect((await show(`${number}.5`)).uid).toBe(`${number}.5`);
  });

  it.each(['12345678901234567890', '1e21', '9007199254740993', '1e999'])(
    'rejects the number %s as a uid, because JSON does not keep its digits',
    async (digits) => {
      await expectRefused(422, '`uid` is a number with more digits than JSON keeps', () =>
        sendText(`{"uid":${digits}}`),
      );
    },
  );

  it.each([
    '007',
    '7',
    '+7',
    '7.0',
    '12345678901234567890',
    'true',
    'null',
    '2029-04-07',
    ' x ',
    'ÄÖ 用户 😀',
    "';--",
    '1e3',
  ])('stores the uid and the email %j unchanged', async (text) => {
    const as = await newAccount();
    const id = await save({ uid: text, email: text }, as);
    expect(await show(text, as)).toMatchObject({ id, uid: text, email: text });
    expect(await save({ email: text }, as)).toBe(id);
  });

  it('distinguishes capitals in a uid', async () => {
    const uid = newUid();
    expect(await save({ uid: uid.toUpperCase() })).not.toBe(await save({ uid }));
  });

  it('ignores capitals in an email, and stores the last spelling', async () => {
    const [uid, email] = [newUid(), newEmail()];
    const id = await save({ uid, email });
    expect(await save({ email: email.toUpperCase(), plan: 'pro' })).toBe(id);
    expect(await show(uid)).toMatchObject({ email: email.toUpperCase(), plan: 'pro' });
    expect((await find({ email: email.replace('user', 'User') })).body.profile.id).toBe(id);
  });

  it('loses its email to the latest claim, and keeps everything else', async () => {
    const [first, second, email] = [newUid(), newUid(), newEmail()];
    const id = await save({ uid: first, email, plan: 'pro', company_uid: 'kept' });
    await backdate(first);
    await save({ uid: second, email: email.toUpperCase() });
    expect(await show(first)).toMatchObject({ id, email: null, plan: 'pro', company: { uid: 'kept' } });
    expect((await show(first)).updated_at).not.toBe(backdated);
    expect((await show(second)).email).toBe(email.toUpperCase());
    await save({ id, email });
    expect((await show(first)).email).toBe(email);
    expect((await show(second)).email).toBe(null);
  });

  it.each([null, ''])('removes the email with %j', async (nothing) => {
    const [uid, email] = [newUid(), newEmail()];
    await save({ uid, email });
    await save({ uid, email: nothing });
    expect((await show(uid)).email).toBe(null);
    expect((await find({ email })).status).toBe(404);
  });

  it('accepts a form', async () => {
    const uid = newUid();
    const body = `uid=${uid}&userRole=admin&seats=12&company[uid]=form&company[Plan]=pro&tags[]=a&tags[]=2&email=`;
    expect((await api.post(ONE, body, { headers: form })).status).toBe(200);
    expect(await show(uid)).toMatchObject({ email: null, company: { uid: 'form', plan: 'pro' } });
    expect(await customOf(uid)).toEqual({ user_role: 'admin', seats: 12, tags: ['a', 2] });
  });
});

describe('the Company of a profile', () => {
  const addCompany = async (uid: string, as = api.account): Promise<string> =>
    (await api.post('/v3/observe/hooks/companies', { uid, plan: 'basic' }, { as })).body.company.id;

  it('sets the Company by company_id', async () => {
    const [uid, companyUid] = [newUid(), newUid()];
    const id = await addCompany(companyUid);
    await save({ uid, company_id: id });
    expect(await show(uid)).toMatchObject({ company_id: id, company: { id, uid: companyUid, plan: 'basic' } });
  });

  it('sets the Company by company_uid, and creates it if unknown', async () => {
    const [uid, known, unknown] = [newUid(), newUid(), newUid()];
    const id = await addCompany(known);
    await save({ uid, company_uid: known });
    expect((await show(uid)).company_id).toBe(id);
    await save({ uid, company_uid: unknown });
    const { company, company_id } = await show(uid);
    expect(company).toMatchObject({ id: company_id, uid: unknown });
    expect((await api.get('/v3/analyze/company', { query: `uid=${unknown}` })).body.company.id).toBe(company_id);
  });

  it('sets the Company by company, creates it if unknown, and stores its properties', async () => {
    const [uid, companyUid] = [newUid(), newUid()];
    await save({ uid, company: { uid: companyUid, 'Plan Name': 'pro', seats: '12', createdAt: 1 } });
    const { company } = await show(uid);
    const { id, created_at, updated_at, ...rest } = company;
    expect(rest).toEqual({ uid: companyUid, plan_name: 'pro', seats: 12 });
    await save({ uid, company: { id, seats: null, region: 'eu' } });
    expect((await show(uid)).company).toMatchObject({ id, plan_name: 'pro', region: 'eu' });
    expect((await show(uid)).company).not.toHaveProperty('seats');
  });

  it('treats a uid as a number and as a text the same', async () => {
    const [uid, number] = [newUid(), 80_000_000 + ++count];
    const id = await addCompany(String(number));
    await save({ uid, company: { uid: number } });
    expect((await show(uid)).company_id).toBe(id);
    await save({ uid, company_uid: number });
    expect((await show(uid)).company_id).toBe(id);
  });

  it.each(['company', 'company_id', 'company_uid'])('removes the Company with null as %s', async (name) => {
    const uid = newUid();
    await save({ uid, company_uid: 'to leave' });
    await save({ uid, [name]: null });
    const profile = await show(uid);
    expect(profile).not.toHaveProperty('company');
    expect(profile).not.toHaveProperty('company_id');
  });

  it('keeps the Company when it is left out', async () => {
    const uid = newUid();
    await save({ uid, company_uid: 'stays' });
    await save({ uid, plan: 'pro' });
    expect((await show(uid)).company.uid).toBe('stays');
  });

  it('rejects contradicting Companies', async () => {
    const [one, other] = [newUid(), newUid()];
    const id = await addCompany(one);
    await addCompany(other);
    const params: [object, string][] = [
      [{ company_uid: one, company: { uid: other } }, 'say different things'],
      [{ company_id: id, company: { id: unknownId } }, 'say different things'],
      [{ company_uid: one, company: null }, 'say different things'],
      [{ company_id: id, company_uid: other }, 'of different Companies'],
      [{ company: { id, uid: other } }, 'of different Companies'],
      [{ company: { plan: 'pro' } }, '`company.uid` is required'],
    ];
    for (const [body, message] of params)
      await expectRefused(422, message, () => send({ uid: newUid(), plan: 'pro', ...body }));
  });

  it('creates neither Company nor profile for an unknown Company id', async () => {
    const foreign = await addCompany(newUid(), api.other);
    for (const company_id of [unknownId, foreign]) {
      await expectRefused(404, 'no Company with this ID', () => send({ uid: newUid(), company_id }));
      await expectRefused(404, 'no Company with this ID', () => send({ uid: newUid(), company: { id: company_id } }));
    }
  });
});

describe('custom properties', () => {
  it('stores all other keys, of any type', async () => {
    const uid = newUid();
    const custom = {
      text: 'Ann',
      number: -1.5,
      whole: 12,
      yes: true,
      no: false,
      list: ['a', 1, true],
      in: { a: { b: [1] } },
    };
    await save({ uid, ...custom });
    expect(await customOf(uid)).toEqual(custom);
  });

  it('normalizes keys to lower case with underscores', async () => {
    const uid = newUid();
    await save({
      uid,
      userRole: 1,
      'Seat Count': 2,
      'api-key': 3,
      HTMLTitle: 4,
      größe: 5,
      'a.b/c': 6,
      in: { myKey: 7 },
    });
    expect(await customOf(uid)).toEqual({
      user_role: 1,
      seat_count: 2,
      api_key: 3,
      html_title: 4,
      größe: 5,
      a_b_c: 6,
      in: { my_key: 7 },
    });
    for (const [at, name] of ['userRole', 'User Role', 'user-role', 'USER_ROLE'].entries()) {
      await save({ uid, [name]: `role ${at}` });
      expect((await show(uid)).user_role).toBe(`role ${at}`);
    }
  });

  it('converts texts of numbers to numbers', async () => {
    const uid = newUid();
    await save({
      uid,
      a: '12',
      b: '-1.5',
      c: '0',
      d: '007',
      e: '+1',
      f: '12345678901234567890',
      g: '11.9932e5',
      h: '',
    });
    expect(await customOf(uid)).toEqual({
      a: 12,
      b: -1.5,
      c: 0,
      d: '007',
      e: '+1',
      f: '12345678901234567890',
      g: 1199320,
      h: '',
    });
  });

  it('converts true and false to booleans', async () => {
    const uid = newUid();
    await save({ uid, a: 'true', b: 'false', c: 'TRUE', d: 'yes' });
    expect(await customOf(uid)).toEqual({ a: true, b: false, c: 'TRUE', d: 'yes' });
  });

  it('converts ISO 8601 texts to timestamps', async () => {
    const uid = newUid();
    await save({ uid, a: '2029-04-07', b: '2029-04-07T12:18:00+02:00', c: '2029-02-30' });
    expect(await customOf(uid)).toEqual({
      a: '2029-04-07T00:00:00.000Z',
      b: '2029-04-07T10:18:00.000Z',
      c: '2029-02-30',
    });
  });

  it.each(['profiles', 'profiles/batch', 'companies', 'companies/batch', 'events', 'visits'])(
    'converts timestamps and numbers as clients write them, sent to %s',
    async (path) => {
      const uid = newUid();
      const sent = {
        a: '2029-08-21 02:46:46',
        b: '2029-08-21 02:46:46+02:00',
        c: '2029-08-21 02:46:46Z',
        d: '11.9932e5',
      };
      const params = { ...sent, now: '$now', until: '+30d' };
      const before = Date.now();
      if (path === 'visits') {
        await openDomain(api);
        expect((await visit(api, { uid, properties: params })).status).toBe(200);
      } else {
        const item = { uid, name: 'Opened', ...params };
        const [list] = path.split('/batch');
        const { status } = await api.post(
          `/v3/observe/hooks/${path}`,
          path === list ? item : { [list as string]: [item] },
        );
        expect(status).toBeLessThan(203);
      }
      const table = path.startsWith('companies') ? 'companies' : path === 'events' ? 'events' : 'profiles';
      const rows = await api.app.storage
        .reader(api.account.account_id)
        .selectFrom(table as 'profiles')
        .select('custom')
        .where('account_id', '=', api.account.account_id)
        .orderBy('id', 'desc')
        .limit(1)
        .execute();
      const { now, until, name: _, ...rest } = (rows[0]?.custom ?? {}) as Record<string, string>;
      expect(rest).toEqual({
        a: '2029-08-21T02:46:46.000Z',
        b: '2029-08-21T00:46:46.000Z',
        c: '2029-08-21T02:46:46.000Z',
        d: 1199320,
      });
      const at = Date.parse(now as string);
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(Date.now());
      expect(Date.parse(until as string)).toBe(at + 30 * 86_400_000);
    },
  );

  it('does not convert uid and email', async () => {
    const uid = `11.9932e${++count}`;
    await save({ uid, email: `+30d@${uid}.test` });
    const { profile } = (await api.get('/v3/analyze/profile', { query: `uid=${encodeURIComponent(uid)}` })).body;
    expect([profile.uid, profile.email]).toEqual([uid, `+30d@${uid}.test`]);
  });

  it('converts Unix numbers to timestamps for keys of times', async () => {
    const uid = newUid();
    await save({ uid, created: 1870258680, signedUpAt: 1870258680.5, start_time: '1870258680', seats: 1870258680 });
    expect(await customOf(uid)).toEqual({
      created: '2029-04-07T12:18:00.000Z',
      signed_up_at: '2029-04-07T12:18:00.500Z',
      start_time: '2029-04-07T12:18:00.000Z',
      seats: 1870258680,
    });
  });

  it('keeps only the scalars of a list, without nulls', async () => {
    const uid = newUid();
    await save({ uid, list: ['a', null, '12', { b: 1 }, ['c'], true, null], empty: [null, {}] });
    expect(await customOf(uid)).toEqual({ list: ['a', 12, true], empty: [] });
  });

  it('nests properties up to three levels', async () => {
    const uid = newUid();
    await save({ uid, a: { b: { c: { d: 1, e: { f: 2 } } } } });
    expect(await customOf(uid)).toEqual({ a: { b: { c: { d: 1 } } } });
  });

  it('truncates texts at 768 bytes, between characters', async () => {
    const uid = newUid();
    await save({ uid, a: 'a'.repeat(769), b: 'é'.repeat(385), c: `a${'用'.repeat(256)}`, d: ['😀'.repeat(193)] });
    expect(await customOf(uid)).toEqual({
      a: 'a'.repeat(768),
      b: 'é'.repeat(384),
      c: `a${'用'.repeat(255)}`,
      d: ['😀'.repeat(192)],
    });
  });

  it('removes a property with null', async () => {
    const uid = newUid();
    await save({ uid, plan: 'pro', seats: 12, in: { a: 1 } });
    await save({ uid, Plan: null, in: null, nobody: null });
    expect(await customOf(uid)).toEqual({ seats: 12 });
  });

  it('rejects reserved names in any spelling', async () => {
    const uid = newUid();
    await save({ uid });
    const before = await show(uid);
    const reserved = ['createdAt', 'updated_at', 'Percent', 'delivery-ids', 'lastSeenAt', 'last_seen_session_count'];
    reserved.push(
      'companyId',
      'companyUid',
      'Company',
      'accountId',
      'browser_x',
      'browserN',
      'last_cleared_at',
      'ID',
      'Email',
    );
    await save({ uid, ...Object.fromEntries(reserved.map((name) => [name, '1'])) });
    expect(await show(uid)).toEqual(before);
  });

  it('accepts names of built-in object members without harm', async () => {
    const uid = newUid();
    const custom =
      '"__proto__":{"polluted":true},"constructor":"c","toString":1,"hasOwnProperty":2,"in":{"__proto__":3}';
    expect((await sendText(`{"uid":"${uid}",${custom}}`)).status).toBe(200);
    const stored = await customOf(uid);
    expect(Object.keys(stored).sort()).toEqual(['__proto__', 'constructor', 'has_own_property', 'in', 'to_string']);
    expect(Object.getOwnPropertyDescriptor(stored, '__proto__')?.value).toEqual({ polluted: true });
    expect(JSON.stringify(stored.in)).toBe('{"__proto__":3}');
    expect(stored).toMatchObject({ constructor: 'c', to_string: 1, has_own_property: 2 });
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
    expect((await sendText(`{"uid":"${uid}","__proto__":null,"constructor":null,"in":null}`)).status).toBe(200);
    expect(Object.keys(await customOf(uid)).sort()).toEqual(['has_own_property', 'to_string']);
  });

  it('returns any finite number unchanged', async () => {
    const uid = newUid();
    const numbers = [1.7976931348623157e308, 5e-324, -1e21, 0.1, 9007199254740991, 123456789.12345679, -1e-7];
    await save({ uid, numbers });
    expect((await show(uid)).numbers).toEqual(numbers);
    await backdate(uid);
    await save({ uid, numbers });
    expect((await show(uid)).updated_at).toBe(backdated);
  });

  it.each([
    ['a NUL', '"a\\u0000b"', '`plan` must be valid Unicode'],
    ['half a pair', '"a\\ud800"', '`plan` must be valid Unicode'],
    ['a NUL in a list', '["a","\\u0000"]', '`plan` must be valid Unicode'],
    ['a NUL in an object', '{"myName":"\\u0000"}', '`plan.my_name` must be valid Unicode'],
    ['the number 1e999', '1e999', '`plan` is a number that is too large'],
    ['the number -1e999 in a list', '[-1e999]', '`plan` is a number that is too large'],
  ])('rejects %s', async (_what, value, message) => {
    const uid = newUid();
    await save({ uid, plan: 'pro' });
    await expectRefused(422, message, () => sendText(`{"uid":"${uid}","seats":1,"plan":${value}}`));
    await expectRefused(422, message, () => sendText(`{"uid":"${newUid()}","plan":${value}}`));
  });

  it('accepts keys of at most 255 characters', async () => {
    const uid = newUid();
    await save({ uid, ['k'.repeat(255)]: 1 });
    expect(await customOf(uid)).toEqual({ ['k'.repeat(255)]: 1 });
    await expectRefused(422, 'is longer than 255 characters', () => send({ uid, ['k'.repeat(256)]: 1 }));
  });

  it('rejects properties of more than 128 KB in total, and stores nothing', async () => {
    const [uid, email] = [newUid(), newEmail()];
    const large = (start: string) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${start}_${index}`, 'x'.repeat(700)]));
    await save({ uid, ...large('first') });
    const more = { email, company: { uid: newUid(), plan: 'pro' }, ...large('second') };
    await expectRefused(422, 'more than 128 KB', () => send({ uid, ...more }));
    await expectRefused(422, 'more than 128 KB', () => send({ uid: newUid(), ...large('first'), ...more }));
    await expectRefused(422, 'more than 128 KB', () =>
      send({ uid: newUid(), company: { uid: newUid(), ...large('first'), ...large('second') } }),
    );
    const { body } = await sendMany([
      { uid, ...more },
      { uid, seats: 1 },
    ]);
    expect(body.errors).toEqual([errorOf(422, 0, 'more than 128 KB')]);
    expect(await customOf(uid)).toEqual({ ...large('first'), seats: 1 });
  });
});

describe('updated_at', () => {
  const everything = {
    email: 'moves@example.com',
    company: { uid: 'moves', plan: 'pro' },
    plan: 'pro',
    list: [1, 'a'],
    in: { a: 1, b: { c: 2, d: 3 } },
    'Signed up at': 1870258680,
  };

  it.each([
    ['nothing', {}],
    ['the values that are stored already', everything],
    ['the same in another spelling', { signed_up_at: '2029-04-07T12:18:00Z', plan: 'pro' }],
    ['the same in another order', { in: { b: { d: 3, c: 2 }, a: 1 } }],
    ['the removal of what is not there', { nobody: null }],
    ['reserved keys', { percent: 1, created_at: 1 }],
    ['a change of the Company alone', { company: { uid: 'moves', plan: 'basic' } }],
  ])('keeps updated_at with %s', async (_what, params) => {
    await save({ uid: 'moves', ...everything });
    await backdate('moves');
    await save({ uid: 'moves', ...params });
    await saveMany([{ uid: 'moves', ...params }]);
    expect((await show('moves')).updated_at).toBe(backdated);
  });

  it.each([
    ['a new property', { seats: 1 }],
    ['a changed property', { plan: 'basic' }],
    ['a removed property', { plan: null }],
    ['a list in another order', { list: ['a', 1] }],
    ['another email', { email: 'moved@example.com' }],
    ['the email in capitals', { email: 'MOVES@example.com' }],
    ['no email', { email: null }],
    ['another Company', { company_uid: 'moved', company: undefined }],
    ['no Company', { company: null }],
  ])('updates updated_at with %s', async (_what, params) => {
    await save({ uid: 'moves', ...everything });
    await backdate('moves');
    await save({ uid: 'moves', ...params });
    const { created_at, updated_at } = await show('moves');
    expect(updated_at >= created_at).toBe(true);
  });

  it('updates updated_at of a Company only when it changes', async () => {
    const uid = newUid();
    await save({ uid, company: { uid, plan: 'pro' } });
    const before = (await show(uid)).company;
    await save({ uid, company: { uid, plan: 'pro' }, seats: 1 });
    expect((await show(uid)).company).toEqual(before);
  });
});

describe('a batch', () => {
  it('returns 202 with only its ID when every item is valid', async () => {
    const { status, text, body } = await sendMany([{ uid: newUid() }, { uid: newUid() }]);
    expect(status).toBe(202);
    expect(isId(body.batch.id)).toBe(true);
    expect(text).toBe(`{"batch":{"id":"${body.batch.id}"}}`);
  });

  it('accepts an empty batch', async () => {
    await saveMany([]);
  });

  it('stores valid items, and returns the index and the error of each invalid one', async () => {
    const [uid, email] = [newUid(), newEmail()];
    const id = await save({ uid, email });
    const good = [newUid(), newUid(), newUid()];
    const { status, body } = await sendMany([
      { uid: good[0], plan: 'a' },
      { plan: 'nobody' },
      { id: unknownId, plan: 'b' },
      { email: newEmail() },
      { uid: good[1], plan: 'b' },
      { id, uid: good[0] },
      'text',
      null,
      [{ uid: good[1] }],
      { uid: newUid(), plan: 'a\0', name: '\0' },
      { uid: newUid(), company_id: unknownId },
      { uid: 1e21 },
      { email, plan: 'c' },
      { uid: good[2], plan: 'd', company_uid: newUid() },
    ]);
    expect(status).toBe(202);
    expect(body).toEqual({
      batch: { id: expect.any(String) },
      errors: [
        errorOf(422, 1, '`uid` is required'),
        errorOf(404, 2, 'no profile with this ID'),
        errorOf(404, 3, 'no profile with this email'),
        errorOf(422, 5, '`id` and `uid` are of different profiles'),
        errorOf(422, 6, 'must be an object'),
        errorOf(422, 7, 'must be an object'),
        errorOf(422, 8, 'must be an object'),
        {
          code: 422,
          index: 9,
          message:
            '`plan` must be valid Unicode without NUL characters; `name` must be valid Unicode without NUL characters',
        },
        errorOf(404, 10, 'no Company with this ID'),
        errorOf(422, 11, 'more digits than JSON keeps'),
      ],
    });
    for (const [at, plan] of ['a', 'b', 'd'].entries()) expect((await show(good[at] ?? '')).plan).toBe(plan);
    expect((await show(uid)).plan).toBe('c');
  });

  it('creates missing records, or ignores them with on_model_missing=ignore', async () => {
    const as = await newAccount();
    const known = newUid();
    await save({ uid: known }, as);
    const profiles = [{ uid: known, plan: 'pro' }, { uid: newUid() }, { id: unknownId }, { email: newEmail() }];
    const ignored = await sendMany(profiles, { on_model_missing: 'ignore' }, as);
    expect(ignored.body).toEqual({ batch: { id: expect.any(String) } });
    expect((await show(known, as)).plan).toBe('pro');
    expect(await countProfiles(as)).toBe(1);
    const made = await sendMany(profiles, { on_model_missing: 'create' }, as);
    expect(made.body.errors).toEqual([errorOf(404, 2, 'ID'), errorOf(404, 3, 'email')]);
    expect(await countProfiles(as)).toBe(2);
  });

  it('rejects an invalid on_model_missing, and stores nothing', async () => {
    await expectRefused(422, '`on_model_missing` must be one of `create`, `ignore`', () =>
      sendMany([{ uid: newUid() }], { on_model_missing: 'drop' }),
    );
  });

  it.each([
    {},
    { profiles: null },
    { profiles: 'text' },
    { profiles: 12 },
    { profiles: { uid: 'a' } },
    { companies: [] },
  ])('requires a list of profiles, which %j does not have', async (params) => {
    await expectRefused(422, '`profiles` is required: give a list', () => api.post(MANY, params));
  });

  it.each([
    '{"profiles":[{"uid":"broken-1"},{"uid":"broken-2"]}',
    '{"profiles":[{"uid":"broken-1"}',
    '{"profiles":[{"uid":"broken-1"},]}',
    '{"profiles":[{"uid":"broken-1"}]}}',
    `{"profiles":[${'{"uid":"broken-1"},'.repeat(5000)}nonsense]}`,
  ])('rejects broken JSON as a whole %#', async (text) => {
    await expectRefused(422, 'not valid JSON', () => api.post(MANY, text, { headers: json }));
  });

  it('accepts a form', async () => {
    const [one, other] = [newUid(), newUid()];
    const body = `profiles[0][uid]=${one}&profiles[0][plan]=12&profiles[1][uid]=${other}&profiles[1][company][uid]=form&profiles[2][plan]=x&on_model_missing=create`;
    const { status, body: response } = await api.post(MANY, body, { headers: form });
    expect(status).toBe(202);
    expect(response.errors).toEqual([errorOf(422, 2, '`uid` is required')]);
    expect((await show(one)).plan).toBe(12);
    expect((await show(other)).company.uid).toBe('form');
  });

  it('merges the items of one uid in their order', async () => {
    const uid = newUid();
    await saveMany([
      { uid, a: 1, b: 1, c: 1, company_uid: 'first', email: newEmail() },
      { uid, b: 2, company_uid: 'second' },
      { uid, c: null, d: 3, email: null },
    ]);
    const { email, company } = await show(uid);
    expect({ email, company: company.uid, ...(await customOf(uid)) }).toEqual({
      email: null,
      company: 'second',
      a: 1,
      b: 2,
      d: 3,
    });
  });

  it('finds a profile by an email that an earlier item has claimed', async () => {
    const [fresh, old, taken, emails] = [newUid(), newUid(), newUid(), [newEmail(), newEmail()] as const];
    const id = await save({ uid: old, email: emails[1] });
    await saveMany([
      { uid: fresh, email: emails[0] },
      { email: emails[0].toUpperCase(), plan: 'fresh' },
      { uid: taken, email: emails[1] },
      { email: emails[1], plan: 'taken' },
      { id, plan: 'old' },
    ]);
    expect(await show(fresh)).toMatchObject({ email: emails[0].toUpperCase(), plan: 'fresh' });
    expect(await show(taken)).toMatchObject({ email: emails[1], plan: 'taken' });
    expect(await show(old)).toMatchObject({ email: null, plan: 'old' });
  });

  it('creates the Company of a profile that is found by an email of an earlier item', async () => {
    const [uid, email, company] = [newUid(), newEmail(), newUid()];
    await save({ uid });
    await saveMany([
      { uid, email },
      { email, company: { uid: company } },
    ]);
    expect((await show(uid)).company).toMatchObject({ uid: company });
  });

  it('does not find a profile by an email that an earlier item has removed', async () => {
    const [uid, email] = [newUid(), newEmail()];
    await save({ uid, email });
    const { body } = await sendMany([
      { uid, email: newEmail() },
      { email, plan: 'pro' },
    ]);
    expect(body.errors).toEqual([errorOf(404, 1, 'no profile with this email')]);
  });

  it('lets profiles swap their emails, also in a cycle', async () => {
    const uids = [newUid(), newUid(), newUid()];
    const emails = [newEmail(), newEmail(), newEmail()];
    const params = (turn: number) => uids.map((uid, at) => ({ uid, email: emails[(at + turn) % 3], turn }));
    const held = async () => (await Promise.all(uids.map((uid) => show(uid)))).map(({ email }) => email);
    await saveMany(params(0));
    await saveMany(params(1));
    expect(await held()).toEqual([emails[1], emails[2], emails[0]]);
    const [one, other] = uids;
    await saveMany([
      { uid: one, email: emails[2] },
      { uid: other, email: emails[1] },
    ]);
    expect(await held()).toEqual([emails[2], emails[1], emails[0]]);
  });

  it('gives an email that several items claim to the last of them', async () => {
    const uids = [newUid(), newUid(), newUid()];
    const email = newEmail();
    await saveMany(uids.map((uid, at) => ({ uid, email, at })));
    const profiles = await Promise.all(uids.map((uid) => show(uid)));
    expect(profiles.map(({ email, at }) => [email, at])).toEqual([
      [null, 0],
      [null, 1],
      [email, 2],
    ]);
  });

  it('gives the same result as its items one by one', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const email = fc.constantFrom('x@example.com', 'Y@example.com', 'y@example.com', 'z@example.com');
    const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const item = fc.record({
      uid: some(name),
      email: some(fc.oneof(email, fc.constant(null))),
      company_uid: some(fc.oneof(name, fc.constant(null))),
      plan: some(fc.constantFrom('pro', 'basic', null)),
      seats: some(fc.nat(2)),
    });
    const stateOf = async (as: CreatedAccount) => {
      const { body } = await api.get('/v3/analyze/profiles', { as, query: 'limit=500' });
      return body.profiles
        .map(({ uid, email, plan, seats, company }: Record<string, { uid: string }>) => ({
          uid,
          email,
          plan,
          seats,
          company: company?.uid,
        }))
        .sort((one: { uid: string }, other: { uid: string }) => (one.uid < other.uid ? -1 : 1));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 12 }), async (items) => {
        const [together, oneByOne] = [await newAccount(), await newAccount()];
        const codes: [number, number][] = [];
        for (const [index, one] of items.entries()) {
          const { status } = await send(one, oneByOne);
          if (status !== 200) codes.push([index, status]);
        }
        const half = Math.ceil(items.length / 2);
        const first = await sendMany(items.slice(0, half), {}, together);
        const second = await sendMany(items.slice(half), {}, together);
        type Errors = { index: number; code: number }[];
        expect([
          ...((first.body.errors ?? []) as Errors).map(({ index, code }) => [index, code]),
          ...((second.body.errors ?? []) as Errors).map(({ index, code }) => [index + half, code]),
        ]).toEqual(codes);
        expect(await stateOf(together)).toEqual(await stateOf(oneByOne));
      }),
      { numRuns: randomRuns(8) },
    );
  });

  it('stores 5,000 items in chunks, in order, with the index of each error', async () => {
    const as = await newAccount();
    const profiles: object[] = Array.from({ length: 5000 }, (_, index) => ({ uid: `u${index}`, at: index }));
    profiles[0] = { uid: 'same', a: 1, b: 1 };
    profiles[1234] = { at: 1234 };
    profiles[4321] = { id: unknownId };
    profiles[4999] = { uid: 'same', b: 2 };
    const { status, body } = await sendMany(profiles, {}, as);
    expect(status).toBe(202);
    expect(body.errors).toEqual([errorOf(422, 1234, '`uid` is required'), errorOf(404, 4321, 'no profile')]);
    expect(await countProfiles(as)).toBe(4997);
    expect(await customOf('same', as)).toEqual({ a: 1, b: 2 });
    expect((await show('u4998', as)).at).toBe(4998);
  });

  it('does not block other requests while it is stored', async () => {
    const as = await newAccount();
    const profiles = Array.from({ length: 10_000 }, (_, index) => ({ uid: `u${index}`, a: index, b: 'text', c: true }));
    const finished: string[] = [];
    const batch = sendMany(profiles, {}, as).then(({ body }) => {
      finished.push('batch');
      return body;
    });
    while ((await find({ uid: 'u0' }, as)).status === 404);
    await save({ uid: 'meanwhile' }, as);
    finished.push('meanwhile');
    expect(await batch).toEqual({ batch: { id: expect.any(String) } });
    expect(finished).toEqual(['meanwhile', 'batch']);
    expect(await countProfiles(as)).toBe(10_001);
  });

  it('returns an error for a batch that cannot be stored, and the server continues', async () => {
    const { app, post, get, account } = await startApi();
    const rename = (from: string, to: string) =>
      app.storage.write(null, (db) => db.executeQuery(CompiledQuery.raw(`alter table ${from} rename to ${to}`)));
    await rename('profiles', 'elsewhere');
    expect((await post(MANY, { profiles: [{ uid: '1' }] })).status).toBe(500);
    expect((await post(MANY, { profiles: Array.from({ length: 2000 }, (_, uid) => ({ uid })) })).status).toBe(500);
    await rename('elsewhere', 'profiles');
    expect((await post(MANY, { profiles: [{ uid: '1' }] })).status).toBe(202);
    expect((await get('/v3/analyze/profiles/count', { as: account })).body).toEqual({ count: 1 });
  });
});

describe('the size of a batch', () => {
  /** A body of exactly this many bytes, most of them in a reserved key. */
  const bodyOf = (bytes: number, uid: string, more = '') => {
    const [start, end] = [`{${more}"profiles":[{"uid":"${uid}","percent":"`, '"}]}'];
    return start + 'x'.repeat(bytes - start.length - end.length) + end;
  };
  const tooLarge = { code: 413, messages: ['The body is larger than 16 MB'] };

  it('accepts a batch of 16 MB', async () => {
    const uid = newUid();
    const { status, body } = await api.post(MANY, bodyOf(MAX_BATCH_BYTES, uid), { headers: json });
    expect(status).toBe(202);
    expect(body).not.toHaveProperty('errors');
    expect(await customOf(uid)).toEqual({});
  });

  it.each([MANY, '/v3/observe/hooks/companies/batch'])('rejects one byte more on %s', async (path) => {
    const body = bodyOf(MAX_BATCH_BYTES + 1, newUid()).replace('profiles', path.split('/')[4] ?? '');
    const { status, body: response } = await api.post(path, body.padEnd(MAX_BATCH_BYTES + 1), { headers: json });
    expect(status).toBe(413);
    expect(response).toEqual(tooLarge);
  });

  it('accepts only 1 MB while the secret is in the body', async () => {
    const uid = newUid();
    const secret = `"account_secret":"${api.account.account_secret}",`;
    const sendBytes = (bytes: number) => api.post(MANY, bodyOf(bytes, uid, secret), { headers: json, as: null });
    const rejected = await sendBytes(1024 * 1024 + 1);
    expect(rejected.status).toBe(413);
    expect(rejected.body.messages).toEqual([
      'The body is larger than 1 MB: give the account secret in the header `X-Account-Secret` then',
    ]);
    expect((await find({ uid })).status).toBe(404);
    expect((await sendBytes(1024 * 1024)).status).toBe(202);
    expect((await find({ uid })).status).toBe(200);
  });

  it.each([
    ['a parameter', `${MANY}?account_secret=`, ''],
    ['the path', '/v3/observe/hooks/', '/profiles/batch'],
  ])('accepts more than 1 MB with the secret in %s', async (_where, start, end) => {
    const path = start + api.account.account_secret + end;
    expect((await api.post(path, bodyOf(1024 * 1024 + 1, newUid()), { headers: json, as: null })).status).toBe(202);
  });

  it('returns 403 for a wrong secret, whatever the size of the body', async () => {
    const as = { account_secret: 'wrong' };
    expect((await api.post(MANY, bodyOf(2 * 1024 * 1024, newUid()), { headers: json, as })).status).toBe(403);
  });
});

describe('a client that disconnects during a batch', () => {
  /** Starts a batch, and continues when the server reads its body. */
  function begin(): Promise<Socket> {
    const { hostname, port } = new URL(api.url);
    const head = [
      `POST ${MANY} HTTP/1.1`,
      'Host: usher',
      `X-Account-Secret: ${api.account.account_secret}`,
      'Content-Length: 1000',
      'Expect: 100-continue',
    ];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
      onTestFinished(() => void socket.destroy());
      socket.on('error', reject);
      socket.once('data', () => socket.write('{"profiles":[{"uid":"left"},', () => resolve(socket)));
    });
  }
  const others = async () => {
    for (let index = 0; index < 10; index++) await save({ uid: newUid() });
  };

  it('releases its place in the queue, whether it runs or waits', async () => {
    const inFront = [await begin(), await begin()];
    await others();
    const inLine = [await begin(), await begin()];
    const uid = newUid();
    let hasResponded = false;
    const batch = saveMany([{ uid }]).then(() => {
      hasResponded = true;
    });
    await others();
    expect(hasResponded).toBe(false);
    for (const socket of [...inLine, ...inFront]) socket.destroy();
    await batch;
    await Promise.all(Array.from({ length: 6 }, () => saveMany([{ uid: newUid() }])));
    expect((await find({ uid })).status).toBe(200);
    expect((await find({ uid: 'left' })).status).toBe(404);
  });
});

describe('concurrent writes', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index);
  const statuses = async (requests: Promise<ApiResponse>[]) =>
    (await Promise.all(requests)).map(({ status }) => status);

  it('keeps 20 concurrent changes of one profile', async () => {
    const uid = newUid();
    await save({ uid });
    const responses = await statuses(twenty.map((index) => send({ uid, [`key_${index}`]: index, same: index })));
    expect(responses).toEqual(Array(20).fill(200));
    const { same, ...custom } = await customOf(uid);
    expect(custom).toEqual(Object.fromEntries(twenty.map((index) => [`key_${index}`, index])));
    expect(twenty).toContain(same);
  });

  it('creates one profile from 20 concurrent requests with one uid', async () => {
    const as = await newAccount();
    const ids = await Promise.all(twenty.map((index) => save({ uid: 'one', [`key_${index}`]: index }, as)));
    expect(new Set(ids).size).toBe(1);
    expect(await countProfiles(as)).toBe(1);
    expect(Object.keys(await customOf('one', as))).toHaveLength(20);
  });

  it('creates one Company from 20 concurrent requests', async () => {
    const as = await newAccount();
    const company = { uid: 'one' };
    await Promise.all(
      twenty.map((index) => save({ uid: index, company: { ...company, [`key_${index}`]: index } }, as)),
    );
    const profiles = await Promise.all(twenty.map((index) => show(String(index), as)));
    expect(new Set(profiles.map(({ company_id }) => company_id)).size).toBe(1);
    expect(profiles[0].company).toMatchObject(Object.fromEntries(twenty.map((index) => [`key_${index}`, index])));
  });

  it.each(['new', 'known'])('leaves an email with one of 20 %s profiles that claim it concurrently', async (what) => {
    const as = await newAccount();
    const users = twenty.map((uid) => ({ uid }));
    if (what === 'known') await saveMany(users, as);
    const responses = await statuses(twenty.map((uid) => send({ uid, email: 'one@example.com', at: uid }, as)));
    expect(responses).toEqual(Array(20).fill(200));
    const profiles = await Promise.all(twenty.map((index) => show(String(index), as)));
    expect(profiles.map(({ at }) => at)).toEqual(twenty);
    expect(profiles.filter(({ email }) => email !== null)).toHaveLength(1);
    expect((await find({ email: 'ONE@example.com' }, as)).status).toBe(200);
  });

  it('loses nothing in concurrent batches of the same users in any order', async () => {
    const as = await newAccount();
    const users = Array.from({ length: 400 }, (_, index) => index);
    const orders = [users, [...users].reverse(), [...users.slice(200), ...users.slice(0, 200)], users];
    const batches = orders.map((order, at) =>
      saveMany(
        order.map((uid) => ({ uid, [`batch_${at}`]: uid, company: { uid: uid % 7, [`batch_${at}`]: true } })),
        as,
      ),
    );
    const singles = users.slice(0, 40).map((uid) => save({ uid, single: uid }, as));
    await Promise.all([...batches, ...singles]);
    expect(await countProfiles(as)).toBe(400);
    for (const uid of [0, 7, 39, 200, 399]) {
      const { company } = await show(String(uid), as);
      expect(company).toMatchObject({
        uid: String(uid % 7),
        batch_0: true,
        batch_1: true,
        batch_2: true,
        batch_3: true,
      });
      expect(await customOf(String(uid), as)).toEqual({
        ...{ batch_0: uid, batch_1: uid, batch_2: uid, batch_3: uid },
        ...(uid < 40 && { single: uid }),
      });
    }
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, newEmail, startApi } from '../../../../test/api.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';
import { type CreatedAccount, createAccount } from '../../team/accounts/create-account.ts';

const HOUR = 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let account: CreatedAccount;
let visit_token: string;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += HOUR;
  account = await openAccount();
  uid = newUid();
  visit_token = (await visit(api, { uid }, { as: account })).body.visit.token;
});

async function openAccount(): Promise<CreatedAccount> {
  const created = await createAccount(api.app, { name: 'Debugged', email: newEmail() });
  await openDomain(api, created);
  return created;
}

async function add(kind: string, params: object = {}): Promise<string> {
  const made = { name: 'One', steps: [{ title: 'Hello' }], published_at: '$now', ...params };
  const { status, body } = await api.post(`/v3/edit/${kind}s`, made, { as: account });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

const createToken = (params: object = {}, as: CreatedAccount | null = account) =>
  api.post('/v3/edit/debug_tokens', params, { as });
const tokenOf = async (params: object = {}, as = account) => (await createToken(params, as)).body.debug_token.token;
const ask = (params: object, headers: Record<string, string> = {}) =>
  api.post('/v3/observe/explanations', { visit_token, href: PAGE, ...params }, { as: null, headers });

describe('a debug token', () => {
  it('is valid for an hour, or for as long as `ttl` says', async () => {
    const { status, body } = await createToken();
    const expires_at = new Date(now + HOUR).toISOString();
    expect([status, body]).toEqual([201, { debug_token: { token: expect.any(String), expires_at } }]);
    const short = await tokenOf({ ttl: 10 });
    now += 9_999;
    expect((await ask({ debug_token: short })).status).toBe(200);
    now += 1;
    const late = await ask({ debug_token: short });
    expect([late.status, late.body.messages]).toEqual([
      403,
      ['This `debug_token` has expired: make another one with `POST /v3/edit/debug_tokens`'],
    ]);
    expect((await ask({ debug_token: body.debug_token.token })).status).toBe(200);
  });

  it.each([0, -1, 86_401, 1.5, 'long', {}])('rejects a `ttl` of %j', async (ttl) => {
    const { status, body } = await createToken({ ttl });
    expect([status, body.messages]).toEqual([422, [expect.stringContaining('`ttl` must be the seconds')]]);
  });

  it('is in the audit log, and not stored', async () => {
    const { debug_token } = (await createToken({ ttl: 86_400 })).body;
    const { body, text } = await api.get('/v3/analyze/audit_entries', {
      as: account,
      query: 'action=debug_token.create',
    });
    expect(body.audit_entries).toMatchObject([
      { user: { id: account.user_id }, details: { expires_at: debug_token.expires_at } },
    ]);
    expect(text).not.toContain(debug_token.token);
    const rows = JSON.stringify(await accountRows(api.app, account.account_id));
    expect(rows).not.toContain(debug_token.token.split('.').at(-1));
  });

  it('ends with the administrator who made it', async () => {
    const { browser, id } = await addSignedIn(api, 'editor', { accountId: account.account_id });
    const { token } = (await browser.post('/v3/edit/debug_tokens', {})).body.debug_token;
    expect((await ask({ debug_token: token })).status).toBe(200);
    await api.send('PATCH', `/v3/edit/admins/${id}`, { as: account, body: { role: 'viewer' } });
    expect((await ask({ debug_token: token })).status).toBe(403);
    await api.send('PATCH', `/v3/edit/admins/${id}`, { as: account, body: { role: 'editor' } });
    expect((await ask({ debug_token: token })).status).toBe(200);
    await api.send('DELETE', `/v3/edit/admins/${id}`, { as: account });
    const { status, body } = await ask({ debug_token: token });
    expect([status, body.messages]).toEqual([403, [expect.stringContaining('may not edit in this account any more')]]);
  });

  it('ends with the secret that made it', async () => {
    const params = { name: 'Short', scope: 'edit', expires_at: '+10m' };
    const create = async () => (await api.post('/v3/edit/secrets', params, { as: account })).body.secret;
    const [first, second] = [await create(), await create()];
    const made = async ({ secret }: { secret: string }) =>
      (await api.post('/v3/edit/debug_tokens', {}, { as: { account_secret: secret } })).body.debug_token.token;
    const [revoked, expired] = [await made(first), await made(second)];
    expect((await ask({ debug_token: revoked })).status).toBe(200);
    await api.send('DELETE', `/v3/edit/secrets/${first.id}`, { as: account });
    expect((await ask({ debug_token: revoked })).status).toBe(403);
    expect((await ask({ debug_token: expired })).status).toBe(200);
    now += 11 * 60_000;
    expect((await ask({ debug_token: expired })).body.messages).toEqual([expect.stringContaining('has expired')]);
  });

  it('is not a visit token, and a visit token is not a debug token', async () => {
    const debug_token = await tokenOf();
    expect((await ask({ debug_token, visit_token: debug_token })).status).toBe(403);
    expect((await ask({ debug_token: visit_token })).status).toBe(403);
    const [, ...payload] = debug_token.split('.');
    for (const forged of [`${debug_token}x`, debug_token.slice(0, -1), payload.join('.'), `debug.${visit_token}`])
      expect([forged, (await ask({ debug_token: forged })).status]).toEqual([forged, 403]);
  });

  it('cannot be made to last longer', async () => {
    const [purpose, id, , ...rest] = (await tokenOf({ ttl: 1 })).split('.');
    const forged = [purpose, id, (now + 24 * HOUR).toString(36), ...rest].join('.');
    expect((await ask({ debug_token: forged })).status).toBe(403);
  });

  it('rejects the token of another account like an unknown one', async () => {
    const other = await openAccount();
    const strange = await ask({ debug_token: await tokenOf({}, other) });
    const unknown = await ask({ debug_token: 'unknown' });
    expect([strange.status, strange.text]).toEqual([403, unknown.text]);
    const renamed = (await tokenOf({}, other)).replace(other.account_id, account.account_id);
    expect((await ask({ debug_token: renamed })).text).toBe(unknown.text);
    const { body } = await visit(api, { uid }, { as: other });
    expect((await ask({ visit_token: body.visit.token, debug_token: await tokenOf() })).text).toBe(unknown.text);
  });

  it('is required', async () => {
    for (const debug_token of [undefined, '', null, 7]) {
      const { status, body } = await ask({ debug_token });
      expect([debug_token, status, body.messages[0]]).toEqual([debug_token, 403, expect.stringContaining('debug')]);
    }
  });
});

describe('POST /v3/observe/explanations', () => {
  it('explains each published Experience by the rules of page loads, and records nothing', async () => {
    const shows = await add('tour', { name: 'Shows' });
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
    const { segment } = (await api.post('/v3/edit/segments', { name: 'Pros', items }, { as: account })).body;
    const elsewhere = [{ url: '/elsewhere', match_type: 'simple' }];
    const both = await add('tour', {
      name: 'Both',
      segment_ids: [segment.id],
      steps: [{ title: 'Hello', quantifier_urls: elsewhere }],
    });
    const later = await add('tour', { name: 'Later', published_at: '+1d' });
    await add('tour', { name: 'Draft', published_at: null });
    await add('tour', { name: 'Archived', published_at: null, archived_at: '$now' });
    const debug_token = await tokenOf();
    const before = await accountRows(api.app, account.account_id);
    const { status, body } = await ask({ debug_token });
    expect([status, body]).toEqual([
      200,
      {
        explanations: [
          { id: shows, kind: 'tour', name: 'Shows', can_show: true, reasons: [], theme: null },
          {
            ...{ id: both, kind: 'tour', name: 'Both', can_show: false, theme: null },
            reasons: [
              { code: 'url', message: 'This page is none of those on which it begins' },
              { code: 'segments', message: 'The user is not in the Segment “Pros”' },
              { code: 'another', message: 'Another one comes first: “Shows”' },
            ],
          },
          {
            ...{ id: later, kind: 'tour', name: 'Later', can_show: false, theme: null },
            reasons: [{ code: 'live', message: expect.stringContaining('its time has not come') }],
          },
        ],
        deliveries: [],
      },
    ]);
    expect(await accountRows(api.app, account.account_id)).toEqual(before);
    const explained = await api.post('/v3/observe/visits', { uid, href: PAGE, explain: true }, { as: account });
    const published = explained.body.explanations.filter(({ name }: { name: string }) => name !== 'Draft');
    expect(published.map(({ reasons }: { reasons: string[] }) => reasons)).toEqual(
      body.explanations.map(({ reasons }: { reasons: { message: string }[] }) => reasons.map(({ message }) => message)),
    );
  });

  it('names the theme of each Experience, and the variation of the user', async () => {
    const variations = [{ name: 'Everybody', filters: [{ kind: 'property', prop: 'missing', op: 'nx' }] }];
    const theme = { name: 'House', default: true, published_at: '$now', style_radius: '3', variations };
    expect((await api.post('/v3/edit/themes', theme, { as: account })).status).toBe(201);
    const plain = { name: 'Plain', published_at: '$now', style_radius: '4' };
    const own = (await api.post('/v3/edit/themes', plain, { as: account })).body.theme;
    await add('tour', { name: 'One' });
    await add('tour', { name: 'Two', theme_id: own.id });
    const { explanations } = (await ask({ debug_token: await tokenOf() })).body;
    expect(explanations).toMatchObject([
      { name: 'One', theme: { name: 'House', variation: 'Everybody' } },
      { name: 'Two', theme: { name: 'Plain', variation: null } },
    ]);
  });

  it('explains Deliveries', async () => {
    const id = await add('tour', { style: 'manual' });
    const from = new Date(now + HOUR).toISOString();
    const params = { model_kind: 'tour', model_id: id, uid, from };
    const { delivery } = (await api.post('/v3/edit/deliveries', params, { as: account })).body;
    const { deliveries } = (await ask({ debug_token: await tokenOf() })).body;
    expect(deliveries).toEqual([
      { id: delivery.id, model_id: id, can_show: false, reasons: [{ code: 'from', message: expect.any(String) }] },
    ]);
  });

  it('explains only the user of the visit', async () => {
    const id = await add('tour');
    const debug_token = await tokenOf();
    const seen = { visit_token, experience_id: id, state: 'exited' };
    await api.post('/v3/observe/interactions', { ...seen, state: 'started' }, { as: null });
    await api.post('/v3/observe/interactions', seen, { as: null });
    expect((await ask({ debug_token })).body.explanations[0].reasons[0].code).toBe('seen');
    const another = (await visit(api, { uid: newUid() }, { as: account })).body.visit.token;
    expect((await ask({ debug_token, visit_token: another, uid })).body.explanations[0].can_show).toBe(true);
  });

  it('rejects a page on a host that is off', async () => {
    const debug_token = await tokenOf();
    expect((await ask({ debug_token }, { Origin: 'https://off.example.org' })).status).toBe(403);
  });
});

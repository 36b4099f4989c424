import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const mine = () => ({ account: { id: api.account.account_id }, user: { id: api.account.user_id } });
const secret = () => ({ account_secret: api.account.account_secret });

/** `fetch` does not send a body with GET; curl and other clients do it. */
async function getWithBody(body: string, headers: Record<string, string>): Promise<{ status: unknown; body: unknown }> {
  return new Promise((resolve, reject) => {
    const call = request(api.url, {
      method: 'GET',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    });
    call.on('response', (response) => {
      json(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    call.on('error', reject).end(body);
  });
}

it.each(['GET', 'POST'])('%s returns the account and user of the secret, account first', async (method) => {
  const { status, body, text } = await api.send(method, '/');
  expect(status).toBe(200);
  expect(body).toEqual(mine());
  expect(text).toMatch(/^\{"account":\{"id":"[0-9a-f]{24}"\},"user":\{"id":"[0-9a-f]{24}"\}\}$/);
});

it('returns the own account and user for each secret', async () => {
  const { body } = await api.get('/', { as: api.other });
  expect(body).toEqual({ account: { id: api.other.account_id }, user: { id: api.other.user_id } });
  expect(body).not.toEqual(mine());
});

it('accepts the header name in upper and lower case', async () => {
  const { body } = await api.get('/', { as: null, headers: { 'x-account-SECRET': api.account.account_secret } });
  expect(body).toEqual(mine());
});

it.each(['GET', 'POST'])('%s accepts the secret as a URL parameter', async (method) => {
  const { status, body } = await api.send(method, '/', {
    as: null,
    query: `account_secret=${api.account.account_secret}`,
  });
  expect(status).toBe(200);
  expect(body).toEqual(mine());
});

it('POST accepts the secret in a JSON body', async () => {
  const { status, body } = await api.post('/', secret(), { as: null });
  expect(status).toBe(200);
  expect(body).toEqual(mine());
});

it('POST accepts JSON that curl sends as a form', async () => {
  const { status, body } = await api.post('/', JSON.stringify(secret()), { as: null, headers: form });
  expect(status).toBe(200);
  expect(body).toEqual(mine());
});

it('POST accepts the secret in a form', async () => {
  const { status, body } = await api.post('/', `account_secret=${secret().account_secret}`, {
    as: null,
    headers: form,
  });
  expect(status).toBe(200);
  expect(body).toEqual(mine());
});

it('POST accepts the secret in a multipart form', async () => {
  const fields = new FormData();
  fields.set('account_secret', api.account.account_secret);
  const { status, body } = await api.post('/', fields, { as: null });
  expect(status).toBe(200);
  expect(body).toEqual(mine());
});

it('GET accepts the secret in a JSON body', async () => {
  const headers = { 'Content-Type': 'application/json' };
  expect(await getWithBody(JSON.stringify(secret()), headers)).toEqual({ status: 200, body: mine() });
});

it('GET accepts JSON that curl sends as a form', async () => {
  expect(await getWithBody(JSON.stringify(secret()), form)).toEqual({ status: 200, body: mine() });
});

it('GET accepts the secret in a form body', async () => {
  expect(await getWithBody(`account_secret=${secret().account_secret}`, form)).toEqual({ status: 200, body: mine() });
});

it('prefers the header to the body, and the body to the URL', async () => {
  const query = `account_secret=${api.other.account_secret}`;
  const byHeader = await api.post('/', { account_secret: api.other.account_secret }, { as: api.account });
  const byBody = await api.post('/', secret(), { as: null, query });
  expect(byHeader.body).toEqual(mine());
  expect(byBody.body).toEqual(mine());
});

it('uses the parameter if the header is empty', async () => {
  const { body } = await api.post('/', secret(), { as: null, headers: { 'X-Account-Secret': '' } });
  expect(body).toEqual(mine());
});

it.each(['GET', 'POST'])('%s rejects a request without a secret, and says where to put it', async (method) => {
  const { status, body } = await api.send(method, '/', { as: null });
  expect(status).toBe(403);
  expect(body.messages[0]).toContain('`X-Account-Secret`');
  expect(body.messages[0]).toContain('`account_secret`');
});

it.each([
  ['header', { headers: { 'X-Account-Secret': 'usher_secret_wrong' } }],
  ['URL parameter', { query: 'account_secret=usher_secret_wrong' }],
  ['body key', { body: { account_secret: 'usher_secret_wrong' } }],
  ['body key that is no text', { body: { account_secret: { $ne: null } } }],
  ['URL parameter given twice', { query: 'account_secret=a&account_secret=b' }],
])('rejects a wrong secret as %s', async (_, sent) => {
  expect((await api.send('POST', '/', { as: null, ...sent })).status).toBe(403);
});

it('rejects a wrong header even if the parameter is right', async () => {
  const { status } = await api.post('/', secret(), { as: { account_secret: 'usher_secret_wrong' } });
  expect(status).toBe(403);
});

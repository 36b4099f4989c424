import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, newEmail, startApi } from '../../test/api.ts';
import { type CreatedAccount, createAccount } from '../features/team/accounts/create-account.ts';
import { activeSecrets, secretOf, signatureHeaders } from './secret.ts';

const DAY = 24 * 60 * 60_000;
let clock = Date.UTC(2029, 3, 7);
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => clock });
});
afterAll(() => api.stop());

let as: CreatedAccount;
beforeEach(async () => {
  as = await createAccount(api.app, { name: 'Acme', email: newEmail() });
});

const path = '/v3/edit/webhooks';
let count = 0;
async function add(by = as) {
  const params = { url: `https://example.com/secret/${++count}`, topics: ['tour.*'] };
  const { status, body } = await api.post(path, params, { as: by });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.webhook;
}
const rotate = (id: string) => api.post(`${path}/${id}/rotate`, {}, { as });

/** The secrets that sign for a webhook now. */
async function signing(id: string): Promise<string[]> {
  const { account_id } = as;
  const query = api.app.storage.reader(account_id).selectFrom('webhooks').selectAll();
  const row = await query.where('account_id', '=', account_id).where('id', '=', id).executeTakeFirstOrThrow();
  const account = await api.app.publishedCache.account(account_id);
  return activeSecrets(account?.visitKey ?? '', row, clock);
}

describe('signature', () => {
  it('matches the signatures and headers of the test vector', () => {
    const body =
      '{"id":"5fb70dcbc39330000325a817","kind":"ping","sent_at":"2029-12-11T00:28:59.650Z","data":{"account":{"id":"58918bc07de121000432e9c0","domain":"acme.co","name":"Acme Corp"}}}';
    const at = Date.parse('2029-12-11T00:28:59.650Z');
    const headers = signatureHeaders(['whsec_test_0123456789'], '5fb70dcbc39330000325a817', at, body);
    expect(headers['x-usher-signature']).toBe('30e6fac90a6b56401bcc1445e26afdf56abbdc1f3aa4425537f151d19bc115bd');
    expect(headers['x-usher-id']).toBe('5fb70dcbc39330000325a817');
    expect(headers['webhook-id']).toBe('5fb70dcbc39330000325a817');
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(at / 1000)));
    expect(Object.keys(headers)).toHaveLength(5);
  });

  it.each([
    ['', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    [' without the word before it', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ])('matches the published Standard Webhooks signature for a secret%s', (_, secret) => {
    const headers = signatureHeaders([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330_000, '{"test": 2432232314}');
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('signs the UTF-8 bytes of the body', () => {
    const body = '{"data":{"name":"Zoë 😀"}}';
    const { 'x-usher-signature': signature } = signatureHeaders(['whsec_x'], 'i', 0, body);
    expect(signature).toBe(createHmac('sha256', 'whsec_x').update(Buffer.from(body, 'utf8')).digest('hex'));
  });

  it('uses only the new secret in our header, and both in the standard header, newest first', () => {
    const [one, two] = ['new', 'old'].map((secret) => signatureHeaders([secret], 'i', 7000, '{}'));
    const both = signatureHeaders(['new', 'old'], 'i', 7000, '{}');
    expect(both['x-usher-signature']).toBe(one?.['x-usher-signature']);
    expect(both['webhook-signature']).toBe(`${one?.['webhook-signature']} ${two?.['webhook-signature']}`);
  });
});

describe('secret', () => {
  it('has 32 bytes and differs for every webhook, version and account', async () => {
    const [one, other, foreign] = [await add(), await add(), await add(api.other)];
    const rotated = (await rotate(one.id)).body.webhook;
    const secrets = [one, other, foreign, rotated].map(({ secret }) => secret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(4);
    expect(secretOf('key', { id: one.id, secret_version: 1, own_secret: null })).not.toBe(one.secret);
  });

  it('is shown only when it is created', async () => {
    const { secret, ...webhook } = await add();
    const responses = [
      await api.get(`${path}/${webhook.id}`, { as }),
      await api.patch(`${path}/${webhook.id}`, { name: 'Shown' }, { as }),
      await api.get(path, { as }),
      await api.post(`${path}/${webhook.id}/ping`, {}, { as }),
      await api.get(`${path}/${webhook.id}/items`, { as }),
      await api.send('DELETE', `${path}/${webhook.id}`, { as }),
    ];
    for (const { text } of responses) expect(text).not.toContain('whsec_');
    expect(secret).toMatch(/^whsec_/);
    expect(responses[0]?.body).toEqual({ webhook });
  });

  it('is stored in no table', async () => {
    const { id, secret } = await add();
    const { secret: rotated } = (await rotate(id)).body.webhook;
    const { storage } = api.app;
    const rows = JSON.stringify([
      await storage.reader(null).selectFrom('accounts').selectAll().execute(),
      await storage
        .reader(as.account_id)
        .selectFrom('webhooks')
        .selectAll()
        .where('account_id', '=', as.account_id)
        .execute(),
    ]);
    expect(rows).toContain(id);
    for (const one of [secret, rotated]) expect(rows).not.toContain(one.slice(6, 40));
    expect(rows).not.toContain('whsec_');
  });

  it('signs the requests', async () => {
    const { id, secret } = await add();
    expect(await signing(id)).toEqual([secret]);
  });

  it('still signs for 24 hours after a rotation, beside the new one', async () => {
    const { id, secret: first, updated_at } = await add();
    clock += 1000;
    const { status, body } = await rotate(id);
    expect(status).toBe(200);
    const { secret: second, ...rotated } = body.webhook;
    expect(rotated).toMatchObject({ id, secret_rotated_at: new Date(clock).toISOString() });
    expect(rotated.updated_at > updated_at).toBe(true);
    expect(await signing(id)).toEqual([second, first]);
    clock += DAY - 1;
    expect(await signing(id)).toEqual([second, first]);
    clock += 1;
    expect(await signing(id)).toEqual([second]);
  });

  it('stops signing after a second rotation, when only the previous secret still signs', async () => {
    const { id } = await add();
    const second = (await rotate(id)).body.webhook.secret;
    clock += 1000;
    const third = (await rotate(id)).body.webhook.secret;
    expect(await signing(id)).toEqual([third, second]);
  });

  it('differs after each of many rotations at the same time', async () => {
    const { id, secret } = await add();
    const responses = await Promise.all(Array.from({ length: 8 }, () => rotate(id)));
    const made = responses.map(({ body }) => body.webhook.secret);
    expect(new Set([secret, ...made]).size).toBe(9);
    expect(made).toContain((await signing(id))[0]);
  });
});

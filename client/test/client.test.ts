import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../server/src/webhooks/secret.ts';
import { type Api, startApi } from '../../server/test/api.ts';
import { makeLiveTour, makeSeenProfile } from '../../server/test/delivery-path.ts';
import { examplesIn } from '../../server/test/docs-examples.ts';
import { newUid, openDomain, visit } from '../../server/test/visiting.ts';
import { identityHash, readWebhook, Usher, UsherError, uidHash, verifyWebhook } from '../src/index.ts';
import { reject, startProxy } from './proxy.ts';

let api: Api;
let usher: Usher;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  usher = new Usher({ url: api.url, secret: api.account.account_secret });
});
afterAll(() => api.stop());

let count = 0;
const newHost = () => `c${++count}.example.com`;

async function startClient(intercept: Parameters<typeof startProxy>[1]) {
  const { requests, url } = await startProxy(api, intercept);
  return { requests, client: new Usher({ url, secret: api.account.account_secret, timeout: 5 }) };
}

describe('request', () => {
  it('does not send the secret to where a redirect leads', async () => {
    const other = await startProxy(api, (_, response) => reject(response, 200, {}));
    const { client } = await startClient((_, response) => {
      response.writeHead(307, { location: other.url }).end();
      return 'done';
    });
    await expect(client.check()).rejects.toMatchObject({ name: 'UsherError', code: 307 });
    expect(other.requests).toEqual([]);
  });

  it('puts params into the path, the query and the body', async () => {
    expect(await usher.check()).toMatchObject({ account: { id: api.account.account_id } });
    const { url } = await usher.request('POST /v3/edit/urls', { host: newHost(), enabled: 'on' });
    expect((await usher.request('GET /v3/edit/urls/{id}', { id: url.id })).url).toEqual(url);
    const changed = await usher.request('PATCH /v3/edit/urls/{id}', { id: url.id, enabled: 'off' });
    expect(changed.url.enabled).toBe('off');
    await usher.request('POST /v3/observe/hooks/profiles', { uid: 'ann', company: { uid: 'acme' }, plan: 'pro' });
    const { profile } = await usher.request('GET /v3/analyze/profile', { uid: 'ann' });
    const { profiles } = await usher.request('GET /v3/analyze/profiles', {
      expand: { company: 'skip' },
      filters: [{ prop: 'plan', op: 'eq', value: 'pro' }],
    });
    expect(profiles.map(({ id }) => id)).toEqual([profile.id]);
    expect(profiles[0]?.company).toBeUndefined();
  });

  it('throws before it sends a path without an ID', async () => {
    await expect(usher.request('DELETE /v3/edit/segments/{id}', { id: '' })).rejects.toThrow('needs `id`');
  });

  it('throws errors with code, messages, errors and the ID of the request', async () => {
    const error = await usher.request('POST /v3/edit/urls', { host: 'not a host' }).catch((caught) => caught);
    expect(error).toBeInstanceOf(UsherError);
    expect(error).toMatchObject({ code: 422, errors: [{ param: 'host' }], requestId: expect.stringMatching(/./) });
    expect(error.message).toContain('`host`');
    const wrong = new Usher({ url: api.url, secret: 'wrong' });
    await expect(wrong.check()).rejects.toMatchObject({ code: 403 });
  });

  it('sends again after 429 and 503, after as many seconds as `wait` says', async () => {
    const { client, requests } = await startClient((_, response, attempt) => {
      if (attempt === 1) return reject(response, 429, { messages: ['Too many'], wait: 1 });
      return attempt === 2 ? reject(response, 503, { messages: ['Later'] }) : 'pass';
    });
    const start = performance.now();
    await client.request('GET /v3/edit/urls');
    expect(performance.now() - start).toBeGreaterThan(1000);
    expect(requests).toHaveLength(3);
  });

  it('throws a 429 whose `wait` is too long, and sends nothing again that would be rejected again', async () => {
    const { client, requests } = await startClient((request, response) =>
      request.method === 'GET' ? reject(response, 429, { messages: ['Too many'], wait: 3600, limit: 5 }) : 'pass',
    );
    await expect(client.request('GET /v3/edit/urls')).rejects.toMatchObject({ code: 429, wait: 3600, limit: 5 });
    await expect(client.request('POST /v3/edit/tags', {} as never)).rejects.toMatchObject({ code: 422 });
    expect(requests).toHaveLength(2);
  });

  it('creates one record when the response to a POST with a key was lost, and does not guess without a key', async () => {
    const { client, requests } = await startClient((_, _response, attempt) => (attempt % 2 === 1 ? 'lose' : 'pass'));
    const name = `Tag ${++count}`;
    const { tag } = await client.request('POST /v3/edit/tags', { name }, { idempotencyKey: `key ${count}` });
    const { tags } = await usher.request('GET /v3/edit/tags', { limit: 500 });
    expect(tags.filter((one) => one.name === name).map(({ id }) => id)).toEqual([tag.id]);
    await expect(client.request('POST /v3/edit/tags', { name: `Tag ${++count}` })).rejects.toThrow();
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(2);
  });

  it('stops waiting when its signal is aborted', async () => {
    const { client, requests } = await startClient((_, response) =>
      reject(response, 429, { messages: ['No'], wait: 30 }),
    );
    const controller = new AbortController();
    const pending = client.request('GET /v3/edit/urls', {}, { signal: controller.signal });
    const outcome = expect(pending).rejects.toThrow('enough');
    await expect.poll(() => requests).toHaveLength(1);
    controller.abort(new Error('enough'));
    await outcome;
    expect(requests).toHaveLength(1);
  });
});

describe('list', () => {
  it('reads page after page, and only as many as needed', async () => {
    const { client, requests } = await startClient(() => 'pass');
    const ids: string[] = [];
    for (let index = 0; index < 5; index++)
      ids.unshift((await usher.request('POST /v3/edit/segments', { name: `S ${index}`, items: [] })).segment.id);
    const found: string[] = [];
    for await (const { id } of client.list('GET /v3/edit/segments', { limit: 2 })) found.push(id);
    expect(found.slice(0, 5)).toEqual(ids);
    requests.length = 0;
    for await (const { id } of client.list('GET /v3/edit/segments', { limit: 2 })) if (id === ids[1]) break;
    expect(requests).toHaveLength(1);
  });

  it('reads lists whose records are there under two names', async () => {
    const { url_group } = await usher.request('POST /v3/edit/url_groups', { name: 'Staging' });
    for await (const group of usher.list('GET /v3/edit/url_groups')) expect(group).toEqual(url_group);
  });
});

describe('deliveries', () => {
  it('creates one for an idempotency key, replaces and cancels', async () => {
    const model_id = await makeLiveTour(api, api.account);
    const profile_id = await makeSeenProfile(api, api.account);
    const params = { model_kind: 'tour', model_id, profile_id } as const;
    const once = { ...params, idempotency_key: 'welcome' };
    const first = await usher.deliveries.create(once);
    expect((await usher.deliveries.create(once)).id).toBe(first.id);
    const second = await usher.deliveries.replace(params);
    const pending: string[] = [];
    for await (const { id } of usher.deliveries.list({ profile_id })) pending.push(id);
    expect(pending).toEqual([second.id]);
    expect(await usher.deliveries.cancel(second.id)).toBe(true);
    expect(await usher.deliveries.cancel(second.id)).toBe(false);
  });
});

describe('sync', () => {
  it('passes every Change once, oldest first, and repeats from the last point after a failure', async () => {
    const { tour } = await usher.request('POST /v3/edit/tours', { name: 'One' });
    const seen: string[] = [];
    const each = ({ experience_id, id }: { experience_id: string | null; id: string }) => {
      if (experience_id === tour.id) seen.push(id);
    };
    let after = await usher.sync.changes({ each });
    const begun = seen.length;
    expect(begun).toBeGreaterThan(0);
    for (const name of ['Two', 'Three']) await usher.request('PATCH /v3/edit/tours/{id}', { id: tour.id, name });
    const fail = () => {
      throw new Error('the warehouse is down');
    };
    await expect(usher.sync.changes({ after, each: fail })).rejects.toThrow('warehouse');
    after = await usher.sync.changes({ after, each });
    expect(await usher.sync.changes({ after, each })).toBe(after);
    expect(seen.length).toBe(begun + 2);
    expect(seen).toEqual([...seen].sort());
  });

  it('passes an Interaction again when it has changed since', async () => {
    await openDomain(api, api.account);
    const steps = [{ title: 'Hello', body: 'There', buttons: [{ text: 'Next' }] }];
    const { tour } = await usher.request('POST /v3/edit/tours', { name: 'Live', steps, published_at: '$now' });
    const states: string[] = [];
    const sync = (after: string | null) =>
      usher.sync.interactions(tour.id, { after, each: ({ state }) => void states.push(state) });
    const { body } = await visit(api, { uid: newUid() });
    const report = (state: string) =>
      api.post(
        '/v3/observe/interactions',
        { visit_token: body.visit.token, experience_id: tour.id, showing: 0, state },
        { as: null },
      );
    let after = await sync(null);
    expect((await report('started')).status).toBe(200);
    after = await sync(after);
    after = await sync(after);
    await report('completed');
    await sync(after);
    expect(states).toEqual(['started', 'completed']);
  });
});

describe('translations', () => {
  it('pulls a file, and pushes it in another language', async () => {
    const { tour } = await usher.request('POST /v3/edit/tours', { name: 'Texts', steps: [{ title: 'Hello' }] });
    const file = await usher.translations.pull({ kind: 'tours', id: tour.id });
    expect(file).toMatchObject({ language: { code: 'default' }, experiences: [{ id: tour.id }] });
    const translated = JSON.parse(JSON.stringify(file).replace('"default"', '"de"').replace('Hello', 'Hallo'));
    expect(await usher.translations.push([translated])).toMatchObject({
      i18ns: [{ language: { code: 'de' }, updated_count: 1, errors: [] }],
    });
    const some = await usher.translations.pull({ experiences: [{ kind: 'tour', id: tour.id }], language: 'de' });
    expect(JSON.stringify(some)).toContain('Hallo');
  });
});

describe('hashes for pages', () => {
  it('proves who the user of a page is', async () => {
    const { uid_secret: secret } = await usher.request('POST /v3/edit/account/uid_secret');
    if (secret === null) throw new Error('The secret is shown only once');
    const check = async (params: object) =>
      (await usher.request('POST /v3/analyze/identity_checks', params as never)).identity_check.valid;
    expect(await check({ uid: 'ann', uid_hash: await uidHash(secret, 'ann') })).toBe(true);
    expect(await check({ uid: 'bob', uid_hash: await uidHash(secret, 'ann') })).toBe(false);
    const identity_hash = await identityHash(secret, { uid: 'ann', email: 'ann@example.com', companyUid: 'acme' });
    const sent = { uid: 'ann', email: 'ann@example.com', company_uid: 'acme', identity_hash };
    expect([await check(sent), await check({ ...sent, email: 'eve@example.com' })]).toEqual([true, false]);
    await expect(identityHash(secret, { uid: 'a\nb' })).rejects.toThrow('line break');
  });
});

describe('webhooks', () => {
  const secret = 'whsec_dGhpcyBpcyB0aGUgbmV3IHNlY3JldCBvZiB0aGUgZ3VpZGU=';
  const body = '{"id":"5fb70dcbc39330000325a817","kind":"ping","data":{"account":{"name":"Äcme"}}}';
  const at = 1891643339_000;
  const now = at / 1000 + 1;
  const signed = (secrets = [secret]) => signatureHeaders(secrets, '5fb70dcbc39330000325a817', at, body);

  it('accepts what the server signs, also after a rotation, and rejects everything else', async () => {
    const other = `whsec_${btoa('another secret')}`;
    expect(await verifyWebhook(secret, signed(), body, { now })).toBe(true);
    expect(await verifyWebhook(secret, new Headers(signed([other, secret])), body, { now })).toBe(true);
    expect(await verifyWebhook([other, secret], signed(), new TextEncoder().encode(body), { now })).toBe(true);
    for (const [wrongSecret, headers, wrongBody, wrongNow] of [
      [other, signed(), body, now],
      [secret, signed(), body.replace('Äcme', 'Evil'), now],
      [secret, signed(), body, now + 300],
      [secret, signed(), body, now - 400],
      [secret, { ...signed(), 'webhook-id': 'other' }, body, now],
      [secret, { ...signed(), 'webhook-timestamp': '1891643340' }, body, now],
      [secret, { ...signed(), 'webhook-signature': 'v1,not base64!' }, body, now],
      [secret, { ...signed(), 'webhook-signature': '' }, body, now],
      [secret, {}, body, now],
    ] as const)
      expect(await verifyWebhook(wrongSecret, headers, wrongBody, { now: wrongNow })).toBe(false);
    await expect(verifyWebhook('', signed(), body)).rejects.toThrow('`secret` is missing');
  });

  it('accepts `X-Usher-Signature` alone only when it should', async () => {
    const { 'x-usher-signature': signature } = signed();
    const headers = { 'X-Usher-Signature': signature };
    expect(await verifyWebhook(secret, headers, body)).toBe(false);
    expect(await verifyWebhook(secret, headers, body, { acceptUntimed: true })).toBe(true);
    expect(await verifyWebhook(secret, headers, `${body} `, { acceptUntimed: true })).toBe(false);
  });

  it('parses a payload whose `kind` says what its `data` is', async () => {
    const event = await readWebhook(secret, signed(), body, { now });
    if (event.kind !== 'ping') throw new Error(event.kind);
    expect(event.data.account.name).toBe('Äcme');
    await expect(readWebhook(secret, signed(), '{}', { now })).rejects.toThrow('not valid');
  });
});

it('runs the first example of its README', async () => {
  const own = await startApi();
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [example] = examplesIn(readme);
  const lines: string[] = [];
  const names = ['Usher', 'process', 'console'];
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction(...names, (example?.code ?? '').replace(/^import .*$/m, ''))(
    Usher,
    { env: { USHER_URL: own.url, ACCOUNT_SECRET: own.account.account_secret } },
    { log: (...values: unknown[]) => lines.push(values.join(' ')) },
  );
  expect(`${lines.join('\n')}\n`).toBe(example?.output);
});

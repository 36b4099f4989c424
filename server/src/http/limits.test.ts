import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { resolveReference } from '../../test/published-schema.ts';
import { newUid, openDomain, PAGE, visit } from '../../test/visiting.ts';
import { createApp, pageRoutes, routes } from '../app.ts';
import { createSecret } from '../features/team/secrets/create-secret.ts';
import { revokeSecret } from '../features/team/secrets/revoke-secret.ts';
import { createLog } from '../log/log.ts';
import { readSettings } from '../settings/settings.ts';
import { networkOf } from './client-network.ts';
import { Limits, SlidingCounter } from './limits.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

const START = Date.UTC(2026, 0, 1);
let now = START;
beforeEach(() => {
  now = START;
});

const start = (env: NodeJS.ProcessEnv) => startApi({ env, now: () => now });
const from = (address: string) => ({ 'X-Forwarded-For': address });
const behindProxy = { USHER_TRUST_PROXY: '127.0.0.1' };

/** The statuses of this many requests, one after the other. */
async function statusesOf(many: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < many; n++) statuses.push((await send()).status);
  return statuses;
}

/** The status of a request that sends only its headers and the first byte of its body. */
async function statusWithoutBody({ url }: Api, head: string[]): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join('\r\n')}\r\nHost: usher\r\n\r\n{`);
  const response = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+) /.exec(response)?.[1]);
}

/** What a response says about a limit. */
function limitOf({ status, headers, body }: ApiResponse) {
  const [limit, wait, retry] = ['X-Ratelimit-Limit', 'X-Ratelimit-Wait', 'Retry-After'].map((name) =>
    headers.get(name),
  );
  return { status, limit, wait, retry, body };
}

function limited(limit: number, wait: number, message: string) {
  const text = String(wait);
  const body = { code: 429, messages: [message], wait };
  return { status: 429, limit: String(limit), wait: text, retry: text, body };
}

describe('the limit per secret', () => {
  it('says with every response how many requests are left', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '3' });
    const left = ({ headers }: ApiResponse) =>
      ['X-Ratelimit-Limit', 'X-Ratelimit-Remaining'].map((name) => headers.get(name));
    expect(left(await api.get('/'))).toEqual(['3', '2']);
    expect(left(await api.get('/v3/edit/nothing'))).toEqual([null, null]);
    expect(left(await api.post('/v3/edit/urls', {}))).toEqual(['3', '1']);
    expect(left(await api.get('/v3/edit/urls'))).toEqual(['3', '0']);
    const rejected = await api.get('/');
    expect([rejected.status, ...left(rejected)]).toEqual([429, '3', '0']);
    expect(rejected.headers.get('X-Retry-After')).toBe(rejected.headers.get('Retry-After'));
    // As the period slides, so does what is left.
    now += 90_000;
    expect(left(await api.get('/'))).toEqual(['3', '1']);
    expect(left(await api.get('/', { as: api.other }))).toEqual(['3', '2']);
  });

  it('says nothing where there is no limit, or no secret', async () => {
    const unlimited = await start({ USHER_LIMIT_PER_SECRET: '0' });
    expect((await unlimited.get('/')).headers.has('X-Ratelimit-Remaining')).toBe(false);
    const api = await start({});
    expect((await api.get('/healthz', { as: null })).headers.has('X-Ratelimit-Remaining')).toBe(false);
  });

  it('returns 429 with the time to wait after the last allowed request', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '3' });
    expect(await statusesOf(3, () => api.get('/'))).toEqual([200, 200, 200]);
    expect(limitOf(await api.get('/'))).toEqual(
      limited(3, 60, 'A secret may make 3 requests in a minute: try again in 60 seconds'),
    );
    now += 58_001;
    expect(limitOf(await api.get('/'))).toEqual(
      limited(3, 2, 'A secret may make 3 requests in a minute: try again in 2 seconds'),
    );
    now += 1998;
    expect(limitOf(await api.get('/'))).toEqual(
      limited(3, 1, 'A secret may make 3 requests in a minute: try again in a second'),
    );
  });

  it('allows more requests step by step as a minute passes', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '3' });
    const at = async (passed: number) => {
      now = START + passed;
      return statusesOf(2, () => api.get('/'));
    };
    expect(await statusesOf(3, () => api.get('/'))).toEqual([200, 200, 200]);
    expect(await at(59_999)).toEqual([429, 429]);
    expect(await at(60_000)).toEqual([200, 429]);
    expect(await at(79_999)).toEqual([429, 429]);
    expect(await at(80_000)).toEqual([200, 429]);
    expect(await at(100_000)).toEqual([200, 429]);
    expect(await at(240_000)).toEqual([200, 200]);
  });

  it('counts each secret separately, also within an account', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '1' });
    const second = await createSecret(api.app, { accountId: api.account.account_id, name: 'Second' });
    expect(await statusesOf(2, () => api.get('/'))).toEqual([200, 429]);
    expect(await statusesOf(2, () => api.get('/', { as: second }))).toEqual([200, 429]);
    expect(await statusesOf(2, () => api.get('/', { as: api.other }))).toEqual([200, 429]);
  });

  it('counts a request wherever its secret is and whatever its status is', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '6' });
    const { account_secret } = api.account;
    const bare = { as: null };
    const statuses = [
      (await api.get('/', { ...bare, query: `account_secret=${account_secret}` })).status,
      (await api.post('/', { account_secret }, bare)).status,
      (await api.post(`/v3/observe/hooks/${account_secret}/profiles`, { uid: '1' }, bare)).status,
      (await api.get(`/v3/edit/urls/${'f'.repeat(24)}`)).status,
      (await api.post('/v3/edit/urls', { host: '' })).status,
      (await visit(api, { uid: newUid(), explain: true }, { headers: { 'X-Account-Secret': account_secret } })).status,
    ];
    expect(statuses).toEqual([200, 200, 200, 404, 422, 200]);
    expect((await api.get('/')).status).toBe(429);
  });

  it('counts a batch as one request', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '3' });
    const { account_secret } = api.account;
    const profiles = [{ uid: '1' }];
    const statuses = [
      (await api.post('/v3/observe/hooks/profiles/batch', { profiles })).status,
      (await api.post(`/v3/observe/hooks/${account_secret}/profiles/batch`, { profiles }, { as: null })).status,
      (await api.post('/v3/observe/hooks/profiles/batch', { profiles, account_secret }, { as: null })).status,
    ];
    expect(statuses).toEqual([202, 202, 202]);
    expect((await api.post('/v3/observe/hooks/profiles/batch', { profiles })).status).toBe(429);
  });

  it('counts a batch with two secrets for the one that is used', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '1' });
    const batch = () =>
      api.post(
        '/v3/observe/hooks/profiles/batch',
        { profiles: [{ uid: '1' }], account_secret: api.other.account_secret },
        { as: null, query: `account_secret=${api.account.account_secret}` },
      );
    expect((await batch()).status).toBe(202);
    expect((await api.get('/', { as: api.other })).status).toBe(429);
  });

  it('rejects a batch above the limit before its body arrives', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '1' });
    await api.get('/');
    const head = [
      'POST /v3/observe/hooks/profiles/batch HTTP/1.1',
      `X-Account-Secret: ${api.account.account_secret}`,
      'Content-Length: 10000000',
    ];
    expect(await statusWithoutBody(api, head)).toBe(429);
  });

  it('allows no more than the limit when requests come at the same time', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '5' });
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.get('/')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

describe('the limit per address', () => {
  const load = (api: Api, headers: Record<string, string> = {}, as = api.account) =>
    visit(api, { uid: newUid() }, { headers, as });

  it('returns 429 to pages above the limit, with headers that the script can read', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '3' });
    await openDomain(api);
    expect(await statusesOf(3, () => load(api))).toEqual([200, 200, 200]);
    const response = await load(api);
    expect(limitOf(response)).toEqual(
      limited(3, 60, 'Pages may make 3 requests in a minute from one address: try again in 60 seconds'),
    );
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Access-Control-Expose-Headers')).toBe(
      'X-Ratelimit-Limit, X-Ratelimit-Wait, X-Retry-After, Retry-After',
    );
    now += 59_999;
    expect((await load(api)).status).toBe(429);
    now += 1;
    expect(await statusesOf(2, () => load(api))).toEqual([200, 429]);
  });

  it('counts page loads and reports of an address together', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '3' });
    await openDomain(api);
    const { body } = await load(api);
    const track = () =>
      api.post('/v3/observe/events', { visit_token: body.visit.token, name: 'Seen', href: PAGE }, { as: null });
    expect(await statusesOf(2, track)).toEqual([200, 200]);
    expect((await load(api)).status).toBe(429);
    expect((await track()).status).toBe(429);
  });

  it('counts an address across all accounts, and separately from secrets', async () => {
    const api = await start({ ...behindProxy, USHER_LIMIT_PER_ADDRESS: '1', USHER_LIMIT_PER_SECRET: '10' });
    await openDomain(api);
    await openDomain(api, api.other);
    expect(await statusesOf(2, () => load(api, from('192.0.2.1')))).toEqual([200, 429]);
    expect(await statusesOf(2, () => load(api, from('192.0.2.2')))).toEqual([200, 429]);
    expect((await load(api, from('192.0.2.1'), api.other)).status).toBe(429);
    expect((await api.get('/', { headers: from('192.0.2.1') })).status).toBe(200);
  });

  it('rejects a request of a page above the limit before its body arrives', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(api);
    await load(api);
    expect(await statusWithoutBody(api, ['POST /v3/observe/visits HTTP/1.1', 'Content-Length: 100000'])).toBe(429);
  });

  it('counts requests for the script and its files too', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '2' });
    await openDomain(api);
    const script = () => fetch(`${api.url}/script/${api.account.account_token}.js`);
    expect(await statusesOf(2, script)).toEqual([200, 200]);
    const after = [script, () => fetch(`${api.url}/script/files/any.js`), () => load(api)];
    expect(await Promise.all(after.map(async (send) => (await send()).status))).toEqual([429, 429, 429]);
  });

  it('uses the forwarded address only from a trusted proxy', async () => {
    const open = await start({ USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(open);
    expect((await load(open, from('192.0.2.1'))).status).toBe(200);
    expect((await load(open, from('192.0.2.2'))).status).toBe(429);
    const behind = await start({ ...behindProxy, USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(behind);
    expect((await load(behind, from('192.0.2.7, 192.0.2.1'))).status).toBe(200);
    expect((await load(behind, from('192.0.2.8, 192.0.2.1'))).status).toBe(429);
  });

  it('counts all IPv6 addresses of a /64 as one', async () => {
    const api = await start({ ...behindProxy, USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(api);
    expect((await load(api, from('2001:db8:1:2::1'))).status).toBe(200);
    expect((await load(api, from('2001:db8:1:2:ffff::9'))).status).toBe(429);
    expect((await load(api, from('2001:db8:1:3::1'))).status).toBe(200);
  });

  it('does not count preflight requests', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(api);
    const preflight = () =>
      fetch(`${api.url}/v3/observe/visits`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' },
      });
    expect(await statusesOf(5, preflight)).toEqual([204, 204, 204, 204, 204]);
    expect(await statusesOf(2, () => load(api))).toEqual([200, 429]);
    expect((await preflight()).status).toBe(204);
  });
});

describe('the limit for wrong secrets', () => {
  const tryOne = (api: Api, secret: string, address = '192.0.2.1') =>
    api.get('/', { as: { account_secret: secret }, headers: from(address) });
  const startBehindProxy = (limit: number) => start({ ...behindProxy, USHER_LIMIT_WRONG_SECRETS: String(limit) });

  it('returns 403 for wrong secrets up to the limit and 429 above it', async () => {
    const api = await startBehindProxy(3);
    expect(await statusesOf(3, () => tryOne(api, newUid()))).toEqual([403, 403, 403]);
    const expected = limited(
      3,
      60,
      'An address may try 3 wrong secrets or tokens in a minute: try again in 60 seconds',
    );
    expect(limitOf(await tryOne(api, newUid()))).toEqual(expected);
    now += 60_000;
    expect((await tryOne(api, newUid())).status).toBe(403);
    expect((await tryOne(api, newUid())).status).toBe(429);
  });

  it('counts wrong secrets separately for each address', async () => {
    const api = await startBehindProxy(1);
    expect(await statusesOf(2, () => tryOne(api, newUid()))).toEqual([403, 429]);
    expect((await tryOne(api, api.account.account_secret, '192.0.2.2')).status).toBe(200);
    expect(await statusesOf(2, () => tryOne(api, newUid(), '192.0.2.2'))).toEqual([403, 429]);
  });

  it('never locks out a valid secret, even one that is new at the address', async () => {
    const api = await startBehindProxy(1);
    expect(await statusesOf(3, () => tryOne(api, newUid()))).toEqual([403, 429, 429]);
    expect((await tryOne(api, api.account.account_secret)).status).toBe(200);
    expect((await tryOne(api, api.other.account_secret)).status).toBe(200);
    expect((await tryOne(api, newUid())).status).toBe(429);
  });

  it('counts wrong tokens too, and never locks out a valid token', async () => {
    const api = await startBehindProxy(4);
    await openDomain(api);
    const headers = from('192.0.2.1');
    const load = (account_token: string) =>
      api.post('/v3/observe/visits', { account_token, uid: newUid(), href: PAGE }, { as: null, headers });
    const report = () =>
      api.post('/v3/observe/events', { visit_token: 'wrong', name: 'Seen', href: PAGE }, { as: null, headers });
    const script = (token: string) => fetch(`${api.url}/script/${token}.js`, { headers });
    const statuses = [(await load('wrong')).status, (await report()).status, (await script('wrong')).status];
    expect([...statuses, (await tryOne(api, 'wrong')).status]).toEqual([403, 403, 200, 403]);
    const over = [() => load('wrong'), report, () => script('wrong'), () => tryOne(api, 'wrong')];
    expect(await Promise.all(over.map(async (send) => (await send()).status))).toEqual([429, 429, 429, 429]);
    const { account_token } = api.account;
    expect([(await load(account_token)).status, (await script(account_token)).status]).toEqual([200, 200]);
  });

  it('counts a revoked secret as wrong immediately', async () => {
    const api = await startBehindProxy(1);
    const { account_id } = api.account;
    const { id, account_secret } = await createSecret(api.app, { accountId: account_id, name: 'Second' });
    expect((await tryOne(api, account_secret)).status).toBe(200);
    await revokeSecret(api.app, id);
    expect(await statusesOf(2, () => tryOne(api, account_secret))).toEqual([403, 429]);
  });

  it('counts a wrong secret wherever it is, but not a missing one', async () => {
    const api = await startBehindProxy(4);
    const headers = from('192.0.2.1');
    const bare = { as: null, headers };
    expect(await statusesOf(5, () => api.get('/', bare))).toEqual([403, 403, 403, 403, 403]);
    const statuses = [
      (await api.get('/', { ...bare, query: 'account_secret=wrong' })).status,
      (await api.post('/', { account_secret: 'wrong' }, bare)).status,
      (await api.post('/v3/observe/hooks/wrong/profiles/batch', { profiles: [] }, bare)).status,
      (await visit(api, { explain: true, uid: newUid() }, { headers: { ...headers, 'X-Account-Secret': 'wrong' } }))
        .status,
    ];
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect((await tryOne(api, 'wrong')).status).toBe(429);
  });

  it('returns 503 and counts nothing while the storage is unavailable', async () => {
    const api = await startBehindProxy(1);
    let unavailable = true;
    const storage: Api['app']['storage'] = {
      ...api.app.storage,
      isUnavailable: () => true,
      reader: (accountId) => {
        if (accountId !== null || !unavailable) return api.app.storage.reader(accountId);
        return api.app.storage.reader(null).withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: () => Promise.reject(new Error('unavailable')),
        });
      },
    };
    const settings = readSettings({ USHER_LIMIT_WRONG_SECRETS: '1' });
    const httpApp = createApp({ ...api.app, storage }, settings, createLog('silent'));
    const headers = { 'X-Account-Secret': api.account.account_secret };
    const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const send = async () => (await fetch(url, { headers })).status;
    const statuses = [await send(), await send()];
    unavailable = false;
    await httpApp.close();
    expect(statuses).toEqual([503, 503]);
  });
});

describe('every limit', () => {
  it('limits nothing when a limit is 0', async () => {
    const api = await start({
      USHER_LIMIT_PER_SECRET: '0',
      USHER_LIMIT_PER_ADDRESS: '0',
      USHER_LIMIT_WRONG_SECRETS: '0',
    });
    await openDomain(api);
    expect(await statusesOf(3, () => visit(api, { uid: newUid() }))).toEqual([200, 200, 200]);
    expect(await statusesOf(3, () => api.get('/', { as: { account_secret: 'wrong' } }))).toEqual([403, 403, 403]);
    expect(await statusesOf(3, () => api.get('/'))).toEqual([200, 200, 200]);
  });

  it('does not limit health checks, metrics and the API description', async () => {
    const api = await start({
      USHER_LIMIT_PER_SECRET: '1',
      USHER_LIMIT_PER_ADDRESS: '1',
      USHER_LIMIT_WRONG_SECRETS: '1',
    });
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json'])
      expect(await statusesOf(3, () => fetch(api.url + path))).toEqual([200, 200, 200]);
    expect(await statusesOf(2, () => api.get('/'))).toEqual([200, 429]);
    expect(await statusesOf(2, () => fetch(`${api.url}/healthz`))).toEqual([200, 200]);
    expect(await statusesOf(2, () => fetch(`${api.url}/readyz`))).toEqual([200, 200]);
  });

  it('keeps the connection usable after a 429 with an unread body', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '1' });
    await api.get('/');
    const body = JSON.stringify({ host: 'x'.repeat(900_000) });
    expect(await statusesOf(5, () => api.post('/v3/edit/urls', body))).toEqual([429, 429, 429, 429, 429]);
    expect((await api.get('/', { as: api.other })).status).toBe(200);
  });
});

describe.runIf(engine === 'sqlite')('/openapi.json', () => {
  it('describes 429 and its headers at every endpoint', async () => {
    const { body } = await (await startApi()).get('/openapi.json', { as: null });
    const operations = Object.values(body.paths).flatMap((path) => Object.values(path as object));
    expect(operations.length).toBeGreaterThan([...routes, ...pageRoutes].length);
    for (const { responses } of operations) {
      const { headers, content } = resolveReference<ApiResponse['body']>(body, responses[429]);
      expect(Object.keys(headers)).toEqual(['X-Ratelimit-Limit', 'X-Ratelimit-Wait', 'Retry-After', 'X-Retry-After']);
      const { properties } = content['application/json'].schema;
      expect(Object.keys(properties)).toEqual(['code', 'messages', 'wait', 'limit']);
    }
  });
});

describe.runIf(engine === 'sqlite')('Limits', () => {
  const limitsOf = (limit: number) =>
    new Limits({ limitPerSecret: limit, limitPerAddress: limit, limitWrongSecrets: limit }, () => now);
  const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

  it('keeps at most 100,000 of 300,000 addresses', () => {
    const limits = limitsOf(300_000);
    for (let n = 0; n < 300_000; n++) limits.countPage(address(n));
    expect(limits.size).toBeGreaterThan(50_000);
    expect(limits.size).toBeLessThanOrEqual(100_000);
  });

  it('keeps the count of an address that is still active among many others', () => {
    const limits = limitsOf(30);
    for (let n = 0; n < 250_000; n++) {
      limits.countPage(address(n));
      if (n % 8400 === 0) limits.countPage('192.0.2.1');
    }
    expect(() => limits.countPage('192.0.2.1')).toThrow('Pages may make 30 requests');
  });

  it('drops counts that were not used for some minutes', () => {
    const limits = limitsOf(10);
    for (let n = 0; n < 1000; n++) limits.countPage(address(n));
    now += 120_000;
    limits.countPage('192.0.2.1');
    now += 120_000;
    limits.countPage('192.0.2.1');
    expect(limits.size).toBeLessThanOrEqual(2);
  });

  it('counts nothing without a limit', () => {
    const limits = limitsOf(0);
    for (let n = 0; n < 400_000; n++) limits.countPage('192.0.2.1');
    expect(limits.size).toBe(0);
  });

  /** The limit, and the pauses between requests. */
  const someTraffic = fc.record({
    limit: fc.integer({ min: 1, max: 40 }),
    pauses: fc.array(
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 150_000 })),
      {
        minLength: 1,
        maxLength: 200,
      },
    ),
  });

  /** The times of the requests that were allowed. */
  function allowedOf({ limit, pauses }: { limit: number; pauses: number[] }): number[] {
    const count = new SlidingCounter(0);
    const allowed: number[] = [];
    let at = 0;
    for (const pause of pauses) {
      at += pause;
      if (count.wait(limit, at) > 0) continue;
      count.add(at);
      allowed.push(at);
    }
    return allowed;
  }

  it('allows the limit at the same time, and then no more than the limit per minute', () => {
    fc.assert(
      fc.property(someTraffic, (traffic) => {
        const allowed = allowedOf(traffic);
        for (const [index, first] of allowed.entries())
          for (const minutes of [1, 2, 5]) {
            const within = allowed.slice(index).filter((at) => at < first + minutes * 60_000);
            expect(within.length).toBeLessThanOrEqual(traffic.limit * (minutes + 1));
          }
      }),
    );
  });

  it('never rejects a client with fewer requests than the limit in two minutes', () => {
    fc.assert(
      fc.property(someTraffic, ({ limit, pauses }) => {
        const count = new SlidingCounter(0);
        const allowed: number[] = [];
        let at = 0;
        for (const pause of pauses) {
          at += pause;
          const wait = count.wait(limit, at);
          if (wait > 0) expect(allowed.filter((time) => time > at - 120_000).length).toBeGreaterThanOrEqual(limit);
          else {
            count.add(at);
            allowed.push(at);
          }
        }
      }),
    );
  });

  it('returns the exact time until the next request is allowed', () => {
    fc.assert(
      fc.property(someTraffic, ({ limit, pauses }) => {
        const count = new SlidingCounter(0);
        let at = 0;
        for (const pause of pauses) {
          at += pause;
          const wait = count.wait(limit, at);
          expect(Number.isInteger(wait) && wait >= 0 && wait <= 60_000).toBe(true);
          if (wait > 1) expect(count.wait(limit, at + wait - 1)).toBe(1);
          at += wait;
          expect(count.wait(limit, at)).toBe(0);
          count.add(at);
        }
      }),
    );
  });

  it('continues after the clock was set back', () => {
    const count = new SlidingCounter(1_000_000);
    count.add(1_000_000);
    expect(count.wait(1, 400_000)).toBe(60_000);
    expect(count.wait(1, 459_999)).toBe(1);
    expect(count.wait(1, 460_000)).toBe(0);
  });
});

describe.runIf(engine === 'sqlite')('TwoGenerationCache', () => {
  it('keeps an entry for the set time after its last use', () => {
    const kept = new TwoGenerationCache<number>(100);
    kept.set('a', 'b', 1, 1000);
    expect(kept.get('a', 'b', 1099)).toBe(1);
    expect(kept.get('a', 'b', 1198)).toBe(1);
    expect(kept.get('a', 'b', 1297)).toBe(1);
    expect(kept.get('b', 'a', 1297)).toBe(undefined);
    expect(kept.get('a', 'b', 1600)).toBe(1);
    expect(kept.get('other', 'one', 1700)).toBe(undefined);
    expect(kept.get('other', 'one', 1800)).toBe(undefined);
    expect(kept.get('a', 'b', 1801)).toBe(undefined);
    expect(kept.size).toBe(0);
  });

  it('counts a key once when it is set again', () => {
    const kept = new TwoGenerationCache<number>(100, 2);
    for (let n = 0; n < 10; n++) kept.set('a', 'b', n, 1000);
    expect([kept.size, kept.get('a', 'b', 1000)]).toEqual([1, 9]);
  });

  it('drops the oldest entries when it is full', () => {
    const kept = new TwoGenerationCache<number>(100, 2);
    for (const key of ['1', '2', '3', '4', '5']) kept.set('a', key, 1, 1000);
    expect(kept.size).toBe(3);
    expect(['1', '2', '3', '4', '5'].map((key) => kept.get('a', key, 1000))).toEqual([undefined, undefined, 1, 1, 1]);
  });
});

describe.runIf(engine === 'sqlite')('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:5122', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['2001:db8:1::6', '2001:db8:1:0'],
    ['2001::3:4:5:6:7:8', '2001:0:3:4'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['unknown', 'unknown'],
    ['', ''],
    [undefined, ''],
  ])('counts the address %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each(['x', ':', '::', '.:', ':.', '1:'])('shortens an invalid address that repeats %j', (text) => {
    expect(networkOf(text.repeat(8000)).length).toBeLessThanOrEqual(60);
  });
});

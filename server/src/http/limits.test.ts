import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../test/api.ts';
import { engine } from '../../test/engine.ts';
import { resolveReference } from '../../test/published-schema.ts';
import { newUid, openDomain, PAGE, visit } from '../../test/visiting.ts';
import { createApp, pageRoutes, routes } from '../app.ts';
import { createSecret } from '../features/accounts/create-secret.ts';
import { revokeSecret } from '../features/accounts/revoke-secret.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings.ts';
import { networkOf } from './client-network.ts';
import { Limits, MinuteCounter } from './limits.ts';
import { TwoGenerationCache } from './two-generation-cache.ts';

const START = Date.UTC(2026, 0, 1);
let now = START;
beforeEach(() => {
  now = START;
});

const start = (env: NodeJS.ProcessEnv) => startApi({ env, now: () => now });
const from = (address: string) => ({ 'X-Forwarded-For': address });
const behindProxy = { USHER_TRUST_PROXY: '127.0.0.1' };

/** The statuses of so many answers, one after the other. */
async function statusesOf(many: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < many; n++) statuses.push((await ask()).status);
  return statuses;
}

/** The status of a request of which only the headers and a first byte are sent. */
async function statusWithoutBody({ url }: Api, head: string[]): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join('\r\n')}\r\nHost: usher\r\n\r\n{`);
  const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);
}

/** All that tells a client about a limit. */
function toldBy({ status, headers, body }: ApiResponse) {
  const [limit, wait, retry] = ['X-Ratelimit-Limit', 'X-Ratelimit-Wait', 'Retry-After'].map((name) =>
    headers.get(name),
  );
  return { status, limit, wait, retry, body };
}

function told(limit: number, wait: number, message: string) {
  const text = String(wait);
  const body = { code: 429, messages: [message], wait };
  return { status: 429, limit: String(limit), wait: text, retry: text, body };
}

describe('requests with one secret', () => {
  it('are answered up to the limit, and the next one is told how long to wait', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '3' });
    expect(await statusesOf(3, () => api.get('/'))).toEqual([200, 200, 200]);
    expect(toldBy(await api.get('/'))).toEqual(
      told(3, 60, 'A secret may make 3 requests in a minute: try again in 60 seconds'),
    );
    now += 58_001;
    expect(toldBy(await api.get('/'))).toEqual(
      told(3, 2, 'A secret may make 3 requests in a minute: try again in 2 seconds'),
    );
    now += 1998;
    expect(toldBy(await api.get('/'))).toEqual(
      told(3, 1, 'A secret may make 3 requests in a minute: try again in a second'),
    );
  });

  it('are allowed again bit by bit as a minute passes', async () => {
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

  it('say nothing about other secrets, of this account or of another', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '1' });
    const second = await createSecret(api.app, { accountId: api.account.account_id, name: 'Second' });
    expect(await statusesOf(2, () => api.get('/'))).toEqual([200, 429]);
    expect(await statusesOf(2, () => api.get('/', { as: second }))).toEqual([200, 429]);
    expect(await statusesOf(2, () => api.get('/', { as: api.other }))).toEqual([200, 429]);
  });

  it('count wherever the secret is, and whatever the answer', async () => {
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

  it('count once when they are batches', async () => {
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

  it('count for the secret that is used, when a batch has two', async () => {
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

  it('are refused before a batch is sent', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '1' });
    await api.get('/');
    const head = [
      'POST /v3/observe/hooks/profiles/batch HTTP/1.1',
      `X-Account-Secret: ${api.account.account_secret}`,
      'Content-Length: 10000000',
    ];
    expect(await statusWithoutBody(api, head)).toBe(429);
  });

  it('that are many at once are no more than the limit', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '5' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.get('/')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

describe('requests of pages', () => {
  const load = (api: Api, headers: Record<string, string> = {}, as = api.account) =>
    visit(api, { uid: newUid() }, { headers, as });

  it('are answered up to the limit, and the script can read how long to wait', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '3' });
    await openDomain(api);
    expect(await statusesOf(3, () => load(api))).toEqual([200, 200, 200]);
    const answer = await load(api);
    expect(toldBy(answer)).toEqual(
      told(3, 60, 'Pages may make 3 requests in a minute from one address: try again in 60 seconds'),
    );
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.get('Access-Control-Expose-Headers')).toBe(
      'X-Ratelimit-Limit, X-Ratelimit-Wait, Retry-After',
    );
    now += 59_999;
    expect((await load(api)).status).toBe(429);
    now += 1;
    expect(await statusesOf(2, () => load(api))).toEqual([200, 429]);
  });

  it('count together, whichever token they come with', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '3' });
    await openDomain(api);
    const { body } = await load(api);
    const track = () =>
      api.post('/v3/observe/events', { visit_token: body.visit.token, name: 'Seen', href: PAGE }, { as: null });
    expect(await statusesOf(2, track)).toEqual([200, 200]);
    expect((await load(api)).status).toBe(429);
    expect((await track()).status).toBe(429);
  });

  it('are counted for each address, whichever account they are for, and not for the secret', async () => {
    const api = await start({ ...behindProxy, USHER_LIMIT_PER_ADDRESS: '1', USHER_LIMIT_PER_SECRET: '10' });
    await openDomain(api);
    await openDomain(api, api.other);
    expect(await statusesOf(2, () => load(api, from('192.0.2.1')))).toEqual([200, 429]);
    expect(await statusesOf(2, () => load(api, from('192.0.2.2')))).toEqual([200, 429]);
    expect((await load(api, from('192.0.2.1'), api.other)).status).toBe(429);
    expect((await api.get('/', { headers: from('192.0.2.1') })).status).toBe(200);
  });

  it('are rejected above the limit before their body arrives', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(api);
    await load(api);
    expect(await statusWithoutBody(api, ['POST /v3/observe/visits HTTP/1.1', 'Content-Length: 100000'])).toBe(429);
  });

  it('count together with requests for the script and its files', async () => {
    const api = await start({ USHER_LIMIT_PER_ADDRESS: '2' });
    await openDomain(api);
    const script = () => fetch(`${api.url}/script/${api.account.account_token}.js`);
    expect(await statusesOf(2, script)).toEqual([200, 200]);
    const after = [script, () => fetch(`${api.url}/script/files/any.js`), () => load(api)];
    expect(await Promise.all(after.map(async (ask) => (await ask()).status))).toEqual([429, 429, 429]);
  });

  it('count by the address that a named proxy tells, and by no other', async () => {
    const open = await start({ USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(open);
    expect((await load(open, from('192.0.2.1'))).status).toBe(200);
    expect((await load(open, from('192.0.2.2'))).status).toBe(429);
    const behind = await start({ ...behindProxy, USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(behind);
    expect((await load(behind, from('192.0.2.7, 192.0.2.1'))).status).toBe(200);
    expect((await load(behind, from('192.0.2.8, 192.0.2.1'))).status).toBe(429);
  });

  it('count by the /64 of an IPv6 address', async () => {
    const api = await start({ ...behindProxy, USHER_LIMIT_PER_ADDRESS: '1' });
    await openDomain(api);
    expect((await load(api, from('2001:db8:1:2::1'))).status).toBe(200);
    expect((await load(api, from('2001:db8:1:2:ffff::9'))).status).toBe(429);
    expect((await load(api, from('2001:db8:1:3::1'))).status).toBe(200);
  });

  it('do not count when they only ask whether they may ask', async () => {
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

describe('wrong secrets', () => {
  const tryOne = (api: Api, secret: string, address = '192.0.2.1') =>
    api.get('/', { as: { account_secret: secret }, headers: from(address) });
  const startBehindProxy = (limit: number) => start({ ...behindProxy, USHER_LIMIT_WRONG_SECRETS: String(limit) });

  it('are answered with 403 up to the limit and with 429 above it', async () => {
    const api = await startBehindProxy(3);
    expect(await statusesOf(3, () => tryOne(api, newUid()))).toEqual([403, 403, 403]);
    const apiError = told(3, 60, 'An address may try 3 wrong secrets or tokens in a minute: try again in 60 seconds');
    expect(toldBy(await tryOne(api, newUid()))).toEqual(apiError);
    now += 60_000;
    expect((await tryOne(api, newUid())).status).toBe(403);
    expect((await tryOne(api, newUid())).status).toBe(429);
  });

  it('say nothing about other addresses', async () => {
    const api = await startBehindProxy(1);
    expect(await statusesOf(2, () => tryOne(api, newUid()))).toEqual([403, 429]);
    expect((await tryOne(api, api.account.account_secret, '192.0.2.2')).status).toBe(200);
    expect(await statusesOf(2, () => tryOne(api, newUid(), '192.0.2.2'))).toEqual([403, 429]);
  });

  it('never lock out a right one, also when it was never used at that address', async () => {
    const api = await startBehindProxy(1);
    expect(await statusesOf(3, () => tryOne(api, newUid()))).toEqual([403, 429, 429]);
    expect((await tryOne(api, api.account.account_secret)).status).toBe(200);
    expect((await tryOne(api, api.other.account_secret)).status).toBe(200);
    expect((await tryOne(api, newUid())).status).toBe(429);
  });

  it('count together with wrong tokens, which never lock out a right one either', async () => {
    const api = await startBehindProxy(4);
    await openDomain(api);
    const headers = from('192.0.2.1');
    const load = (account_token: string) =>
      api.post('/v3/observe/visits', { account_token, uid: newUid(), href: PAGE }, { as: null, headers });
    const report = () =>
      api.post('/v3/observe/events', { visit_token: 'wrong', name: 'Seen', href: PAGE }, { as: null, headers });
    const script = (token: string) => fetch(`${api.url}/script/${token}.js`, { headers });
    const statuses = [(await load('wrong')).status, (await report()).status, (await script('wrong')).status];
    expect([...statuses, (await tryOne(api, 'wrong')).status]).toEqual([403, 403, 404, 403]);
    const over = [() => load('wrong'), report, () => script('wrong'), () => tryOne(api, 'wrong')];
    expect(await Promise.all(over.map(async (ask) => (await ask()).status))).toEqual([429, 429, 429, 429]);
    const { account_token } = api.account;
    expect([(await load(account_token)).status, (await script(account_token)).status]).toEqual([200, 200]);
  });

  it('are those that were revoked, too, from the first time on', async () => {
    const api = await startBehindProxy(1);
    const { account_id } = api.account;
    const { id, account_secret } = await createSecret(api.app, { accountId: account_id, name: 'Second' });
    expect((await tryOne(api, account_secret)).status).toBe(200);
    await revokeSecret(api.app, id);
    expect(await statusesOf(2, () => tryOne(api, account_secret))).toEqual([403, 429]);
  });

  it('count wherever they are, and none is not a wrong one', async () => {
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

  it('are none while the storage is away', async () => {
    const api = await startBehindProxy(1);
    let unavailable = true;
    const storage: Api['app']['storage'] = {
      ...api.app.storage,
      isUnavailable: () => true,
      reader: (accountId) => {
        if (accountId !== null || !unavailable) return api.app.storage.reader(accountId);
        return api.app.storage.reader(null).withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: () => Promise.reject(new Error('away')),
        });
      },
    };
    const settings = readSettings({ USHER_LIMIT_WRONG_SECRETS: '1' });
    const httpApp = createApp({ ...api.app, storage }, settings, createLog('silent'));
    const headers = { 'X-Account-Secret': api.account.account_secret };
    const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const ask = async () => (await fetch(url, { headers })).status;
    const refused = [await ask(), await ask()];
    unavailable = false;
    await httpApp.close();
    expect(refused).toEqual([503, 503]);
  });
});

describe('a limit', () => {
  it('of 0 is none', async () => {
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

  it('does not touch what tells how the server is', async () => {
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

  it('leaves the connection as good as before, also with a body that nobody read', async () => {
    const api = await start({ USHER_LIMIT_PER_SECRET: '1' });
    await api.get('/');
    const body = JSON.stringify({ host: 'x'.repeat(900_000) });
    expect(await statusesOf(5, () => api.post('/v3/edit/urls', body))).toEqual([429, 429, 429, 429, 429]);
    expect((await api.get('/', { as: api.other })).status).toBe(200);
  });
});

describe.runIf(engine === 'sqlite')('the description of the API', () => {
  it('tells of 429 and its headers at every endpoint', async () => {
    const { body } = await (await startApi()).get('/openapi.json', { as: null });
    const operations = Object.values(body.paths).flatMap((path) => Object.values(path as object));
    expect(operations).toHaveLength([...routes, ...pageRoutes].flatMap(({ methods }) => methods).length);
    for (const { responses } of operations) {
      const { headers, content } = resolveReference<ApiResponse['body']>(body, responses[429]);
      expect(Object.keys(headers)).toEqual(['X-Ratelimit-Limit', 'X-Ratelimit-Wait', 'Retry-After']);
      const { properties } = content['application/json'].schema;
      expect(Object.keys(properties)).toEqual(['code', 'messages', 'wait', 'limit']);
    }
  });
});

describe.runIf(engine === 'sqlite')('counts', () => {
  const limitsOf = (limit: number) =>
    new Limits({ limitPerSecret: limit, limitPerAddress: limit, limitWrongSecrets: limit }, () => now);
  const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

  it('of a million addresses take no more room than those of a hundred thousand', () => {
    const limits = limitsOf(300_000);
    for (let n = 0; n < 1_000_000; n++) limits.countPage(address(n));
    expect(limits.size).toBeGreaterThan(50_000);
    expect(limits.size).toBeLessThanOrEqual(100_000);
  });

  it('of an address that goes on are kept, however many others come', () => {
    const limits = limitsOf(30);
    for (let n = 0; n < 600_000; n++) {
      limits.countPage(address(n));
      if (n % 20_000 === 0) limits.countPage('192.0.2.1');
    }
    expect(() => limits.countPage('192.0.2.1')).toThrow('Pages may make 30 requests');
  });

  it('go when nothing came for some minutes', () => {
    const limits = limitsOf(10);
    for (let n = 0; n < 1000; n++) limits.countPage(address(n));
    now += 120_000;
    limits.countPage('192.0.2.1');
    now += 120_000;
    limits.countPage('192.0.2.1');
    expect(limits.size).toBeLessThanOrEqual(2);
  });

  it('are not even made without a limit', () => {
    const limits = limitsOf(0);
    for (let n = 0; n < 400_000; n++) limits.countPage('192.0.2.1');
    expect(limits.size).toBe(0);
  });

  /** Pauses between requests, and the limit. */
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

  /** When those requests were allowed. */
  function allowedOf({ limit, pauses }: { limit: number; pauses: number[] }): number[] {
    const count = new MinuteCounter(0);
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

  it('allow a whole minute at once, and then no more than the limit a minute', () => {
    fc.assert(
      fc.property(someTraffic, (requestQueues) => {
        const allowed = allowedOf(requestQueues);
        for (const [index, first] of allowed.entries())
          for (const minutes of [1, 2, 5]) {
            const within = allowed.slice(index).filter((at) => at < first + minutes * 60_000);
            expect(within.length).toBeLessThanOrEqual(requestQueues.limit * (minutes + 1));
          }
      }),
    );
  });

  it('refuse nobody who made fewer than the limit in two minutes', () => {
    fc.assert(
      fc.property(someTraffic, ({ limit, pauses }) => {
        const count = new MinuteCounter(0);
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

  it('tell to the millisecond when the next one is allowed', () => {
    fc.assert(
      fc.property(someTraffic, ({ limit, pauses }) => {
        const count = new MinuteCounter(0);
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

  it('go on after the clock was set back', () => {
    const count = new MinuteCounter(1_000_000);
    count.add(1_000_000);
    expect(count.wait(1, 400_000)).toBe(60_000);
    expect(count.wait(1, 459_999)).toBe(1);
    expect(count.wait(1, 460_000)).toBe(0);
  });
});

describe.runIf(engine === 'sqlite')('what is remembered for a while', () => {
  it('is there for as long as is set after it was last asked for', () => {
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

  it('counts once what is set twice', () => {
    const kept = new TwoGenerationCache<number>(100, 2);
    for (let n = 0; n < 10; n++) kept.set('a', 'b', n, 1000);
    expect([kept.size, kept.get('a', 'b', 1000)]).toEqual([1, 9]);
  });

  it('makes room when there is too much', () => {
    const kept = new TwoGenerationCache<number>(100, 2);
    for (const key of ['1', '2', '3', '4', '5']) kept.set('a', key, 1, 1000);
    expect(kept.size).toBe(3);
    expect(['1', '2', '3', '4', '5'].map((key) => kept.get('a', key, 1000))).toEqual([undefined, undefined, 1, 1, 1]);
  });
});

describe.runIf(engine === 'sqlite')('an address', () => {
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
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each(['x', ':', '::', '.:', ':.', '1:'])('that is %j again and again is cut off', (text) => {
    expect(networkOf(text.repeat(8000)).length).toBeLessThanOrEqual(60);
  });
});

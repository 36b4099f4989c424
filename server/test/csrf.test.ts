import crypto from 'node:crypto';
import { request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { Passwords } from '../src/features/team/persons/passwords.ts';
import { createLog } from '../src/log/log.ts';
import { readSettings } from '../src/settings/settings.ts';
import { type Api, startApi } from './api.ts';
import { addSignedIn, Browser, PASSWORD, storeSession } from './sign-in.ts';

/* Attacks by other sites, by eavesdroppers, and by people who guess passwords. */

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, env: { USHER_LIMIT_SIGN_INS: '0' } });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

interface Received {
  status: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response
  body: any;
  cookies: string[];
}

/** Sends exactly these headers, which fetch would not. */
function send(
  method: string,
  path: string,
  { url = api.url, headers = {}, body = '' }: { url?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(url + path, { method, headers: { ...length, ...headers } });
    sent.on('error', reject).on('response', (response) => {
      readText(response).then((text) => {
        const cookies = response.headers['set-cookie'] ?? [];
        resolve({ status: response.statusCode, body: JSON.parse(text), cookies });
      }, reject);
    });
    sent.end(body);
  });
}

describe('requests that another site makes the browser send', () => {
  const forms: [string, Record<string, string>, string][] = [
    ['JSON', { 'Content-Type': 'application/json' }, '{"name":"New"}'],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'name=New'],
    ['text/plain', { 'Content-Type': 'text/plain' }, '{"name":"New"}'],
    ['no type', {}, '{"name":"New"}'],
  ];
  const origins: [string, Record<string, string>][] = [
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' }],
    ['same-site, such as a subdomain', { 'Sec-Fetch-Site': 'same-site' }],
    ['cross-site with our own Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'OWN' }],
    ['typed by the user', { 'Sec-Fetch-Site': 'none' }],
    ['another Origin', { Origin: 'https://evil.test' }],
    ['the same host with another port', { Origin: 'http://127.0.0.1:1' }],
    ['the same host with https', { Origin: 'HTTPS' }],
    ['an opaque Origin', { Origin: 'null' }],
    ['neither header', {}],
  ];

  it.each(
    origins.flatMap(([from, headers]) =>
      forms.map(([type, more, body]) => [from, type, { ...headers, ...more }, body] as const),
    ),
  )('rejects a cookie from %s as %s', async (_from, _type, sent, body) => {
    const headers: Record<string, string> = { ...sent };
    const { browser } = await addSignedIn(api, 'owner');
    if (headers.Origin === 'OWN') headers.Origin = api.url;
    if (headers.Origin === 'HTTPS') headers.Origin = api.url.replace('http:', 'https:');
    const cookie = { Cookie: `usher_session=${browser.cookie}`, ...headers };
    const { status, body: answer } = await send('POST', '/v3/edit/tags', { headers: cookie, body });
    expect([status, answer.messages]).toEqual([403, [expect.stringContaining('Origin')]]);
    expect((await browser.get('/v3/edit/tags')).body.tags).toEqual([]);
  });

  it.each([
    ['Sec-Fetch-Site: same-origin', () => ({ 'Sec-Fetch-Site': 'same-origin' })],
    ['our own Origin', () => ({ Origin: api.url })],
  ])('accepts a cookie with %s', async (_, headers) => {
    const { browser } = await addSignedIn(api, 'owner');
    const cookie = { Cookie: `usher_session=${browser.cookie}`, ...(headers() as Record<string, string>) };
    expect((await send('POST', '/v3/edit/tags', { headers: cookie, body: '{"name":"New"}' })).status).toBe(201);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
    'rejects %s without these headers on every endpoint of a session',
    async (method) => {
      const { browser } = await addSignedIn(api, 'owner');
      const headers = { Cookie: `usher_session=${browser.cookie}` };
      for (const path of ['/v3/session', '/v3/sessions', '/v3/person', '/v3/session/confirm', '/v3/edit/secrets']) {
        const { status } = await send(method, path, { headers, body: '{}' });
        expect([path, [403, 405].includes(status ?? 0)]).toEqual([path, true]);
      }
      expect((await browser.get('/v3/session')).status).toBe(200);
    },
  );

  it('still accepts secrets from anywhere', async () => {
    const headers = { 'X-Account-Secret': api.account.account_secret, 'Sec-Fetch-Site': 'cross-site' };
    expect((await send('POST', '/v3/edit/tags', { headers, body: '{"name":"New"}' })).status).toBe(201);
  });

  it('cannot sign somebody in', async () => {
    const { email } = await addSignedIn(api, 'viewer');
    const body = JSON.stringify({ email, password: PASSWORD });
    for (const [, headers] of origins) {
      if (headers.Origin === 'OWN' || headers.Origin === 'HTTPS') continue;
      const { status, cookies } = await send('POST', '/v3/session', { headers, body });
      expect([headers, status, cookies]).toEqual([headers, 403, []]);
    }
  });

  it('lets no page of another origin read responses', async () => {
    const { browser } = await addSignedIn(api, 'viewer');
    const { headers } = await browser.send('GET', '/v3/session', { headers: { Origin: 'https://evil.test' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the transport', () => {
  const start = (env: Record<string, string>) => startApi({ env: { USHER_LIMIT_SIGN_INS: '0', ...env } });
  const same = { 'Sec-Fetch-Site': 'same-origin' };

  it('sets a __Host- cookie by HTTPS, and accepts only that one there', async () => {
    const server = await start({ USHER_TRUST_PROXY: '127.0.0.1' });
    const { email, browser } = await addSignedIn(server, 'owner');
    const https = { Host: 'usher.test', 'X-Forwarded-For': '192.0.2.9', 'X-Forwarded-Proto': 'https' };
    const body = JSON.stringify({ email, password: PASSWORD });
    const { status, cookies } = await send('POST', '/v3/session', {
      url: server.url,
      headers: { ...https, ...same },
      body,
    });
    expect(status).toBe(200);
    const [cookie = ''] = cookies;
    expect(cookie).toMatch(/^__Host-usher=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure$/);
    const get = (Cookie: string) => send('GET', '/v3/session', { url: server.url, headers: { ...https, Cookie } });
    expect((await get(cookie.split(';')[0] ?? '')).status).toBe(200);
    expect((await get(`usher_session=${browser.cookie}`)).status).toBe(401);
  });

  it.each([
    ['from another machine', { 'X-Forwarded-For': '192.0.2.9', 'X-Forwarded-Proto': 'http' }, '127.0.0.1'],
    ['under a name that is not of this machine', { Host: 'usher.test' }, 'false'],
    ['behind a proxy that is not trusted', { 'X-Forwarded-For': '192.0.2.9' }, 'false'],
    ['behind a proxy that sets only X-Real-IP', { 'X-Real-IP': '192.0.2.9' }, 'false'],
    ['behind a proxy that sets only Via', { Via: '1.1 proxy' }, 'false'],
  ])('refuses to sign in by plain HTTP %s, and explains why', async (_, headers, USHER_TRUST_PROXY) => {
    const server = await start({ USHER_TRUST_PROXY });
    const { email, personId } = await addSignedIn(server, 'owner');
    const body = JSON.stringify({ email, password: PASSWORD });
    const all = { ...same, ...(headers as Record<string, string>) };
    const {
      status,
      body: answer,
      cookies,
    } = await send('POST', '/v3/session', { url: server.url, headers: all, body });
    expect([status, cookies]).toEqual([403, []]);
    expect(answer.messages).toEqual([expect.stringMatching(/HTTPS.*USHER_TLS_CERT.*tunnel/)]);
    const Cookie = `usher_session=${await storeSession(server, personId, server.account.account_id)}`;
    expect((await send('GET', '/v3/session', { url: server.url, headers: { ...all, Cookie } })).status).toBe(401);
  });

  it('trusts a public https address behind a proxy on the same machine', async () => {
    const server = await start({ USHER_PUBLIC_URL: 'https://usher.test' });
    const { email } = await addSignedIn(server, 'owner');
    const body = JSON.stringify({ email, password: PASSWORD });
    const headers = { Host: 'usher.test', Origin: 'https://usher.test' };
    const { status, cookies } = await send('POST', '/v3/session', { url: server.url, headers, body });
    expect([status, cookies[0]?.startsWith('__Host-usher=')]).toEqual([200, true]);
  });
});

describe('guessing passwords', () => {
  /** Counts the hashes, which take most of the time of a sign-in, and makes them cheap. */
  function countHashes(): { count: number } {
    const counted = { count: 0 };
    const { scrypt } = crypto;
    const spy = vi.spyOn(crypto, 'scrypt').mockImplementation(((...params: Parameters<typeof scrypt>) => {
      const [password, salt, length, options, done] = params as Parameters<typeof scrypt>;
      counted.count += 1;
      return scrypt(password, salt, length, { ...(options as object), N: 1024 }, done);
    }) as typeof scrypt);
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    return counted;
  }

  it('takes the same work for an unknown email, a wrong password, a right one and a person without one', async () => {
    const counted = countHashes();
    const { email } = await addSignedIn(api, 'viewer');
    await new Browser(api).signIn(email);
    const work = async (...params: [string, string?]) => {
      counted.count = 0;
      await new Browser(api).signIn(...params);
      return counted.count;
    };
    const owner = 'ann@acme.test';
    expect([
      await work(email),
      await work(email, 'wrong password'),
      await work('nobody@people.test'),
      await work(owner),
    ]).toEqual([1, 1, 1, 1]);
  });

  it('is limited for a network before anything is hashed, and says how long to wait', async () => {
    const server = await startApi({ env: { USHER_LIMIT_SIGN_INS: '3', USHER_TRUST_PROXY: '127.0.0.1' } });
    const counted = countHashes();
    const { email } = await addSignedIn(server, 'owner');
    const from = (address: string, password: string) => {
      const headers = { Host: 'usher.test', 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' };
      const body = JSON.stringify({ email, password });
      return send('POST', '/v3/session', {
        url: server.url,
        headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
        body,
      });
    };
    for (let count = 0; count < 3; count++) expect((await from('192.0.2.9', 'wrong password')).status).toBe(403);
    counted.count = 0;
    const { status, body } = await from('192.0.2.9', PASSWORD);
    expect([status, body.wait, counted.count]).toEqual([429, expect.any(Number), 0]);
    expect((await from('192.0.2.10', PASSWORD)).status).toBe(200);
  });

  it('is limited for an email, and does not lock out its person where they have signed in before', async () => {
    const server = await startApi({ env: { USHER_LIMIT_SIGN_INS: '0', USHER_TRUST_PROXY: '127.0.0.1' } });
    countHashes();
    const { email } = await addSignedIn(server, 'owner');
    const other = await addSignedIn(server, 'owner');
    const from = (address: string, password: string, who = email) => {
      const headers = { Host: 'usher.test', 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' };
      const body = JSON.stringify({ email: who, password });
      return send('POST', '/v3/session', {
        url: server.url,
        headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
        body,
      });
    };
    expect((await from('198.51.100.1', PASSWORD)).status).toBe(200);
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, at) => from(`192.0.2.${at}`, 'wrong password')));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([403]));
    const { status, body } = await from('192.0.2.99', PASSWORD);
    expect([status, body.wait > 60]).toEqual([429, true]);
    expect((await from('198.51.100.1', PASSWORD)).status).toBe(200);
    expect((await from('192.0.2.99', PASSWORD, other.email)).status).toBe(200);
    const unknown = await Promise.all(
      Array.from({ length: 20 }, (_, at) => from(`192.0.2.${at}`, 'x', 'nobody@people.test')),
    );
    expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await from('192.0.2.99', 'x', 'nobody@people.test')).status).toBe(429);
  });

  it('never fills the memory: a full queue responds with 429', async () => {
    countHashes();
    const passwords = new Passwords();
    const queued = Array.from({ length: 30 }, () => passwords.hash(PASSWORD));
    const results = await Promise.allSettled(queued);
    expect(results.map(({ status }) => status)).toEqual(
      Array.from({ length: 30 }, (_, at) => (at < 20 ? 'fulfilled' : 'rejected')),
    );
    expect(results[20]).toMatchObject({ reason: { code: 429, wait: 5 } });
    expect(await passwords.hash(PASSWORD)).toMatch(/^scrypt\$131072\$/);
  });

  it('lets people whom it knows go first while others fill the queue', async () => {
    countHashes();
    const passwords = new Passwords();
    const done: string[] = [];
    const guesses = Array.from({ length: 21 }, (_, at) =>
      passwords.verify('guess', null, `192.0.2.${at}`).then(() => done.push('guess')),
    );
    const known = passwords.verify(PASSWORD, null, null).then(() => done.push('known'));
    await Promise.allSettled([...guesses, known]);
    expect(done).toHaveLength(21);
    // At most two other requests were running already.
    expect(done.slice(0, 3)).toContain('known');
  });

  it('gives a /56 of IPv6 one place, a /48 and an IPv4 address two, and serves the others in turn', async () => {
    const passwords = new Passwords();
    const done: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const check = (network: string) =>
      passwords
        .run(network, () => gate.then(() => void done.push(network)))
        .then(
          () => 'checked',
          ({ code }) => code,
        );
    const home = Array.from({ length: 256 }, (_, at) => check(`2001:db8:1:${(0x4200 + at).toString(16)}`));
    const site = ['2001:db8:1:4300', '2001:db8:1:4400'].map(check);
    const others = ['2001:db8:2:4200', '192.0.2.1', '192.0.2.1', '192.0.2.1', '198.51.100.1'].map(check);
    release();
    expect((await Promise.all(home)).filter((result) => result === 'checked')).toHaveLength(1);
    expect(await Promise.all(site)).toEqual(['checked', 429]);
    expect(await Promise.all(others)).toEqual(['checked', 'checked', 'checked', 429, 'checked']);
    // The second request of a network comes after the first request of every other network.
    expect(done.slice(0, 4).toSorted()).toEqual(['192.0.2.1', '198.51.100.1', '2001:db8:1:4200', '2001:db8:2:4200']);
    expect(await check('2001:db8:1:4201')).toBe('checked');
  });

  it('lets somebody sign in from a new network while a /56 guesses', async () => {
    countHashes();
    const server = await startApi({ env: { USHER_TRUST_PROXY: '127.0.0.1' } });
    const { email } = await addSignedIn(server, 'owner');
    const from = (address: string, who: string, password: string) =>
      send('POST', '/v3/session', {
        url: server.url,
        headers: {
          Host: 'usher.test',
          'X-Forwarded-For': address,
          'X-Forwarded-Proto': 'https',
          'Sec-Fetch-Site': 'same-origin',
        },
        body: JSON.stringify({ email: who, password }),
      });
    const guesses = Array.from({ length: 60 }, (_, at) =>
      from(`2001:db8:0:42${at.toString(16).padStart(2, '0')}::1`, `nobody${at}@people.test`, 'a guess'),
    );
    const right = from('203.0.113.7', email, PASSWORD);
    expect((await right).status).toBe(200);
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
  });
});

describe('the log', () => {
  it('contains no password, no token of a link or session, and no cookie', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line) => void lines.push(line) });
    const httpApp = createApp(api.app, readSettings(api.database.env), log);
    const url = await httpApp.listen({ host: '127.0.0.1', port: 0 });
    const browser = new Browser({ ...api, send: (method, path, options) => sendTo(url, method, path, options) } as Api);
    const { email } = await addSignedIn(api, 'owner');
    expect((await browser.signIn(email)).status).toBe(200);
    const { invitation } = (await browser.post('/v3/edit/invitations', { role: 'viewer' })).body;
    const [, token] = invitation.url.split('#');
    await browser.post('/v3/links/check', { token });
    await browser.post('/v3/links/check', { token: 'wrong-token-of-a-link' });
    await httpApp.close();
    const text = lines.join('');
    expect(lines.filter((line) => line.includes('"/v3/links/check"'))).toHaveLength(2);
    for (const hidden of [PASSWORD, token, browser.cookie, 'wrong-token-of-a-link', email])
      expect(text).not.toContain(hidden);
  });

  async function sendTo(
    url: string,
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const response = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  }
});

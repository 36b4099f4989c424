import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostHash, isOn } from '../../../script/src/engine/host-hash.ts';
import { buildScriptIfNeeded } from '../../build.js';
import { type Api, newEmail, startApi } from '../../test/api.ts';
import { type CreatedAccount, createAccount } from '../features/team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  await buildScriptIfNeeded();
  api = await startApi({
    inTest: false,
    env: { USHER_PUBLIC_URL: 'https://usher.example.com/in', USHER_SCRIPT_ALIAS: 'guide:/guide/:token.js' },
  });
}, 120_000);
afterAll(() => api.stop());

const newAccount = () => createAccount(api.app, { name: 'Script', email: newEmail() });
const load = (token: string, headers: Record<string, string> = {}) =>
  api.get(`/script/${token}.js`, { as: null, headers });

interface Config {
  token: string;
  url: string;
  files: Record<string, { path: string; integrity: string }>;
  hosts: number[];
}
async function configOf({ account_token }: CreatedAccount, headers: Record<string, string> = {}): Promise<Config> {
  const { status, text } = await load(account_token, headers);
  expect(status).toBe(200);
  return JSON.parse(/^window\.__usher=(.+);$/m.exec(text)?.[1] ?? '');
}

describe('the loader of an account', () => {
  it('returns a loader that begins with the account token, the server URL and the script files', async () => {
    const { token, url, files } = await configOf(api.account);
    expect([token, url]).toEqual([api.account.account_token, 'https://usher.example.com/in']);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['core', 'renderer', 'survey', 'launcher']));
    expect(files).not.toHaveProperty('loader');
  });

  it('returns the same loader for every Host header, without an address', async () => {
    const own = await startApi({ env: { HOST: '0.0.0.0', USHER_TRUST_PROXY: 'true' } });
    const { port } = new URL(own.url);
    const texts = await Promise.all(
      [{}, { Host: 'evil.example.com' }, { 'X-Forwarded-Host': 'evil.example.com', 'X-Forwarded-Proto': 'https' }].map(
        (headers) => rawText(Number(port), `/script/${own.account.account_token}.js`, headers),
      ),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('window.__usher=');
    expect(JSON.parse(/^window\.__usher=(.+);$/m.exec(texts[0] ?? '')?.[1] ?? '')).not.toHaveProperty('url');
    expect(texts[0]).not.toContain('0.0.0.0');
  });

  it('allows every origin to load it and to cache it for 5 minutes', async () => {
    const { headers, text } = await load(api.account.account_token);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(() => new Function(text)).not.toThrow();
  });

  it('adds an explanation only for pages whose host is not known to be enabled', async () => {
    const account = await newAccount();
    await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, { as: account });
    const isExplained = async (headers: Record<string, string>) =>
      (await load(account.account_token, headers)).text.includes('is not enabled');
    expect(await isExplained({ Referer: 'https://app.example.com/' })).toBe(false);
    expect(await isExplained({ Referer: 'https://other.example.com/' })).toBe(true);
    expect(await isExplained({ Referer: 'nonsense' })).toBe(true);
    expect(await isExplained({})).toBe(true);
  });

  it('returns 304 to a browser that has it', async () => {
    const account = await newAccount();
    const etag = (await load(account.account_token)).headers.get('etag') ?? '';
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', '')]) {
      const again = await load(account.account_token, { 'If-None-Match': known });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, { as: account });
    const changed = await load(account.account_token, { 'If-None-Match': etag });
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
  });

  it('returns hashes of the enabled hosts, and no names', async () => {
    const account = await newAccount();
    const add = (host: string, params: object) => api.post('/v3/edit/urls', { host, ...params }, { as: account });
    await add('app.example.com', { enabled: 'on' });
    await add('example.org', { enabled: 'subdomain' });
    await add('off.example.com', { enabled: 'off' });
    await add('old.example.com', { enabled: 'on', archived_at: '$now' });
    const { hosts } = await configOf(account);
    const on = ['app.example.com', 'example.org', 'a.example.org', 'a.b.example.org'];
    const off = [
      'off.example.com',
      'old.example.com',
      'example.com',
      'a.app.example.com',
      'badexample.org',
      'localhost',
    ];
    expect([...on, ...off].filter((host) => isOn(hosts, host))).toEqual(on);
    expect((await load(account.account_token)).text).not.toContain('example.org');
  });

  it('leaves out hosts that `subdomain` includes, and lists disabled hosts below it', async () => {
    const account = await newAccount();
    const add = (host: string, params: object) => api.post('/v3/edit/urls', { host, ...params }, { as: account });
    await add('example.org', { enabled: 'subdomain' });
    await add('a.example.org', { enabled: 'on' });
    await add('off.example.org', { enabled: 'off' });
    await add('old.example.org', { enabled: 'subdomain', archived_at: '$now' });
    await add('elsewhere.example.com', { enabled: 'off' });
    const names = ['.example.org', '!off.example.org', '!old.example.org'];
    expect((await configOf(account)).hosts.sort()).toEqual(names.map(hostHash).sort());
  });

  it('enables the script on localhost until a domain is added', async () => {
    const account = await newAccount();
    const names = ['localhost', 'app.localhost', '127.0.0.1', '[::1]', 'app.example.com'];
    const { hosts } = await configOf(account);
    expect(names.filter((host) => isOn(hosts, host))).toEqual(names.slice(0, 4));
    await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, { as: account });
    expect((await configOf(account)).hosts).toEqual([hostHash('app.example.com')]);
  });

  it('records the host of a new page, so that it can be enabled', async () => {
    const account = await newAccount();
    await api.post('/v3/edit/urls', { host: 'example.org', enabled: 'subdomain' }, { as: account });
    const from = (referer: string) => configOf(account, { Referer: referer });
    expect(isOn((await from('https://new.example.com/')).hosts, 'new.example.com')).toBe(false);
    expect(isOn((await from('https://new.example.org/')).hosts, 'new.example.org')).toBe(true);
    await from('https://new.example.com/again');
    await from('nonsense');
    const { urls } = (await api.get('/v3/edit/urls', { as: account })).body;
    const found = urls.map(({ host, enabled }: { host: string; enabled: string }) => `${host} ${enabled}`).sort();
    expect(found).toEqual(['example.org subdomain', 'new.example.com off', 'new.example.org on']);
  });

  it('returns a script that explains why for an unknown token', async () => {
    for (const token of ['unknown-token', '%22);alert(1);(%22', '%00', '%0Aalert(1)', '%E2%80%A8alert(1)']) {
      const response = await fetch(`${api.url}/script/${token}.js`);
      const { status, headers } = response;
      expect([token, status, headers.get('content-type')]).toEqual([token, 200, 'text/javascript; charset=utf-8']);
      const text = await response.text();
      expect(text).toContain('console.info("Usher: "+"no account has the token');
      expect(text).not.toMatch(/alert|__usher/);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect((await api.get('/script/unknown', { as: null })).status).toBe(404);
  });

  it('returns the same headers to HEAD as to GET', async () => {
    const [path, headers] = [`${api.url}/script/${api.account.account_token}.js`, { 'Accept-Encoding': 'identity' }];
    const get = await fetch(path, { headers });
    const head = await fetch(path, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'cache-control', 'content-type', 'content-length', 'vary'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  });
});

describe('the loader at an alias', () => {
  const loadAlias = (token: string, headers: Record<string, string> = {}) =>
    api.get(`/guide/${token}.js`, { as: null, headers });

  it('is the loader of the account with one part before it, and the usual loader has nothing of it', async () => {
    const { account_token: token } = api.account;
    const [usual, alias] = [await load(token), await loadAlias(token)];
    expect([usual.status, alias.status]).toEqual([200, 200]);
    const [config, code] = [alias.text.indexOf('window.__usher='), alias.text.indexOf('_a"')];
    expect(config).toBeGreaterThan(-1);
    expect(code).toBeGreaterThan(config);
    const { alias: found, ...others } = JSON.parse(/^window\.__usher=(.+);$/m.exec(alias.text)?.[1] ?? '');
    expect(found).toEqual({ global: 'guide', path: `/guide/${token}.js` });
    expect(others).toEqual(await configOf(api.account));
    const loader = usual.text.slice(usual.text.indexOf(';\n') + 2);
    expect(alias.text.endsWith(loader)).toBe(true);
    expect(usual.text).not.toMatch(/alias|guide|_a"/);
    expect(Object.keys(others.files)).not.toContain('alias');
    for (const name of ['core', 'renderer', 'extras']) {
      const { text } = await api.get(others.files[name].path, { as: null });
      expect([name, /_a"|\balias\b|app:navigate"===/.test(text)]).toEqual([name, false]);
    }
  });

  it('is cached, compressed and explained in the same way', async () => {
    const { account_token: token } = api.account;
    const [usual, alias] = [await load(token), await loadAlias(token)];
    for (const name of [
      ...['content-type', 'cache-control', 'cross-origin-resource-policy', 'access-control-allow-origin', 'vary'],
      'x-content-type-options',
    ])
      expect([name, alias.headers.get(name)]).toEqual([name, usual.headers.get(name)]);
    const etag = alias.headers.get('etag') ?? '';
    expect(etag).not.toBe(usual.headers.get('etag'));
    expect((await loadAlias(token, { 'If-None-Match': etag })).status).toBe(304);
    expect((await rawBody(`/guide/${token}.js`, 'br')).encoding).toBe('br');
    const unknown = await loadAlias('unknown-token');
    expect(unknown.text).toBe((await load('unknown-token')).text);
    expect((await loadAlias(token, { Referer: 'https://unknown.example.com/' })).text).toContain('is not enabled');
    expect((await api.get(`/guide/${token}`, { as: null })).status).toBe(404);
    expect((await api.send('POST', `/guide/${token}.js`, { as: null })).status).toBe(405);
  });

  it('changes with the account', async () => {
    const account = await newAccount();
    const etagOf = async () => (await loadAlias(account.account_token)).headers.get('etag');
    const before = await etagOf();
    await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, { as: account });
    expect(await etagOf()).not.toBe(before);
  });
});

describe('a script file', () => {
  it('returns a file that matches the hash in the loader and can be cached forever', async () => {
    for (const { path, integrity } of Object.values((await configOf(api.account)).files)) {
      const { status, headers, text } = await api.get(path, { as: null });
      expect(status).toBe(200);
      expect(`sha384-${createHash('sha384').update(text).digest('base64')}`).toBe(integrity);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    }
  });

  it('compresses the file with an encoding that the browser accepts', async () => {
    const { core } = (await configOf(api.account)).files;
    const plain = await fetch(api.url + core?.path, { headers: { 'Accept-Encoding': 'identity' } });
    const text = await plain.text();
    expect(plain.headers.get('content-encoding')).toBe(null);
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const raw = await rawBody(core?.path ?? '', encoding);
      expect(raw.encoding).toBe(encoding);
      expect(raw.body.length).toBeLessThan(text.length / 2);
      expect(decode(raw.body).toString()).toBe(text);
    }
    expect((await rawBody(core?.path ?? '', 'gzip;q=0.5, br;q=0, deflate')).encoding).toBe('gzip');
    for (const accepted of ['', 'x-br, deflate', 'br;q=0.0, gzip; q=0'])
      expect((await rawBody(core?.path ?? '', accepted)).encoding).toBeUndefined();
  });

  it('has the size that the guide says', async () => {
    const guide = readFileSync(new URL('../../../docs/guides/install-the-snippet.md', import.meta.url), 'utf8');
    const [, ...said] = /the file has (.+) KB, the core (.+) KB and what paints a tour (.+) KB/.exec(guide) ?? [];
    const { core, renderer } = (await configOf(api.account)).files;
    const paths = [`/script/${api.account.account_token}.js`, core?.path ?? '', renderer?.path ?? ''];
    const bodies = await Promise.all(paths.map((path) => rawBody(path, 'br')));
    const sizes = bodies.map(({ body }) => body.length / 1024);
    expect(said).toHaveLength(3);
    for (const [index, size] of sizes.entries()) expect(Math.abs(size - Number(said[index]))).toBeLessThan(0.25);
  });

  it('returns 404 for every other name', async () => {
    for (const name of ['core.js', 'manifest.json', '..%2Fmanifest.json', 'stamp', '%2E%2E%2F%2E%2E%2Fpackage.json'])
      expect([name, (await api.get(`/script/files/${name}`, { as: null })).status]).toEqual([name, 404]);
  });
});

/** Loads a text with any `Host` header, which `fetch` cannot send. */
async function rawText(port: number, path: string, headers: Record<string, string>): Promise<string> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers }, async (response) =>
      resolve(Buffer.concat(await response.toArray()).toString()),
    ).on('error', reject);
  });
}

/** Loads a body without decoding it; `fetch` would decode it. */
async function rawBody(path: string, accepted: string): Promise<{ encoding: string | undefined; body: Buffer }> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(api.url + path, { headers: { 'Accept-Encoding': accepted } }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ encoding: response.headers['content-encoding'], body });
    }).on('error', reject);
  });
}

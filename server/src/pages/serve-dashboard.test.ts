import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { dashboardFolder } from '../folders.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

/** What Chromium sends when an address is opened. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const asBrowser = { as: null, headers: { accept } };
const openPage = async (path: string, { url } = api) => {
  const response = await fetch(url + path, asBrowser);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const assets = () => readdirSync(join(dashboardFolder, 'assets')).filter((name) => !/\.(br|gz)$/.test(name));
const scriptName = () => assets().find((name) => /^index-.*\.js$/.test(name)) as string;

describe('the page', () => {
  it.each(['/', '/app', '/app/', '/app/settings/devices', '/app/experiences/1?tab=content', '/app/no-such-page'])(
    'is served at %s to a browser',
    async (path) => {
      const { status, headers, text } = await openPage(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).toContain('<div id="app">');
    },
  );

  it('allows only scripts of this server, and a new nonce for styles each time', async () => {
    const policies = [];
    for (let count = 0; count < 2; count++) {
      const { headers, text } = await openPage('/app');
      const policy = headers.get('content-security-policy') ?? '';
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
      expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
      expect(text).toContain(`nonce="${nonce}"`);
      expect(policy.replace(nonce, 'NONCE').split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'nonce-NONCE'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types ProseMirrorClipboard',
      ]);
      policies.push(policy);
    }
    expect(policies[0]).not.toBe(policies[1]);
  });

  it('has no inline script or style', async () => {
    const { text } = await openPage('/app');
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  });

  it('cannot be framed, sniffed, or reached from the window of another site', async () => {
    const { headers } = await openPage('/');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('access-control-allow-origin')).toBe(null);
  });

  it('says what to do if the dashboard is not built', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'usher-'));
    const unbuilt = await startApi({ dashboard: empty });
    const { status, text } = await openPage('/app', unbuilt);
    expect(status).toBe(503);
    expect(text).toContain('npm run build');
    rmSync(empty, { recursive: true });
  });
});

describe('the check of a secret at the same address', () => {
  const mine = () => ({ account: { id: api.account.account_id }, user: { id: api.account.user_id } });

  it('responds with JSON to a secret in the header, although the client accepts HTML', async () => {
    const { body } = await api.get('/', { headers: { accept } });
    expect(body).toEqual(mine());
  });

  it('responds with JSON to a secret in the URL, although the client accepts HTML', async () => {
    const { body } = await api.get('/', { ...asBrowser, query: `account_secret=${api.account.account_secret}` });
    expect(body).toEqual(mine());
  });

  it.each([['*/*'], ['application/json'], ['']])(
    'rejects a request without a secret that accepts "%s"',
    async (type) => {
      const { status, body } = await api.get('/', { as: null, headers: { accept: type } });
      expect(status).toBe(403);
      expect(body.messages[0]).toContain('`X-Account-Secret`');
    },
  );

  it('responds with JSON to POST, whatever the client accepts', async () => {
    const { status, body } = await api.post('/', {}, asBrowser);
    expect(status).toBe(403);
    expect(body.code).toBe(403);
  });
});

describe('the files', () => {
  it('are immutable and have the right type', async () => {
    for (const name of assets()) {
      const { status, headers } = await api.get(`/app/assets/${name}`, { as: null });
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(
        name.endsWith('.js') ? /^text\/javascript/ : name.endsWith('.css') ? /^text\/css/ : /^image\/svg/,
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('are sent as they were compressed in advance', async () => {
    const path = `/app/assets/${scriptName()}`;
    const plain = await api.get(path, { as: null, headers: { 'accept-encoding': 'identity' } });
    const { encoding, body } = await raw(`${api.url}${path}`, 'br, gzip');
    expect(encoding).toBe('br');
    expect(brotliDecompressSync(body).toString()).toBe(plain.text);
    expect(body.length).toBeLessThan(plain.text.length / 3);
  });

  it.each(['no-such.js', '..%2findex.html', 'index.html', `${'a'.repeat(400)}.js`])('rejects %s', async (name) => {
    const { status } = await api.get(`/app/assets/${name}`, { as: null });
    expect(status).toBe(404);
  });
});

/** Loads a body without decoding it; `fetch` would decode it. */
function raw(url: string, accepted: string): Promise<{ encoding: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': accepted } }, async (response) => {
      resolve({
        encoding: response.headers['content-encoding'],
        body: Buffer.concat(await response.toArray()),
      });
    }).on('error', reject);
  });
}

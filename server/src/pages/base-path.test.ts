import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../../domain/test/pictures.ts';
import { buildScriptIfNeeded } from '../../build.js';
import { type Api, startApi } from '../../test/api.ts';
import { pictureForm } from '../../test/picture-form.ts';
import { HOST, newUid, openDomain } from '../../test/visiting.ts';

const PUBLIC_URL = 'https://usher.example.com';
let api: Api;
beforeAll(async () => {
  await buildScriptIfNeeded();
  api = await startApi({
    inTest: false,
    env: { USHER_PUBLIC_URL: PUBLIC_URL, USHER_BASE_PATH: '/help/me', USHER_SCRIPT_ALIAS: 'guide:/guide/:token.js' },
  });
  await openDomain(api);
}, 120_000);
afterAll(() => api.stop());

interface Config {
  url?: string;
  files: Record<string, { path: string; integrity: string }>;
  alias?: { path: string };
}

async function configAt(path: string, at = api): Promise<Config> {
  const response = await fetch(`${at.url}${path}`);
  expect(response.status).toBe(200);
  return JSON.parse(/^window\.__usher=(.+);$/m.exec(await response.text())?.[1] ?? '');
}
const ownLoader = (at = api) => `/script/${at.account.account_token}.js`;

describe('below USHER_BASE_PATH', () => {
  it('serves a loader that calls the address that it was loaded from', async () => {
    expect(await configAt(`/help/me${ownLoader()}`)).not.toHaveProperty('url');
    expect((await configAt(ownLoader())).url).toBe(PUBLIC_URL);
  });

  it('serves the parts of the script under names that say nothing', async () => {
    const [{ files }, { files: usual }] = [await configAt(`/help/me${ownLoader()}`), await configAt(ownLoader())];
    expect(Object.keys(files)).toEqual(Object.keys(usual));
    for (const [part, { path, integrity }] of Object.entries(files)) {
      expect(path).toMatch(/^\/script\/files\/[0-9a-f]{12}\.js$/);
      expect(integrity).toBe(usual[part]?.integrity);
    }
    const texts = [`/help/me${files.core?.path}`, usual.core?.path].map(async (path) => {
      const response = await fetch(`${api.url}${path}`);
      expect([response.status, response.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      return response.text();
    });
    const [text, usualText] = await Promise.all(texts);
    expect(text).toBe(usualText);
  });

  it('serves an alias, which finds its address by its path', async () => {
    const { url, alias } = await configAt(`/help/me/guide/${api.account.account_token}.js`);
    expect([url, alias?.path]).toEqual([undefined, `/guide/${api.account.account_token}.js`]);
  });

  it('takes page loads, reports and events', async () => {
    const { tour } = (await api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hello' }] })).body;
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    const send = async (path: string, body: object) => {
      const headers = { Origin: `https://${HOST}` };
      const response = await fetch(`${api.url}/help/me${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response
      return (await response.json()) as any;
    };
    const token = api.account.account_token;
    const page = { account_token: token, uid: newUid(), href: `https://${HOST}/` };
    const { visit, experiences } = await send('/v3/observe/visits', page);
    expect(experiences).toMatchObject([{ id: tour.id }]);
    const report = { visit_token: visit.token, experience_id: tour.id, state: 'started' };
    expect((await send('/v3/observe/interactions', report)).interaction.state).toBe('started');
    expect((await send('/v3/observe/events', { visit_token: visit.token, name: 'saved' })).event).toHaveProperty('id');
    const preflight = await fetch(`${api.url}/help/me/v3/observe/visits`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
  });

  it('serves pictures', async () => {
    const { picture } = (await api.post('/v3/edit/pictures', pictureForm(png(20, 10), png(40, 20)))).body;
    for (const path of [picture.path, picture.path.replace('@2x', ''), picture.path.replace('@2x', '@1x')]) {
      const [below, root] = await Promise.all([`/help/me${path}`, path].map((one) => fetch(api.url + one)));
      expect([path, below?.status, root?.status]).toEqual([path, 200, 200]);
      expect(await below?.text()).toBe(await root?.text());
    }
  });

  it('serves nothing that administrators and backends use', async () => {
    const secret = api.account.account_secret;
    for (const path of [
      '/',
      '/app/',
      '/docs/',
      '/demo/',
      '/metrics',
      '/readyz',
      '/openapi.json',
      '/v3/edit/tours',
      '/v3/observe/hooks/profiles',
    ]) {
      const response = await fetch(`${api.url}/help/me${path}`, { headers: { 'X-Account-Secret': secret } });
      expect([path, response.status]).toEqual([path, 404]);
    }
    for (const path of ['/help/script/x.js', '/help/meal/script/x.js', '/help/me/help/me/script/x.js'])
      expect([path, (await fetch(api.url + path)).status]).toEqual([path, 404]);
    expect((await api.get('/v3/edit/tours')).status).toBe(200);
  });

  it('decides nothing about HTTPS for the domain of the product', async () => {
    const hsts = async (path: string) => (await fetch(api.url + path)).headers.get('strict-transport-security');
    expect(await hsts(ownLoader())).toContain('max-age');
    for (const path of [ownLoader(), '/media/a/b', '/v3/observe/visits', '/unknown'])
      expect(await hsts(`/help/me${path}`)).toBeNull();
  });

  it('counts requests as those of the usual paths, without the token', async () => {
    await fetch(`${api.url}/help/me${ownLoader()}`);
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toContain('/script/:name');
    expect(metrics).not.toContain('/help/me');
  });
});

describe('the address of pages', () => {
  const addressesWith = async (env: NodeJS.ProcessEnv) => {
    const at = await startApi({ env: { USHER_PUBLIC_URL: PUBLIC_URL, ...env } });
    const { server_url, page_url, script_url } = (await at.get('/v3/analyze/installation')).body.installation;
    expect([server_url, script_url]).toEqual([PUBLIC_URL, page_url + ownLoader(at)]);
    return { page_url, called: (await configAt(ownLoader(at), at)).url };
  };

  it.each([
    ['the public URL', {}, PUBLIC_URL, PUBLIC_URL],
    ['below it with a base path', { USHER_BASE_PATH: '/help' }, `${PUBLIC_URL}/help`, PUBLIC_URL],
    [
      'of another host',
      { USHER_PAGE_URL: 'https://pages.acme.test' },
      'https://pages.acme.test',
      'https://pages.acme.test',
    ],
    [
      'of a product that passes the base path on, while other pages stay as they are',
      { USHER_PAGE_URL: 'https://app.acme.test/help/', USHER_BASE_PATH: '/help' },
      'https://app.acme.test/help',
      PUBLIC_URL,
    ],
  ])('is %s', async (_, env, page_url, called) => {
    expect(await addressesWith(env)).toEqual({ page_url, called });
  });
});

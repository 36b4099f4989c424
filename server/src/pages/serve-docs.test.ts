import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { docsFolder } from '../folders.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const names = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -'.md'.length));

async function page(path: string) {
  const response = await fetch(`${api.url}${path}`);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

describe('the guides of a running server', () => {
  it('lists every guide and every page about servers', async () => {
    const { status, html } = await page('/docs');
    expect(status).toBe(200);
    const listed = names.filter((name) => name !== 'README' && !/^(?:decisions|contract)\//.test(name));
    expect(listed.filter((name) => !html.includes(`"/docs/${name}"`))).toEqual([]);
    expect(html).toContain('>Edit, try and publish an Experience</a>');
  });

  it('serves every page, and every link and picture between them leads somewhere', async () => {
    const pages = new Map<string, string>();
    for (const name of names) {
      const { status, html } = await page(`/docs/${name}`);
      expect([name, status]).toEqual([name, 200]);
      pages.set(`/docs/${name}`, html);
    }
    for (const [path, html] of pages) {
      for (const [, target = ''] of html.matchAll(/<a href="([^"]*)"/g)) {
        if (/^https?:/.test(target) || target === '/app' || target === '/docs') continue;
        const [to, fragment] = target.startsWith('#') ? [path, target.slice(1)] : target.split('#');
        const linked = pages.get(to ?? '');
        // A link to a folder of `docs/` is for readers of the repository.
        if (linked === undefined && !/\.\w+$/.test(to ?? '') && to?.endsWith('/')) continue;
        expect([path, target, linked !== undefined]).toEqual([path, target, true]);
        if (fragment) expect([path, target, linked?.includes(`id="${fragment}"`)]).toEqual([path, target, true]);
      }
      for (const [, source = ''] of html.matchAll(/<img src="([^"]*)"/g))
        expect([path, source, (await fetch(`${api.url}${source}`)).status]).toEqual([path, source, 200]);
    }
  });

  it('runs no script and loads nothing from other hosts', async () => {
    const { headers, html } = await page('/docs/guides/install-the-snippet');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script');
  });

  it.each([
    '/docs/unknown',
    '/docs/guides',
    '/docs/../package',
    '/docs/%2e%2e/package',
    '/docs/architecture.md',
    '/docs/pictures/none.png',
    `/docs/${'a'.repeat(300)}`,
    `/docs/pictures/${'a'.repeat(300)}.png`,
  ])('returns 404 for %s', async (path) => {
    expect((await page(path)).status).toBe(404);
  });
});

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
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
  .map((name) => name.slice(0, -'.md'.length))
  .concat('client');

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
        if (/^https?:/.test(target) || ['/app', '/docs', '/docs/reference'].includes(target)) continue;
        const [to, fragment] = target.startsWith('#') ? [path, target.slice(1)] : target.split('#');
        const linked = pages.get(to ?? '');
        if (to?.startsWith('/docs/examples/')) {
          expect([path, target, (await fetch(`${api.url}${to}`)).status]).toEqual([path, target, 200]);
          continue;
        }
        // A link to a folder of `docs/` is for readers of the repository.
        if (linked === undefined && !/\.\w+$/.test(to ?? '') && to?.endsWith('/')) continue;
        expect([path, target, linked !== undefined]).toEqual([path, target, true]);
        if (fragment) expect([path, target, linked?.includes(`id="${fragment}"`)]).toEqual([path, target, true]);
      }
      for (const [, source = ''] of html.matchAll(/<img src="([^"]*)"/g))
        expect([path, source, (await fetch(`${api.url}${source}`)).status]).toEqual([path, source, 200]);
    }
  });

  it('has a menu of all guides, which marks the page that it is on', async () => {
    const { html } = await page('/docs/guides/results');
    const [menu = ''] = /<nav .*<\/nav>/s.exec(html) ?? [];
    expect(menu).toContain('<a href="/docs/guides/results" aria-current="page">Results</a>');
    const listed = names.filter((name) => name !== 'README' && !/^(?:decisions|contract)\//.test(name));
    expect(listed.filter((name) => !menu.includes(`"/docs/${name}"`))).toEqual([]);
    expect((await page('/docs')).html).toContain('<a href="/docs" aria-current="page">');
  });

  it('lists the pages with their addresses at /llms.txt', async () => {
    const { headers, html: text } = await page('/llms.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    for (const path of ['/openapi.json', '/docs/reference', '/docs/guides/results', '/docs/api'])
      expect(text).toContain(`${path})`);
    expect(text).toContain('/docs/client)');
    const lines = text.split('\n').filter((line) => line.startsWith('- '));
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
    expect(text).not.toContain('\n\n\n');
  });

  it('serves the pipelines that the guides lead to, and nothing else of the examples', async () => {
    const { headers, html } = await page('/docs/examples/as-code/gitlab-ci.yml');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(html).toContain('usher-apply:');
    expect((await page('/docs/guides/experiences-as-code')).html).toContain(
      '<a href="/docs/examples/as-code/gitlab-ci.yml">',
    );
    for (const path of ['tour.json', 'react/package.json', 'as-code/none.yml', 'as-code/../tour.json'])
      expect([path, (await fetch(`${api.url}/docs/examples/${path}`)).status]).toEqual([path, 404]);
  });

  it('has no header of a table without text', async () => {
    expect((await page('/docs/api')).html).not.toContain('<th></th>');
  });

  it('runs no script and loads nothing from other hosts', async () => {
    const { headers, html } = await page('/docs/guides/install-the-snippet');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script');
  });

  it('allows styles in the markup only on the API reference, and scripts of this server only', async () => {
    const policies = await Promise.all(
      ['/docs/reference', '/docs/api', '/docs'].map(async (path) =>
        (await page(path)).headers.get('content-security-policy'),
      ),
    );
    expect(policies.map((policy) => policy?.includes("'unsafe-inline'"))).toEqual([true, false, false]);
    expect(policies[0]).toContain("script-src 'self';");
    expect(policies[0]).toContain("connect-src 'self';");
    expect(policies[1]).toBe(policies[2]);
  });

  it('has the viewer that docs/decisions/0041-api-reference.md names, for browsers with and without brotli', async () => {
    const decision = readFileSync(`${docsFolder}/decisions/0041-api-reference.md`, 'utf8');
    for (const encoding of ['br', 'identity']) {
      const response = await fetch(`${api.url}/docs/reference/viewer.js`, { headers: { 'Accept-Encoding': encoding } });
      const hash = createHash('sha256').update(new Uint8Array(await response.arrayBuffer()));
      expect(decision).toContain(`\`${hash.digest('hex')}\``);
    }
  });

  it.each([
    '/docs/unknown',
    '/docs/reference/responses.json',
    '/docs/reference/rapidoc.js.br',
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { visit } from '../../../../test/visiting.ts';
import { demoFolder } from '../../../folders.ts';
import { setUpDemo } from './set-up-demo.ts';

const experiences = JSON.parse(readFileSync(join(demoFolder, 'experiences.json'), 'utf8'));

async function startDemo(env: NodeJS.ProcessEnv = {}): Promise<Api> {
  const api = await startApi({ env });
  await setUpDemo(api.app, api.account, experiences);
  return api;
}

const kindsOn = async (api: Api, href: string): Promise<string[]> => {
  const { body } = await visit(api, { uid: 'newcomer', href }, { headers: { Origin: new URL(href).origin } });
  return body.experiences.map(({ kind }: { kind: string }) => kind).sort();
};

describe('demo', () => {
  it('has one live Experience of each kind', async () => {
    const api = await startDemo();
    const { body } = await api.get('/v3/edit/experiences');
    const found = body.experiences.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`);
    expect(found.sort()).toEqual(['embed live', 'launcher live', 'survey live', 'tooltip live', 'tour live']);
  });

  it('shows them only on its own pages', async () => {
    const api = await startDemo();
    expect(await kindsOn(api, 'http://127.0.0.1:3400/demo/')).toEqual(['embed', 'launcher', 'tooltip', 'tour']);
    expect(await kindsOn(api, 'http://localhost:3400/demo/settings')).toEqual(['launcher', 'survey']);
    expect(await kindsOn(api, 'http://localhost:3400/')).toEqual([]);
  });

  it('has an Environment of its own, so that it does not count for other domains', async () => {
    const api = await startDemo();
    const { url_groups } = (await api.get('/v3/edit/url_groups')).body;
    expect(url_groups).toEqual([expect.objectContaining({ name: 'Demo' })]);
    const { experiences } = (await api.get('/v3/edit/experiences')).body;
    for (const { url_group_ids } of experiences) expect(url_group_ids).toEqual([url_groups[0].id]);
  });

  it('is not in the audit log, which lists what people did', async () => {
    const api = await startDemo();
    expect((await api.get('/v3/analyze/audit_entries')).body.audit_entries).toEqual([]);
  });

  it('still works when a domain is added', async () => {
    const api = await startDemo({ USHER_PUBLIC_URL: 'https://usher.example.com' });
    await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
    expect(await kindsOn(api, 'http://127.0.0.1:3400/demo/')).toContain('tour');
    expect(await kindsOn(api, 'https://usher.example.com/demo/')).toContain('tour');
  });
});

describe('demo site', () => {
  it('returns the page of the first account at every path of its router', async () => {
    const api = await startApi();
    for (const path of ['/demo/', '/demo/projects', '/demo/projects/atlas']) {
      const { status, text, headers } = await api.get(path, { as: null });
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(text).toContain(`src="/script/${api.account.account_token}.js"`);
    }
    const { headers } = await fetch(`${api.url}/demo`, { redirect: 'manual' });
    expect(headers.get('location')).toBe('/demo/');
  });

  it('allows only its own script and that of Usher, and no inline styles', async () => {
    const api = await startApi({ env: { USHER_PUBLIC_URL: 'https://usher.example.com/in', USHER_DEMO: 'true' } });
    const policy = (await api.get('/demo/', { as: null })).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self' https://usher.example.com;");
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toMatch(/unsafe/);
    expect((await api.get('/demo/', { as: null })).text).not.toMatch(/<script(?![^>]* src=)| style=| on\w+=/);
  });

  it('allows the address of pages, which its script calls', async () => {
    const env = { USHER_PUBLIC_URL: 'https://usher.example.com', USHER_PAGE_URL: 'https://pages.acme.test/in' };
    const api = await startApi({ env: { ...env, USHER_DEMO: 'true' } });
    const policy = (await api.get('/demo/', { as: null })).headers.get('content-security-policy') ?? '';
    for (const name of ['script-src', 'connect-src'])
      expect(policy).toContain(`${name} 'self' https://usher.example.com https://pages.acme.test;`);
  });

  it('has the files that its page links to', async () => {
    const api = await startApi();
    const { text } = await api.get('/demo/', { as: null });
    const names = new Set([...text.matchAll(/(?:src|href)="(\/demo\/[\w-]+\.\w+)/g)].map(([, name]) => name as string));
    expect(names.size).toBeGreaterThan(3);
    for (const name of names) expect([name, (await api.get(name, { as: null })).status]).toEqual([name, 200]);
    for (const name of ['/demo/no.js', '/demo/..%2Fpackage.json', '/demo/a/app.js', '/demo/index.html'])
      expect([name, (await api.get(name, { as: null })).status]).toEqual([name, 404]);
  });

  it('is served only on a trial server or when it is turned on', async () => {
    const statusWith = async (env: NodeJS.ProcessEnv) => (await (await startApi({ env })).get('/demo/')).status;
    expect(await statusWith({})).toBe(200);
    expect(await statusWith({ HOST: '0.0.0.0' })).toBe(200);
    expect(await statusWith({ USHER_DEMO: 'false' })).toBe(404);
    expect(await statusWith({ USHER_BOOTSTRAP_SECRET: 'set-by-a-machine' })).toBe(404);
    expect(await statusWith({ USHER_PUBLIC_URL: 'https://usher.example.com' })).toBe(404);
    expect(await statusWith({ USHER_PUBLIC_URL: 'https://usher.example.com', USHER_DEMO: 'true' })).toBe(200);
  });
});

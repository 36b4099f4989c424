import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

const harness = useHarness();

const loaderOf = ({ account_token } = harness.api.account) => `${harness.api.url}/script/${account_token}.js`;
/** Records all requests of a page from now on. */
function recordRequests(page: Page): string[] {
  const requested: string[] = [];
  page.on('request', (request) =>
    requested.push(new URL(request.url()).pathname.replace(/(files\/\w+)-\w{12}\.js$/, '$1')),
  );
  return requested;
}

/** Opens a page that has the snippet twice, and calls `usher.show` before and after it has loaded. */
async function openTwice(loader: string): Promise<{ lines: string[]; results: unknown[] }> {
  const context = await harness.browser.newContext();
  const lines: string[] = [];
  context.on('console', (message) => message.type() === 'info' && lines.push(message.text()));
  const head = `<script async src="${loader}"></script>`;
  const page = await harness.open({ loader, head, calls: `window.early=usher.show('x')` }, { uid, context });
  await page.waitForLoadState('networkidle');
  const results = await page.evaluate<unknown[]>(`Promise.all([early,usher.show('x')])`);
  await context.close();
  return { lines, results };
}

describe('the snippet', () => {
  it('loads from the server only what the Experience needs', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ loader: loaderOf(), calls: '' });
    const requested = recordRequests(page);
    await page.reload();
    await page.waitForFunction(() => 'kind' in (window as never as { usher: object }).usher);
    await call(page, 'identify', uid);
    await dialog(page).waitFor();
    const { account_token } = harness.api.account;
    // The report of the first step may have been sent already.
    expect(requested.filter((path) => path !== '/' && path !== '/v3/observe/interactions')).toEqual([
      `/script/${account_token}.js`,
      ...['/script/files/core', '/v3/observe/visits', '/script/files/renderer'],
    ]);
    const scripts = await page
      .locator('script[integrity]')
      .evaluateAll((all) => (all as HTMLScriptElement[]).map((one) => [one.crossOrigin, one.integrity.slice(0, 7)]));
    expect(scripts).toEqual(Array(2).fill(['anonymous', 'sha384-']));
  });

  it('does nothing if an element of the page is named currentScript', async () => {
    const named = `const i=document.createElement('img');i.name='currentScript';i.src='/script/elsewhere.js';document.head.append(i)`;
    const page = await harness.open({ loader: loaderOf(), head: `<script>${named}</script>` }, { uid });
    const requested = recordRequests(page);
    await page.reload({ waitUntil: 'networkidle' });
    const loader = `/script/${harness.api.account.account_token}.js`;
    expect(requested.sort()).toEqual(['/', '/script/elsewhere.js', loader].sort());
  });

  it('reads attributes of its element as it reads usherSettings, with the proof and the Company', async () => {
    const page = await harness.open({ loader: null });
    const visited = page.waitForRequest((request) => request.url().endsWith('/observe/visits'));
    const attributes = {
      'data-uid': uid,
      'data-uid_hash': 'proof',
      'data-company_uid': 'acme',
      'data-first-name': 'Ann',
    };
    await page.evaluate(
      ([src, data]) => {
        const script = Object.assign(document.createElement('script'), { async: true, src });
        for (const [name, value] of Object.entries(data)) script.setAttribute(name, value);
        document.head.append(script);
      },
      [loaderOf(), attributes] as const,
    );
    expect(JSON.parse((await visited).postData() ?? '')).toMatchObject({
      ...{ uid, uid_hash: 'proof', company_uid: 'acme' },
      properties: { firstName: 'Ann' },
    });
  });

  it.each([
    ['form', `<form name=usherSettings><input name=uid value=mallory></form>`],
    ['link', `<a id=usherSettings href=https://mallory@example.com/></a><a id=usherSettings name=uid></a>`],
    ['frame that may not be read', `<iframe name=usherSettings sandbox srcdoc=x></iframe>`],
  ])('identifies no one by a %s of the page that is named usherSettings', async (_, markup) => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ loader: null, body: markup });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.addScriptTag({ url: loaderOf() });
    await page.waitForFunction(() => 'kind' in ((window as never as { usher?: object }).usher ?? {}));
    await call(page, 'identify', uid);
    await dialog(page).waitFor();
    const bodies = sent.filter((body) => body.includes('uid'));
    expect(bodies.length).toBeGreaterThan(0);
    expect(bodies.every((body) => body.includes(uid))).toBe(true);
  });

  it('loads only the loader if the domain is not enabled', async () => {
    const { other } = harness.api;
    await harness.api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, { as: other });
    const page = await harness.open({ loader: loaderOf(other) }, { uid });
    const requested = recordRequests(page);
    await page.reload({ waitUntil: 'networkidle' });
    expect(requested).toEqual(['/', `/script/${other.account_token}.js`]);
    await call(page, 'identify', 'x');
    expect(await page.evaluate(() => Object.keys((window as never as { usher: object }).usher))).not.toContain('kind');
  });

  it('says once in the console what to do if the domain is not enabled, and resolves `usher.show`', async () => {
    const { other } = harness.api;
    await harness.api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' }, { as: other });
    const { lines, results } = await openTwice(loaderOf(other));
    expect(lines).toEqual([
      expect.stringMatching(/^Usher: 127\.0\.0\.1 is not enabled, .*PATCH \/v3\/edit\/urls\/:id/),
    ]);
    expect(results).toEqual(Array(2).fill({ shown: false, reason: 'host_off' }));
  });

  it('says once in the console what to do if its token is unknown, and resolves `usher.show`', async () => {
    const { lines, results } = await openTwice(`${harness.api.url}/script/wrong.js`);
    expect(lines).toEqual([expect.stringMatching(/^Usher: no account has the token .*Check the address/)]);
    expect(results).toEqual(Array(2).fill({ shown: false, reason: 'unknown_token' }));
  });

  it('says nothing in the console if the domain is enabled, also when the page sends no referrer', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const lines: string[] = [];
    const context = await harness.browser.newContext();
    context.on('console', (message) => lines.push(message.text()));
    const site = { loader: loaderOf(), headers: { 'Referrer-Policy': 'no-referrer' } };
    await dialog(await harness.open(site, { uid, context })).waitFor();
    await dialog(await harness.open({ loader: loaderOf() }, { uid: `${uid} b`, context })).waitFor();
    expect(lines).toEqual([]);
    await context.close();
  });

  it('loads the core on an enabled domain and on its subdomains', async () => {
    const page = await harness.open({ hosts: ['example.com', '.0.0.1'] }, { uid });
    await until(() => harness.requests).toContain('core');
    await page.close();
  });

  it('loads the core once if the page has the snippet twice', async () => {
    const head = `<script async src="${loaderOf()}"></script>`;
    const page = await harness.open({ loader: loaderOf(), head }, { uid });
    await page.waitForLoadState('networkidle');
    const requested = recordRequests(page);
    await page.reload({ waitUntil: 'networkidle' });
    expect(requested.filter((path) => path.includes('core'))).toHaveLength(1);
    expect(requested.filter((path) => path.endsWith('/visits'))).toHaveLength(1);
  });

  it('does not run a file whose content was changed', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({}, {});
    await page.route(/renderer-/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response: response, body: `${await response.text()};window.evil=1` });
    });
    const rejected = page.waitForEvent('console', (message) => message.text().includes('integrity'));
    await call(page, 'identify', uid);
    await rejected;
    expect(await page.evaluate(() => 'evil' in window)).toBe(false);
  });

  it('is harmless if its token is wrong', async () => {
    const page = await harness.open({ loader: `${harness.api.url}/script/wrong.js` }, { uid });
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => Object.keys((window as never as { usher: object }).usher))).not.toContain('kind');
  });
});

describe('the npm package', () => {
  const nonce = 'abc';
  const siteOf = (code: string, headers = {}) => ({
    ...{ nonce, headers, loader: null },
    head: `<script nonce=${nonce}>window.broken=[];addEventListener('securitypolicyviolation',e=>broken.push(e.violatedDirective+' '+e.blockedURI))</script>
      <script type=module nonce=${nonce}>import usher, { init } from '/npm.js';window.mine=usher;window.init=init;${code}</script>`,
  });
  const start = () => `init('${harness.api.account.account_token}', {url:'${harness.api.url}/'});`;

  it('makes early calls in order when the script has loaded', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const calls = `usher.on('usher:event',e=>{window.heard=e.name});usher.track('Early');usher.identify('${uid}',{plan:'pro'});usher.data.profile.get('plan');`;
    const page = await harness.open(siteOf(`${calls}${start()}${start()}`));
    await dialog(page).waitFor();
    expect(await page.evaluate(() => (window as never as { heard: string }).heard)).toBe('Early');
    expect(await page.evaluate(() => (window as never as { mine: Usher }).mine.data.profile.get('plan'))).toBe('pro');
    expect(await page.locator('script[src*="/script/"]:not([integrity])').count()).toBe(1);
    interface Usher {
      data: { profile: { get(key: string): unknown } };
    }
  });

  it('returns a promise of `show` and an unsubscribe before the script has loaded', async () => {
    const { id } = await harness.createTour([{ title: 'Hello' }], { style: 'manual' });
    const calls = `window.log=[usher.isShowing()];usher.on('load',()=>log.push('removed'))();usher.once('load',()=>log.push('load'));usher.identify('${uid}');window.result=usher.show('${id}');`;
    const page = await harness.open(siteOf(`${calls}${start()}`));
    await dialog(page).waitFor();
    expect(await page.evaluate('result.then(r=>[r,...log,mine.isShowing()])')).toEqual([
      ...[{ shown: true }, false, 'load', true],
    ]);
    await page.evaluate('mine.close()');
    await until(() => harness.interactions(id)).toMatchObject([{ state: 'exited' }]);
  });

  it('works under a strict policy', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const policy = `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; connect-src ${harness.api.url}; require-trusted-types-for 'script'; trusted-types usher`;
    const site = siteOf(`${start()}usher.identify('${uid}')`, { 'Content-Security-Policy': policy });
    const page = await harness.open(site);
    await dialog(page).waitFor();
    expect(await page.evaluate(() => (window as never as { broken: string[] }).broken)).toEqual([]);
  });

  it('does nothing outside of a browser', async () => {
    const file = '../dist/npm/index.js';
    const { default: usher, init } = await import(file);
    const stub = init('token', { url: 'https://usher.example.com' });
    usher.identify('7', { plan: 'pro' });
    usher.on('load', () => {})();
    expect(usher.data.profile.get('plan')).toBeUndefined();
    expect(usher.isShowing()).toBe(false);
    expect(await usher.show('x')).toEqual({ shown: false, reason: 'unavailable' });
    expect(stub.q).toEqual([]);
  });
});

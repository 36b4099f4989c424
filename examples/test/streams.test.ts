import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { findFirefox } from '../../scripts/firefox.mjs';
import { launchFirefox } from '../../scripts/test-browser.ts';
import { type Api, startApi } from '../../server/test/api.ts';
import { hasDebian, unpackDebianPackages } from './debian-packages.ts';
import { pageOf, snippetFor, startProduct } from './product.ts';
import { type RunningProxy, startCaddy, startNginx, startShippedCaddy, startShippedNginx } from './proxies.ts';

/*
 * Pages that learn of events of the backend through real proxies. While they have no stream, they ask every 30 to 60 seconds: what shows
 * within ten seconds has come by the stream.
 */

const STREAMED_MS = 10_000;
const PATH = '/help';

const launchers: Record<string, () => Promise<Browser>> = {
  Chromium: () => chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-gpu'] }),
  ...(findFirefox() !== undefined && { Firefox: launchFirefox }),
};

describe.skipIf(!hasDebian)('a stream of a page', () => {
  let packages: ReturnType<typeof unpackDebianPackages>;
  let product: Awaited<ReturnType<typeof startProduct>>;
  let folder: string;
  let api: Api;
  /** The same below a path. */
  let below: Api;
  const browsers = new Map<string, Browser>();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'usher-streams-'));
    packages = unpackDebianPackages(['nginx', 'caddy']);
    product = await startProduct({ '/reports': { type: 'text/html', body: pageOf('<h1>Reports</h1>') } });
    api = await startApi({ inTest: false, env: { USHER_TRUST_PROXY: '127.0.0.1' } });
    below = await startApi({ inTest: false, env: { USHER_TRUST_PROXY: '127.0.0.1', USHER_BASE_PATH: PATH } });
    for (const one of [api, below]) {
      await one.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
      const steps = [{ title: 'Well done', step_trigger: 'event', trigger_event: { name: 'Invite sent' } }];
      await one.post('/v3/edit/tours', { name: 'Invited', published_at: '$now', steps });
    }
    for (const [name, launch] of Object.entries(launchers)) browsers.set(name, await launch());
  });
  afterAll(async () => {
    for (const browser of browsers.values()) await browser.close();
    product?.stop();
    await api?.stop();
    await below?.stop();
    packages?.remove();
    rmSync(folder, { recursive: true });
  });

  const proxies = [
    { name: 'nginx with the file in deploy/', start: startShippedNginx },
    { name: 'Caddy with the file in deploy/', start: startShippedCaddy },
    { name: 'nginx as the guide says', start: startNginx, isBelow: true },
    { name: 'Caddy as the guide says', start: startCaddy, isBelow: true },
  ];

  describe.each(proxies)('behind $name', ({ name, start, isBelow = false }) => {
    let proxy: RunningProxy;
    let usher: Api;
    beforeAll(async () => {
      const own = join(folder, name.replaceAll(/\W/g, '-'));
      mkdirSync(own);
      usher = isBelow ? below : api;
      const upstreams = { product: product.port, folder: own, programs: packages.folder };
      proxy = await start({ usher: new URL(usher.url).host, ...upstreams });
    });
    afterAll(() => proxy?.stop());

    it.each(Object.keys(launchers))('starts a tour on an event of the backend, in %s', async (browserName) => {
      const uid = `${browserName} behind ${name}`;
      const { account_token } = usher.account;
      const base = isBelow ? PATH : `https://localhost:${proxy.port}`;
      const js = `${snippetFor(`${base}/script/${account_token}.js`)}\nusher.identify(${JSON.stringify(uid)});\n`;
      product.files['/usher.js'] = { type: 'text/javascript', body: js };
      const context = await browsers.get(browserName)?.newContext({ ignoreHTTPSErrors: true });
      try {
        const page = await context?.newPage();
        if (!page) throw new Error(`${browserName} does not run`);
        const streams: string[] = [];
        page.on('request', (request) => request.url().includes('/observe/stream') && streams.push(request.url()));
        await page.goto(`http://localhost:${isBelow ? proxy.port : product.port}/reports`);
        const open = () => usher.app.pageStreams.readMetrics()[0]?.samples[0]?.value;
        await expect.poll(open).toBe(1);
        await expect.poll(() => streams).toHaveLength(1);
        expect(new URL(streams[0] ?? '').port).toBe(String(proxy.port));
        await usher.post('/v3/observe/hooks/events', { uid, name: 'Invite sent' });
        await page.getByRole('dialog', { name: 'Well done' }).waitFor({ timeout: STREAMED_MS });
        expect(streams).toHaveLength(1);
        await context?.close();
        await expect.poll(open).toBe(0);
      } finally {
        await context?.close();
      }
    });
  });
});

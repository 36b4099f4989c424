import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realPng } from '../../script/test/real-png.ts';
import { findChromium } from '../../scripts/chromium.mjs';
import { type Api, startApi } from '../../server/test/api.ts';
import { examplesIn, patternOf } from '../../server/test/docs-examples.ts';
import { pictureForm } from '../../server/test/picture-form.ts';
import { describeRequest, findBlocked, type SentRequest } from './content-blocker.ts';
import { hasDebian, unpackDebianPackages } from './debian-packages.ts';
import { readGuide } from './guide-files.ts';
import { pageOf, snippetFor, startProduct } from './product.ts';
import { type RunningProxy, startCaddy, startNginx } from './proxies.ts';

/*
 * The guide "Serve Usher from your own domain", with real proxies, a real browser, and the engine and lists of a content blocker. The
 * programs come from packages of Debian.
 */

const run = promisify(execFile);
let count = 0;
/** Playwright does not report what a page sends while it closes. */
const recordBeacon = `const send = navigator.sendBeacon.bind(navigator);
navigator.sendBeacon = (url, body) => {
  sessionStorage.setItem('beacon', new URL(url, location.href).href);
  return send(url, body);
};`;
const EXTENSION = 'usr/share/chromium/extensions/ublock-origin';

describe.skipIf(!hasDebian)('a path of the own domain', () => {
  let api: Api;
  let packages: ReturnType<typeof unpackDebianPackages>;
  let product: Awaited<ReturnType<typeof startProduct>>;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'usher-proxy-'));
    packages = unpackDebianPackages(['nginx', 'caddy', 'webext-ublock-origin-chromium']);
    api = await startApi({ inTest: false, env: { USHER_BASE_PATH: '/help' } });
    await api.post('/v3/edit/urls', { host: 'app.example.com', enabled: 'on' });
    product = await startProduct({});
    browser = await chromium.launch({
      executablePath: findChromium() ?? '',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--host-resolver-rules=MAP app.example.com 127.0.0.1,MAP usher.example.net 127.0.0.1',
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    product?.stop();
    await api?.stop();
    packages?.remove();
    rmSync(folder, { recursive: true });
  });

  /** A page shows a tour with a picture, the user completes it, and leaves just after an event. */
  async function useProduct(page: string, script: string): Promise<SentRequest[]> {
    // Blockers stop pictures that have the size of an advertisement.
    const { picture } = (await api.post('/v3/edit/pictures', pictureForm(realPng(728, 90)))).body;
    const steps = [
      {
        title: 'Your reports',
        picture: picture.path,
        picture_alt: 'A report',
        buttons: [{ text: 'Done', tour_action: 'next' }],
      },
    ];
    const { tour } = (await api.post('/v3/edit/tours', { name: 'Reports', published_at: '$now', steps })).body;
    const uid = `user of ${page}`;
    const js = `${snippetFor(script)}\nusher.identify(${JSON.stringify(uid)});\n`;
    product.files['/usher.js'] = { type: 'text/javascript', body: js };
    product.files['/reports'] = { type: 'text/html', body: pageOf('<h1>Reports</h1>') };
    product.files['/left'] = { type: 'text/html', body: '<!doctype html><title>Left</title>' };
    const context = await browser.newContext();
    try {
      await context.addCookies([{ name: 'session', value: 'of the product', url: page }]);
      await context.addInitScript(recordBeacon);
      const tab = await context.newPage();
      const requests: SentRequest[] = [];
      tab.on('request', (request) => requests.push(describeRequest(request)));
      await tab.goto(`${page}/reports`);
      await tab.getByRole('img', { name: 'A report' }).waitFor();
      await tab.getByRole('button', { name: 'Done' }).click();
      const stats = async () => (await api.get(`/v3/edit/tours/${tour.id}`)).body.tour.stats;
      await expect.poll(stats).toMatchObject({ started_count: 1, completed_count: 1 });
      const event = `left_${++count}`;
      await tab.evaluate(`usher.track('${event}'); location.href = '/left'`);
      await tab.waitForURL('**/left');
      const url = await tab.evaluate<string>("sessionStorage.getItem('beacon')");
      expect(url).toContain('/v3/observe/events');
      requests.push({ url, type: 'ping', method: 'POST', page: `${page}/reports` });
      const names = async () =>
        (await api.get('/v3/edit/event_names')).body.event_names.map((one: { name: string }) => one.name);
      await expect.poll(names).toContain(event);
      expect(new Set(requests.map(({ type }) => type))).toEqual(
        new Set(['main_frame', 'script', 'xmlhttprequest', 'image', 'ping']),
      );
      return requests;
    } finally {
      await context.close();
      await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: null });
    }
  }

  const extension = () => join(packages.folder, EXTENSION);

  it('is not there: a blocker stops what pages send while they close, and nothing else', async () => {
    const port = new URL(api.url).port;
    const page = `http://app.example.com:${product.port}`;
    const requests = await useProduct(page, `http://usher.example.net:${port}/script/${api.account.account_token}.js`);
    const blocked = findBlocked(extension(), requests);
    expect(new Set(blocked.map(({ request, filter }) => `${request.type} ${filter}`))).toEqual(
      new Set(['ping *$ping,3p']),
    );
    expect(blocked.every(({ request }) => request.url.includes('usher.example.net'))).toBe(true);
  });

  it('asks for pictures by names that do not look like those of advertisements', () => {
    const common = { type: 'image', method: 'GET', page: 'http://app.example.com/' };
    const paths = ['-728x90.png', '-728x90@1x.png', '-300x250@2x.png'];
    const requests = paths.map((path) => ({ ...common, url: `http://app.example.com/help/media/a/b${path}` }));
    expect(findBlocked(extension(), requests).map(({ request }) => request.url)).toEqual([requests[0]?.url]);
  });

  const proxies = { nginx: startNginx, Caddy: startCaddy };

  describe.each(Object.entries(proxies))('behind %s', (name, start) => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      const own = join(folder, name);
      mkdirSync(own);
      proxy = await start({
        usher: new URL(api.url).host,
        product: product.port,
        folder: own,
        programs: packages.folder,
      });
    });
    afterAll(() => proxy?.stop());

    it('shows a tour, and a blocker stops nothing', async () => {
      const page = `http://app.example.com:${proxy.port}`;
      const requests = await useProduct(page, `/help/script/${api.account.account_token}.js`);
      expect(requests.filter(({ url }) => !url.startsWith(`${page}/`))).toEqual([]);
      expect(findBlocked(extension(), requests)).toEqual([]);
    });

    it('shows the public page of a survey, which takes answers', async () => {
      const steps = [{ title: 'Would you recommend us?', preset: 'survey_nps' }];
      const params = { name: 'Asks', steps, style: 'manual', public_page: true, published_at: '$now' };
      const { survey } = (await api.post('/v3/edit/surveys', params)).body;
      const tab = await browser.newPage();
      const { pathname } = new URL(survey.public_page_url);
      await tab.goto(`http://app.example.com:${proxy.port}${pathname}`);
      await tab.getByRole('radio', { name: '9' }).click();
      const responses = async () => (await api.get(`/v3/analyze/responses?id=${survey.id}`)).body.responses;
      await expect.poll(responses).toMatchObject([{ source: 'link', button_text: '9' }]);
      expect(pathname).toMatch(/^\/help\/s\//);
      await tab.close();
    });

    it('prints what the guide says', async () => {
      const examples = examplesIn(readGuide('first-party')).filter(({ language }) => language === 'bash');
      expect(examples).toHaveLength(2);
      const env = {
        ...process.env,
        PAGE_URL: `http://127.0.0.1:${proxy.port}/help`,
        ACCOUNT_TOKEN: api.account.account_token,
      };
      for (const { code, output } of examples)
        expect((await run('bash', ['-ec', code], { env })).stdout.trimEnd()).toMatch(patternOf(output.trimEnd()));
    });
  });
});

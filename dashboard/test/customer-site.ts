import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Dashboard } from './browser.ts';

/** The site of a customer, at an origin of its own. Each page contains what `head` returns when it is requested. */
export async function startCustomerSite(
  head: () => string,
  policy?: string,
  body = '<h1>Acme</h1>',
): Promise<{ url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
    response.end(`<!doctype html><html lang="en"><head><title>Acme</title>${head()}</head><body>${body}</body></html>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}` };
}

/** Starts an enabled site with the real script. Returns a function that opens it in another browser, as a user. */
export async function startSiteWithScript({ api, browser }: Dashboard): Promise<(uid: string) => Promise<Page>> {
  await api.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  const { url } = await startCustomerSite(
    () => `<script src="${api.url}/script/${api.account.account_token}.js"></script>`,
  );
  return async (uid) => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    onTestFinished(() => page.close());
    await page.goto(url);
    await page.waitForFunction(() => 'identify' in (window as unknown as { usher: object }).usher);
    const seen = page.waitForResponse((response) => response.url().includes('/v3/observe/visits'));
    await page.evaluate((uid) => Reflect.get(window, 'usher').identify(uid), uid);
    await seen;
    return page;
  };
}

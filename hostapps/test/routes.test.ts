import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { afterEvents } from '../../script/test/frames.ts';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { apps, type HostApp } from './apps.ts';
import { box, createUser, expectNoTrace, openApp, press } from './host.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

const find = (name: string) => apps.find((app) => app.name === name) as HostApp;
const step = (title: string, selector: string, url: string) => ({
  ...{ title, position_type: 'snap_to_element', elements: [{ selector }], quantifier_urls: [{ url }] },
});
/** Waits for the response of the first visit. */
const isIdentified = (page: Page) =>
  page.waitForFunction(() => {
    const { usher } = window as never as { usher: { data: { profile: { get(key: string): unknown } } } };
    return usher.data.profile.get('uid');
  });
function countVisits(page: Page): () => number {
  let visits = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/visits')) visits++;
  });
  return () => visits;
}

it('continues a tour on the next page of Verdaccio', async () => {
  const user = await createUser();
  const steps = [
    step('List', '[data-testid="package-title"]', '/'),
    step('Package', '[data-testid="download-tarball-btn"], #root h1, #root h2', '/-/web/detail/beta'),
  ];
  await user.create('tour', { steps });
  const page = await openApp(browser, find('Verdaccio'), user);
  await press(page, 'Next');
  await page.getByText('beta', { exact: true }).first().click();
  await box(page, 'Package').waitFor();
  await page.goBack();
  await box(page, 'Package').waitFor({ state: 'detached' });
  await expectNoTrace(page);
});

it('continues a tour when Turbo replaces the body, and survives the way back', async () => {
  const user = await createUser();
  const steps = [step('One', '#link', '/turbo/one'), step('Two', '#title-two', '/turbo/two')];
  await user.create('tour', { steps });
  await user.create('launcher', { title: 'Help', items: [{ title: 'Docs', url: '/docs' }] });
  const page = await openApp(browser, find('Turbo'), user);
  await press(page, 'Next');
  await page.locator('#link').click();
  await box(page, 'Two').waitFor();
  await page.goBack();
  await box(page, 'Two').waitFor({ state: 'detached' });
  await page.locator('usher-layer').getByRole('button', { name: 'Help' }).click();
  await box(page, 'Help').waitFor();
  expect(await page.locator('usher-layer').count()).toBe(1);
  await expectNoTrace(page);
});

it('sends a visit for a route in the hash of Swagger UI, and none while the user scrolls', async () => {
  const user = await createUser();
  const page = await openApp(browser, find('Swagger UI'), user);
  await isIdentified(page);
  const visits = countVisits(page);
  await page.mouse.move(400, 400);
  for (let index = 0; index < 10; index++) await page.mouse.wheel(0, 200);
  await afterEvents(page);
  expect(visits()).toBe(0);
  await page.locator('.opblock-summary').first().click();
  await expect.poll(() => page.url()).toContain('#/orders/');
  await expect.poll(visits).toBe(1);
});

it('sends no visit when the user opens another flow of Node-RED', async () => {
  const user = await createUser();
  const page = await openApp(browser, find('Node-RED'), user);
  await isIdentified(page);
  const visits = countVisits(page);
  await page.getByText('Flow 2', { exact: true }).first().click();
  await expect.poll(() => page.url()).toContain('#flow/f2');
  await afterEvents(page);
  expect(visits()).toBe(0);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realPng } from '../../script/test/real-png.ts';
import { setUpDemo } from '../../server/src/features/install/demo/set-up-demo.ts';
import { demoFolder } from '../../server/src/folders.ts';
import { type Dashboard, startOwnDashboard } from './browser.ts';
import { countClicks } from './by-hand.ts';

/* Task 11 of the tasks that a stranger must do without help: a tour in the look of the demo site, with a picture. */

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startOwnDashboard();
  const experiences = JSON.parse(readFileSync(join(demoFolder, 'experiences.json'), 'utf8'));
  await setUpDemo(dashboard.api.app, dashboard.api.account, experiences);
});
afterAll(() => dashboard.stop());

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });

it('takes a theme from the demo site and publishes it with a picture, in 24 clicks and 4 minutes at most', async () => {
  const { api } = dashboard;
  const steps = [
    { title: 'Hello', body: 'This is new.', buttons: [{ text: 'Next', tour_action: 'next' }] },
    { title: 'Goodbye' },
  ];
  const quantifier_urls = [{ url: '/demo/team', match_type: 'simple' }];
  const tour = {
    name: 'Welcome to the team',
    steps: [{ ...steps[0], quantifier_urls }, steps[1]],
    published_at: '$now',
  };
  expect((await api.post('/v3/edit/tours', tour)).status).toBe(201);

  const page = await dashboard.open('/app/themes');
  const began = Date.now();
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'New theme' }).first().click();
  await page.getByRole('button', { name: /^As the page/ }).click();
  await page.getByRole('button', { name: 'Take it from your page' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Page' }).fill(`${api.url}/demo/`);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open page' }).click();
  const tab = await opened;
  const bar = tab.getByRole('region', { name: 'Usher picker' });
  await bar.getByRole('button', { name: 'Start', exact: true }).click();
  const looks = {
    button: tab.locator('#new-project'),
    heading: tab.getByRole('heading', { level: 1 }),
    card: tab.locator('.card').first(),
    link: tab.locator('main a').first(),
  };
  const read = () =>
    looks.button.evaluate((element) => {
      const { backgroundColor, borderRadius } = getComputedStyle(element);
      return [backgroundColor, borderRadius];
    });
  const own = await read();
  for (const [name, element] of Object.entries(looks)) {
    await bar.getByText(`Point at a ${name}`).waitFor();
    if (await element.count()) await element.click({ force: true, position: { x: 4, y: 8 } });
    else await bar.getByRole('button', { name: 'Skip', exact: true }).click();
  }
  await bar.getByText('Go back to the tab with Usher').first().waitFor();
  await page.getByRole('button', { name: 'Use these' }).click();
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByRole('button', { name: 'Publish theme now' }).click();
  await page.getByText(/is published$/).waitFor();

  await page.getByRole('link', { name: 'Experiences', exact: true }).first().click();
  await page
    .getByRole('link', { name: /^Welcome to the team/ })
    .first()
    .click();
  await page.getByText('Picture or video').click();
  const buffer = Buffer.from(realPng(200, 100));
  await page.locator('input[type=file]').last().setInputFiles({ name: 'new.png', mimeType: 'image/png', buffer });
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByLabel('Description of the picture', { exact: true }).fill('The new page');
  await page.getByRole('button', { name: 'Publish…' }).click();
  await dialogOf(page)
    .getByRole('button', { name: /^Publish / })
    .click();
  await dialogOf(page).waitFor({ state: 'hidden' });
  // Five clicks were on the demo site.
  expect((await clicks()) + 5).toBeLessThanOrEqual(24);
  expect(Date.now() - began).toBeLessThan(240_000);

  const seen = await (await dashboard.browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await seen.goto(`${api.url}/demo/team`);
  await seen.getByRole('img', { name: 'The new page' }).waitFor();
  const next = seen.getByRole('button', { name: 'Next', exact: true });
  const painted = await next.evaluate((element) => {
    const { backgroundColor, borderRadius } = getComputedStyle(element);
    return [backgroundColor, borderRadius];
  });
  expect(painted).toEqual(own);
});

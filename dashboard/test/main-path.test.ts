import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { setUpDemo } from '../../server/src/features/install/demo/set-up-demo.ts';
import { createSetupLink } from '../../server/src/features/team/links/create-setup-link.ts';
import { demoFolder } from '../../server/src/folders.ts';
import { PASSWORD } from '../../server/test/sign-in.ts';
import { type Dashboard, startOwnDashboard } from './browser.ts';
import { recordFrame, updateReadmePicture, updateReadmePictures, writeMovingPicture } from './readme-pictures.ts';

/* The path of the first owner of a new server, as one test. It runs on both engines and in both browsers. */

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startOwnDashboard();
  const experiences = JSON.parse(readFileSync(join(demoFolder, 'experiences.json'), 'utf8'));
  await setUpDemo(dashboard.api.app, dashboard.api.account, experiences);
});
afterAll(() => dashboard.stop());

it('leads from the printed link to an installed product, a domain, a tour that users see, and a colleague', async () => {
  const { api } = dashboard;
  const page = await dashboard.open(`/app/setup#${await createSetupLink(api.app)}`, { as: null });
  await setUp(page);
  await installOnDemo(page);
  await turnOnDomain(page);
  await loadSampleData(page);
  await makeFirstTour(page);
  const link = await invite(page);
  const guest = await dashboard.open(link.slice(api.url.length), { as: null });
  await joinAccount(guest);
  await guest.getByRole('link', { name: 'Domains', exact: true }).click();
  await guest.getByText('shop.acme.test').waitFor();
  expect(await guest.getByRole('button', { name: 'Add domain' }).count()).toBe(0);
  await updateReadmePictures(api, page);
});

/** Types key by key: in Firefox, Playwright's `fill` changes the value in a way that React does not notice. */
async function type(field: Locator, text: string): Promise<void> {
  await field.fill('');
  await field.pressSequentially(text);
}

async function setUp(page: Page): Promise<void> {
  await type(page.getByLabel('Your name'), 'Ann Lee');
  await type(page.getByLabel('Email'), 'ann.lee@people.test');
  await type(page.getByLabel('Password', { exact: true }), PASSWORD);
  await type(page.getByLabel('Product name'), 'Acme App');
  await type(page.getByLabel(/^Product domain/), 'app.acme.test');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

async function installOnDemo(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Show how to install' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the demo site' }).click();
  const demo = await opened;
  await demo.getByRole('heading').first().waitFor();
  // In Firefox, a page behind another tab sends no new requests.
  await page.bringToFront();
  await page.getByText('Usher works on 127.0.0.1').waitFor();
  await page.getByRole('button', { name: 'New Experience' }).waitFor();
  await demo.close();
}

async function turnOnDomain(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByText('app.acme.test').waitFor();
  await page.getByRole('button', { name: 'Add domain' }).click();
  await type(page.getByRole('dialog').getByLabel('Domain', { exact: true }), 'https://shop.acme.test/cart');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('row').getByText('shop.acme.test').waitFor();
}

/** Creates the first tour as the README describes it, and sees it in the browser of a user of the demo site. */
async function makeFirstTour(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: 'Choose a template' }).click();
  await page.getByRole('option', { name: 'Welcome tour' }).click();
  await page.getByRole('button', { name: 'Create Experience' }).click();
  const settings = page.getByRole('region', { name: 'Settings' });
  const title = settings.getByLabel('Title', { exact: true });
  await title.waitFor();
  await recordFrame(page, 1200);
  await type(title, 'Look');
  await recordFrame(page, 250);
  await title.pressSequentially(' here');
  await recordFrame(page, 250);
  await title.pressSequentially(' first');
  await recordFrame(page, 1200);
  await pickSearchField(page);
  await page.getByRole('link', { name: 'Targeting', exact: true }).click();
  await page.getByRole('button', { name: 'Add page' }).click();
  await type(page.getByRole('combobox', { name: 'Page 1' }), '/demo/team');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByRole('dialog').getByText('It was never published').waitFor();
  await recordFrame(page, 1800);
  await page.getByRole('button', { name: /^Publish to/ }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await recordFrame(page, 1200);
  const context = await dashboard.browser.newContext({ reducedMotion: 'reduce', viewport: page.viewportSize() });
  onTestFinished(() => context.close());
  const demo = await context.newPage();
  await demo.goto(`${dashboard.api.url}/demo/team`);
  await demo.getByText('Look here first').waitFor();
  await recordFrame(demo, 2500);
  writeMovingPicture('first-tour');
}

/** Points at the search field on the demo site. */
async function pickSearchField(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pick on your page' }).click();
  await type(page.getByRole('dialog').getByRole('combobox', { name: 'Page' }), '/demo/team');
  await page.getByRole('dialog').getByText(`Opens ${dashboard.api.url}/demo/team`).waitFor();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('dialog').getByRole('button', { name: 'Open page' }).click();
  const demo = await opened;
  await recordFrame(demo, 1000);
  await demo.getByRole('button', { name: 'Start picking' }).click();
  const search = demo.getByRole('searchbox', { name: 'Search projects' });
  await search.hover();
  await recordFrame(demo, 1200);
  await search.click();
  await demo.getByText('Go back to the tab with Usher to use it.').first().waitFor();
  await demo.close();
  await page.getByRole('dialog').getByText('Survives a redeploy').first().waitFor();
  await updateReadmePicture(page, 'pick');
  await recordFrame(page, 1500);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Use th/ })
    .click();
}

async function loadSampleData(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('button', { name: 'Load sample data' }).click();
  await page.getByRole('button', { name: /^Remove sample data/ }).waitFor();
}

async function invite(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('button', { name: 'Invite colleague' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function joinAccount(guest: Page): Promise<void> {
  await type(guest.getByLabel('Your name'), 'Bo Young');
  await type(guest.getByLabel('Email'), 'bo@people.test');
  await type(guest.getByLabel('Password', { exact: true }), PASSWORD);
  await guest.getByRole('button', { name: 'Join account' }).click();
  await guest.getByRole('button', { name: 'You: Bo Young' }).waitFor();
}

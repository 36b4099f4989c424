import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { type Api, startApi } from '../../server/test/api.ts';
import { buildExample, serveExample } from './example-app.ts';

/* Each example as a reader runs it: installed, built, and opened in a browser, with a real Usher server. */

let api: Api;
let browser: Browser;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  const tour = readFileSync(new URL('../tour.json', import.meta.url), 'utf8');
  const { status, body } = await api.post('/v3/edit/tours', tour);
  expect([status, body.messages]).toEqual([201, undefined]);
});
afterAll(async () => {
  await browser?.close();
  await api?.stop();
});

interface Opened {
  page: Page;
  /** The bodies of the requests to a path of the server so far. */
  sentTo(path: string): Record<string, unknown>[];
}

/** Opens an example in a new window. Errors and warnings in the console fail the test. */
async function open(url: string): Promise<Opened> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems: string[] = [];
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  page.on('pageerror', (error) => problems.push(`${error}`));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push({ path: new URL(request.url()).pathname, body: request.postDataJSON() });
  });
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  return { page, sentTo: (path) => sent.filter((request) => request.path === path).map(({ body }) => body) };
}

const VISITS = '/v3/observe/visits';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tour = (page: Page) => page.getByRole('heading', { name: 'Your reports, Ann' });
const pagesOf = (visits: Record<string, unknown>[]) =>
  visits.map(({ uid, href }) => [uid, new URL(`${href}`).pathname]);

describe.each(['react', 'vue', 'svelte'])('the example for %s', (name) => {
  let site: Awaited<ReturnType<typeof serveExample>>;
  beforeAll(async () => {
    await buildExample(name, api);
    site = await serveExample(name, 'preview', api);
  });
  afterAll(() => site?.stop());
  beforeEach(() => forgetUser());

  it('shows the tour on the second route after sign-in, and nothing after sign-out', async () => {
    const { page, sentTo } = await open(site.url);
    expect(sentTo(VISITS)).toEqual([]);
    await button(page, 'Sign in').click();
    await expect.poll(() => pagesOf(sentTo(VISITS))).toEqual([['18821', '/']]);
    await page.getByRole('link', { name: 'Reports' }).click();
    await tour(page).waitFor();
    await page.getByText('Last event of Usher: tour started').waitFor();
    expect(pagesOf(sentTo(VISITS))).toEqual([
      ['18821', '/'],
      ['18821', '/reports'],
    ]);
    await button(page, 'Sign out').click();
    await tour(page).waitFor({ state: 'detached' });
    expect(await page.locator('usher-layer').count()).toBe(0);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.waitForLoadState('networkidle');
    expect([await tour(page).count(), sentTo(VISITS).length]).toEqual([0, 2]);
  });

  it('tracks an event, and completes the tour', async () => {
    const { page, sentTo } = await open(`${site.url}/reports`);
    await button(page, 'Sign in').click();
    await tour(page).waitFor();
    await button(page, 'Done').click();
    await page.getByText('Last event of Usher: tour completed').waitFor();
    await button(page, 'Export').click();
    await expect
      .poll(() => sentTo('/v3/observe/events'))
      .toMatchObject([{ name: 'report_exported', properties: { format: 'csv' } }]);
  });

  it('sends one visit, and shows one tour, when the page is loaded with a user who is signed in', async () => {
    const { page, sentTo } = await open(`${site.url}/reports`);
    await expectOneVisitAfterReload(page, sentTo);
  });
});

describe('React StrictMode, which runs effects twice in development', () => {
  let site: Awaited<ReturnType<typeof serveExample>>;
  beforeAll(async () => {
    await forgetUser();
    site = await serveExample('react', 'dev', api);
  });
  afterAll(() => site?.stop());

  it('sends one visit, and shows one tour', async () => {
    const { page, sentTo } = await open(`${site.url}/reports`);
    await expectOneVisitAfterReload(page, sentTo);
  });
});

async function expectOneVisitAfterReload(page: Page, sentTo: Opened['sentTo']) {
  await button(page, 'Sign in').click();
  await tour(page).waitFor();
  expect(sentTo(VISITS)).toHaveLength(1);
  await page.reload({ waitUntil: 'networkidle' });
  await tour(page).waitFor();
  expect([await tour(page).count(), sentTo(VISITS).length]).toEqual([1, 2]);
}

/** All tests have the same user, who sees the tour once. */
async function forgetUser(): Promise<void> {
  await api.send('DELETE', '/v3/edit/profiles/forget', { body: { uid: '18821' } });
}

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { apps } from './apps.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

/** The script gives up after 10 seconds. */
const LOAD_MS = 8000;
const ofFiles = apps.filter(({ url }) => url.startsWith(inject('hosts').pages));

async function newPage(): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${error.stack}`));
  onTestFinished(() => expect(errors).toEqual([]));
  await page.addInitScript(`window.currentUser = 'slow'`);
  return page;
}

describe.each(ofFiles)('$name', ({ url, ready }) => {
  it('loads although the Usher server accepts connections and never responds', async () => {
    const page = await newPage();
    await page.goto(`${url}?server=hanging`, { waitUntil: 'load', timeout: LOAD_MS });
    await ready(page);
  });
});

describe('Swagger UI', () => {
  it.each(['script/files', 'v3/observe'])('loads although %s never responds', async (part) => {
    const page = await newPage();
    await page.route(new RegExp(`${inject('usher').url}/${part}/`), () => {});
    const app = ofFiles.find(({ name }) => name === 'Swagger UI') as (typeof ofFiles)[number];
    await page.goto(app.url, { waitUntil: 'load', timeout: LOAD_MS });
    await app.ready(page);
  });
});

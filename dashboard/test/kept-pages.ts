import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const MAX_CLEANING_MS = 5000;

/** The settings that cannot be changed after a page was created. */
interface PageSettings {
  timeZone: string;
  savesData: boolean;
  /** Whether no other test gets the page. */
  isNew: boolean;
}

/**
 * Passes pages from one test to the next. A page that has loaded the dashboard before loads it in half the time,
 * because its scripts are compiled. Nothing else is kept: no cookies, no stored data, no routes and no listeners.
 */
export function keepPages(browser: Browser, url: string): (settings: PageSettings) => Promise<Page> {
  const kept = new Map<string, Page[]>();
  return async (settings) => {
    const key = JSON.stringify(settings);
    const page = kept.get(key)?.pop() ?? (await createPage(browser, settings));
    onTestFinished(async ({ task }) => {
      const isGood = !settings.isNew && !page.isClosed() && task.result?.state !== 'fail';
      if (isGood && (await Promise.race([clean(page, url), giveUp()]))) kept.set(key, [...(kept.get(key) ?? []), page]);
      // The result is not awaited, because a page of a failed test may take a minute to close.
      else
        void page
          .context()
          .close()
          .catch(() => {});
    });
    return page;
  };
}

function giveUp(): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, MAX_CLEANING_MS, false));
}

async function createPage(browser: Browser, { timeZone, savesData }: PageSettings): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: timeZone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (savesData) await context.addInitScript(saveData);
  return context.newPage();
}

function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

/** Returns whether the page is like a new one. It is not if the server has stopped. */
async function clean(page: Page, url: string): Promise<boolean> {
  const context = page.context();
  page.removeAllListeners();
  context.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  // This document has the same origin, and no script.
  const response = await page.goto(`${url}/healthz`).catch(() => null);
  if (!response?.ok()) return false;
  await page.evaluate(clearStorage);
  await context.clearCookies();
  return true;
}

async function clearStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
}

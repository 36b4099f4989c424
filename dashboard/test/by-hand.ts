import type { Locator, Page } from 'playwright-core';
import { focused } from './browser.ts';

const MAX_PRESSES = 120;

/** Presses Tab until an element has the focus. A list that opens meanwhile hides the rest from screen readers. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const wanted = await target.elementHandle();
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    if (await wanted?.evaluate((element) => element === (element.getRootNode() as Document).activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach it; the focus is on ${await focused(page)}`);
}

/** Counts all clicks, also those by Enter and Space. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 });
    addEventListener('click', () => Object.assign(window, { clicks: Reflect.get(window, 'clicks') + 1 }), true);
  });
  return () => page.evaluate(() => Reflect.get(window, 'clicks'));
}

/** Opens the command palette, whose code is loaded when it is opened first. */
export async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
}

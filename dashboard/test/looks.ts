import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityProblems, takePicture } from './browser.ts';

/** The looks in which every page is checked. */
const looks = [
  { look: 'dark', width: 1440, colorScheme: 'dark' },
  { look: 'phone', width: 375, colorScheme: 'light' },
  { look: 'light', width: 1440, colorScheme: 'light' },
] as const;

/**
 * Checks that the page is accessible and fits, in light, dark and on a phone, and takes a picture of each. At the end
 * the page is light again.
 */
export async function expectGoodLooks(page: Page, name: string, selector?: string): Promise<void> {
  const height = page.viewportSize()?.height ?? 900;
  for (const { look, width, colorScheme } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await expectGoodLook(page, `${name}-${look}`, selector);
  }
}

/**
 * Checks that the page, or a part of it, is accessible and not wider than the window. Takes a picture of the whole
 * page.
 */
export async function expectGoodLook(page: Page, name: string, selector?: string): Promise<void> {
  // Waits until content has replaced all skeletons.
  await page.waitForFunction(() => !document.querySelector('.skeleton'));
  expect(await accessibilityProblems(page, selector)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([name, Math.max(overflow, 0)]).toEqual([name, 0]);
  await takePicture(page, name, true);
}

/**
 * Checks that tables show only the columns that fit beside the navigation, at 200 % zoom and on a small laptop: nothing
 * is cut off or has to be scrolled to.
 */
export async function expectFittingTables(page: Page, name: string): Promise<void> {
  for (const width of [720, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await takePicture(page, `${name}-${width}`, true);
    const hidden = () =>
      page
        .getByRole('grid')
        .evaluateAll((grids) =>
          grids.flatMap((grid) => [
            grid.scrollWidth - grid.clientWidth,
            ...[...grid.querySelectorAll('[role=columnheader]')].map((one) => one.scrollWidth - one.clientWidth),
          ]),
        );
    await expect.poll(async () => [width, Math.max(...(await hidden()))]).toEqual([width, 0]);
  }
}

/** A name that breaks code which does not escape or wrap it. */
export const hostileName = `<img src=x onerror=alert(1)>"'&amp;{{x}}\u202e${'W'.repeat(120)}`;

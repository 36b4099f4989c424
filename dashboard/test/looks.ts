import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityProblems, takePicture } from './browser.ts';

/** How every page is looked at. */
export const looks = [
  { look: 'light', width: 1440, isDark: false },
  { look: 'dark', width: 1440, isDark: true },
  { look: 'phone', width: 375, isDark: false },
];

/** The page is accessible and not wider than the window. Takes a picture of all of it. */
export async function expectGoodLook(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await takePicture(page, name, true);
}

/** A name that breaks whatever does not escape it, or does not wrap. */
export const hostileName = `<img src=x onerror=alert(1)>"'&amp;{{x}}\u202e${'W'.repeat(120)}`;

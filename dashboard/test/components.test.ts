import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const overlays = ['dialog', 'confirmation', 'palette', 'shortcuts', 'menu', 'popover'];
/**
 * Dark differs from light only by its colors, and a phone differs from a desktop by everything else. Overlays share
 * their colors and their fit.
 */
const looks = [
  { name: 'light-wide', width: 1440, height: 900, colorScheme: 'light', overlays },
  { name: 'dark-wide', width: 1440, height: 900, colorScheme: 'dark', overlays: ['menu'] },
  { name: 'light-phone', width: 375, height: 800, colorScheme: 'light', overlays: ['dialog'] },
] as const;
const openOverlay = '[role=dialog], [role=alertdialog], [role=menu]';

const open = () => dashboard.open('/app/_ui', { as: null });

it('is accessible and fits, in light, dark and on a phone', async () => {
  const page = await open();
  for (const { name, width, height, colorScheme, overlays } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    expect([name, await accessibilityProblems(page)]).toEqual([name, []]);
    await takePicture(page, `components-${name}`, true);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([name, Math.max(overflow, 0)]).toEqual([name, 0]);
    for (const overlay of overlays) {
      await page.getByRole('button', { name: `Open ${overlay}`, exact: true }).click();
      expect([name, overlay, await accessibilityProblems(page, openOverlay)]).toEqual([name, overlay, []]);
      await takePicture(page, `components-${overlay}-${name}`);
      await page.keyboard.press('Escape');
      await page.locator(openOverlay).first().waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Show toast' }).click();
    await page.getByRole('button', { name: 'Show error' }).click();
    expect([name, await accessibilityProblems(page, '[role=region]')]).toEqual([name, []]);
    await takePicture(page, `components-toasts-${name}`);
    const close = page.getByRole('alertdialog').getByRole('button', { name: 'Close' });
    for (const left of [1, 0]) {
      await close.first().press('Enter');
      await expect.poll(() => close.count()).toBe(left);
    }
  }
});

/** The colors of the picture of a page at these places. */
async function colorsAt(page: Page, places: number[], y: number): Promise<string[]> {
  const picture = (await page.screenshot()).toString('base64');
  // The security policy of the dashboard allows no images as data, so another page decodes the picture.
  const reader = await page.context().newPage();
  const colors = await reader.evaluate(
    async ({ picture, places, y }) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas?.drawImage(image, 0, 0);
      return places.map((x) => `${canvas?.getImageData(x, y, 1, 1).data.slice(0, 3)}`);
    },
    { picture, places, y },
  );
  await reader.close();
  return colors;
}

describe('overlays', () => {
  it('dims the place of the scrollbar, too, and returns the focus to the button that opened a dialog', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Open dialog' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await focused(page)).toBe('input Name');
    expect(await page.evaluate(() => innerWidth - document.body.offsetWidth)).toBeGreaterThan(0);
    // Both places show the dimmed ground of the page.
    await expect.poll(() => colorsAt(page, [10, 1435], 890)).toEqual(['165,166,167', '165,166,167']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('button Open dialog');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Last action: renamed').waitFor();
  });

  it('confirms after the name was typed, runs the command that was found, and undoes from a toast', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Open confirmation' }).click();
    const button = page.getByRole('button', { name: 'Delete secret' });
    await page.keyboard.type('Backen');
    expect(await button.isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alertdialog').count()).toBe(1);
    await page.keyboard.type('d');
    expect(await button.isDisabled()).toBe(false);
    await page.keyboard.press('Enter');
    await page.getByText('Last action: deleted').waitFor();
    await page.getByRole('button', { name: 'Open palette' }).click();
    await page.keyboard.type('templ');
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([expect.stringContaining('New tour')]);
    await page.keyboard.press('Enter');
    await page.getByText('Last action: new').waitFor();
    await page.getByRole('button', { name: 'Show toast' }).click();
    // F6 moves between the landmarks of a page.
    await page.keyboard.press('F6');
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Last action: undone').waitFor();
    expect(await page.getByText('Tour archived').count()).toBe(0);
  });
});

describe('the table', () => {
  it('renders the visible rows of a thousand only, and sorts them by mouse and keyboard', async () => {
    const page = await open();
    const table = page.getByRole('grid', { name: 'Tours' });
    expect(await table.getAttribute('aria-rowcount')).toBe('1001');
    const rendered = await table.getByRole('row').count();
    expect(rendered).toBeGreaterThan(8);
    expect(rendered).toBeLessThan(40);
    const heading = table.getByRole('columnheader', { name: 'People' });
    await heading.click();
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
    await heading.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending');
  });

  it('moves, selects and opens rows by keyboard', async () => {
    const page = await open();
    const table = page.getByRole('grid', { name: 'Tours' });
    await page.getByRole('row', { name: 'Tour 1', exact: true }).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    // While rows are selected, Enter selects instead of opening.
    await page.keyboard.press('Escape');
    await table.getByRole('row', { name: 'Tour 3', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('opened: Tour 3').waitFor();
    await page.keyboard.press('Control+End');
    await page.getByRole('row', { name: 'Tour 1000' }).waitFor();
  });
});

it('shows a password, chooses from a list by keyboard, copies code, and keeps the chosen theme', async () => {
  const page = await open();
  const field = page.getByLabel('Current password');
  expect(await field.getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Show password' }).first().click();
  expect(await field.getAttribute('type')).toBe('text');
  await page
    .getByRole('button', { name: /Production/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /Staging/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('usher.identify');
  await page.getByRole('button', { name: 'dark', exact: true }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
});

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PageExperience, PageItem } from '../src/wire.ts';
import { clear, focused, load, openPage, show, violations } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

/* Checklists whose items are completed by their conditions, in a real browser without a server. */

let page: Page;
const errors: string[] = [];
beforeAll(async () => {
  page = await openPage();
  page.on('pageerror', ({ message }) => errors.push(message));
});
afterAll(closeContexts);
afterEach(async () => {
  await clear(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(errors.splice(0)).toEqual([]);
});

const item = (title: string, fields: Partial<PageItem> = {}): PageItem => ({
  ...{ id: title, title: [title], url: ['https://example.com/'] as never },
  ...fields,
});
const items = [
  item('Export', { completed: true }),
  item('Invite', { completed: false }),
  item('Publish', { completed: false, locked: true }),
  item('Docs'),
];
const checklist = (fields: Partial<PageExperience> = {}): Partial<PageExperience> => ({
  ...{ id: 'c', kind: 'launcher', title: ['First steps'], list_type: 'checklist', items, ...fields },
});
const opened = async (fields?: Partial<PageExperience>, html = '') => {
  await load(page, { html });
  await show(page, checklist(fields));
  await page.evaluate(() => window.kinds.open());
  await page.locator('.box').waitFor();
};
const row = (name: string) => page.locator('.item').filter({ hasText: name });

describe('a checklist with conditions', () => {
  it('shows what is done, open and locked, and counts tasks only', async () => {
    await opened();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');
    expect(await page.getByRole('progressbar').getAttribute('aria-valuemax')).toBe('3');
    expect(await row('Export').getAttribute('class')).toBe('item is');
    expect(await row('Publish').getAttribute('class')).toBe('item off');
    expect(await row('Publish').locator('.go').getAttribute('aria-disabled')).toBe('true');
    expect(await row('Docs').getAttribute('class')).toBe('item');
    expect(await violations(page)).toEqual([]);
  });

  it('does nothing on a click on a locked item, with the mouse and the keyboard', async () => {
    await opened();
    const url = page.url();
    await row('Publish').locator('.go').click({ force: true });
    await row('Publish').locator('.go').press('Enter');
    expect(page.url()).toBe(url);
    expect(await focused(page)).toBe('Publish');
    expect(await page.locator('.box').count()).toBe(1);
  });

  it.each(['', 'dir="rtl"'])('fits a window of 320 pixels: %j', async (html) => {
    await page.setViewportSize({ width: 320, height: 600 });
    await opened({}, html);
    const box = await page.locator('.box').boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 320).toBe(true);
    expect(await violations(page)).toEqual([]);
  });
});

describe('the celebration', () => {
  const done = { items: items.map((one) => ({ ...one, ...(one.completed !== undefined && { completed: true }) })) };
  const announced = () => page.getByText('First steps: Completed').count();

  it('is announced, and has no confetti for users who want less motion', async () => {
    await load(page);
    await show(page, checklist({ ...done, celebration: true, celebrate: true }));
    await expect.poll(announced).toBe(1);
    expect(await page.locator('.party').count()).toBe(0);
  });

  it('lets confetti fall once, which covers nothing', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await load(page);
    await show(page, checklist({ ...done, celebration: true, celebrate: true }));
    await page.locator('.party').waitFor({ state: 'attached' });
    expect(await page.locator('.party').evaluate((one) => getComputedStyle(one).pointerEvents)).toBe('none');
    await page.locator('.party').waitFor({ state: 'detached' });
  });

  it('is left out unless the author wants it and the server says that it is done now', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await load(page);
    await show(page, checklist({ ...done, celebrate: true }));
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect([await page.locator('.party').count(), await announced()]).toEqual([0, 0]);
  });
});

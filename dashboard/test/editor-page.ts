import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import type { Dashboard } from './browser.ts';

/* Helpers for tests of the page of one Experience. */

export const twoSteps = [
  { title: 'Hello', body: 'This is **new**.', buttons: [{ text: 'Next', tour_action: 'next' }] },
  { title: 'Goodbye', buttons: [{ text: 'Done', tour_action: 'exit' }] },
];

export async function addExperience(
  { api }: Dashboard,
  kind = 'tour',
  params: object = { steps: twoSteps },
): Promise<string> {
  const { body } = await api.post(`/v3/edit/${kind}s`, { name: 'Welcome', ...params });
  expect(body.messages).toBeUndefined();
  return body[kind].id;
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the kind of its Experience
export async function readExperience({ api }: Dashboard, id: string): Promise<any> {
  return (await api.get(`/v3/edit/experiences/${id}`)).body.experience;
}

export const settings = (page: Page) => page.getByRole('region', { name: 'Settings' });
export const field = (page: Page, name: string) => settings(page).getByLabel(name, { exact: true }).first();

/** The Markdown of a text, in the formatted editor or in a textarea. */
export const markdownOf = async (text: Locator): Promise<string> => {
  await text.waitFor();
  return text.evaluate((element) => {
    const source = element.closest('[data-field], [data-edits]')?.querySelector<HTMLInputElement>('input[type=hidden]');
    return (source ?? (element as HTMLTextAreaElement)).value;
  });
};

const previewFrame = 'iframe[title^="Preview of"]';
export const inPreview = (page: Page) => page.frameLocator(previewFrame);

/**
 * Clicks with the mouse where the target is visible, in its middle or at a place in percent. A full browser gives the
 * frame a process of its own, where Playwright's own click misses: it ignores that the frame is scaled down.
 */
export async function clickInPreview(page: Page, target: Locator, { percent = 50, delay = 0 } = {}): Promise<void> {
  const frame = page.locator(previewFrame);
  await frame.scrollIntoViewIfNeeded();
  for (const one of [frame, target]) await (await one.elementHandle())?.waitForElementState('stable');
  const place = await target.evaluate((element, share) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: (left + width * share) / innerWidth, y: (top + height * share) / innerHeight };
  }, percent / 100);
  const box = await frame.boundingBox();
  if (!box) throw new Error('The preview is not shown.');
  await page.mouse.click(box.x + box.width * place.x, box.y + box.height * place.y, { delay });
}

/** Opens the page as an editor with this name. */
export async function openAs(dashboard: Dashboard, name: string, id: string): Promise<Page> {
  const admin = await addSignedIn(dashboard.api, 'editor');
  await admin.browser.patch('/v3/person', { name });
  return dashboard.open(`/app/experiences/${id}`, { admin });
}

/** Resolves when the next save has reached the server. Call it before the action that causes the save. */
export const nextSave = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());

export const isSaved = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^Saved/ })
    .waitFor();

/** Saves without waiting for the pause after the last key. On a slow machine the page may have saved already. */
export async function saveNow(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await isSaved(page);
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });
export const publishButton = (page: Page) => dialogOf(page).getByRole('button', { name: /^Publish / });

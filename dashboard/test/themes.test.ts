import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, startDashboard } from './browser.ts';
import { startSiteWithScript } from './customer-site.ts';
import { addExperience, inPreview, isSaved, saveNow } from './editor-page.ts';
import { expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const add = async (params: object): Promise<string> => {
  const { body } = await dashboard.api.post('/v3/edit/themes', { name: 'Brand', ...params });
  expect(body.messages).toBeUndefined();
  return body.theme.id;
};
const read = async (id: string) => (await dashboard.api.get(`/v3/edit/themes/${id}`)).body.theme;
const idOf = (page: Page) => new URL(page.url()).pathname.split('/')[3] ?? '';
const color = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const fold = (page: Page, name: string) => page.locator('summary').filter({ hasText: name });
/** The box of the tour in the preview of the theme. */
const tour = (page: Page) => page.frameLocator('li[data-kind=tour] iframe[data-painted]').locator('.box');
const background = (page: Page) => tour(page).evaluate((box) => getComputedStyle(box).backgroundColor);
const toast = (page: Page, title: string) => page.getByRole('alertdialog').filter({ hasText: title });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });

describe('a theme', () => {
  it('is made from a start, changed, undone, repaired, published, and seen on a page', async () => {
    const visitSite = await startSiteWithScript(dashboard);
    await addExperience(dashboard, 'tour', { steps: [{ title: 'Hello' }], published_at: '$now' });
    const page = await dashboard.open('/app/themes', { as: 'owner' });
    await page.getByText('No themes yet').waitFor();
    await expectGoodLooks(page, 'themes-empty');
    await page.getByRole('button', { name: 'New theme' }).click();
    const start = page.getByRole('dialog', { name: 'New theme' });
    await start.locator('iframe[data-painted]').nth(5).waitFor();
    await expectGoodLooks(page, 'themes-new');
    await start.getByRole('button', { name: /^Calm/ }).click();
    await page.getByRole('heading', { name: 'Calm' }).waitFor();
    await expect.poll(() => background(page)).toBe('rgb(251, 248, 241)');
    await color(page, 'Background, light').fill('#ffeedd');
    await expect.poll(() => background(page)).toBe('rgb(255, 238, 221)');
    await page.keyboard.press('Control+z');
    await expect.poll(() => background(page)).toBe('rgb(251, 248, 241)');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => background(page)).toBe('rgb(255, 238, 221)');
    await color(page, 'Text, light').fill('aa9988');
    await page.getByText('1 problem before you can publish').waitFor();
    await expectGoodLooks(page, 'theme-editor');
    await page
      .getByRole('button', { name: /^Use #/ })
      .first()
      .click();
    await page.getByText('before you can publish').waitFor({ state: 'hidden' });
    await saveNow(page);
    const id = idOf(page);
    // The first theme of an account is its default.
    expect(await read(id)).toMatchObject({ style_color_background: 'ffeedd', published_at: null, default: true });
    await page.getByRole('button', { name: 'Publish…' }).click();
    await dialogOf(page).getByRole('link', { name: 'Welcome' }).waitFor();
    await dialogOf(page).locator('iframe[data-painted]').nth(1).waitFor();
    await expectGoodLooks(page, 'theme-publish');
    await dialogOf(page).getByRole('button', { name: 'Publish theme now' }).click();
    await page.getByText('“Calm” is published').waitFor();
    const site = await visitSite('ann');
    const box = site.locator('.box');
    await box.waitFor();
    expect(await box.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(255, 238, 221)');
  });

  it('says in words what a publish changes, and goes back to a version', async () => {
    const id = await add({ published_at: '$now', style_color_background: 'ffffff', style_radius: '4' });
    const page = await dashboard.open(`/app/themes/${id}`, { as: 'owner' });
    await color(page, 'Background, light').fill('fff0f0');
    await fold(page, 'Shape').click();
    await page.getByLabel('Radius of the corners (px)').fill('');
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('Changed the background on light pages').waitFor();
    await dialog.getByText('#fff0f0').waitFor();
    await dialog.getByText('Removed the radius of the corners').waitFor();
    await dialog.getByRole('button', { name: 'Publish theme now' }).click();
    await page.getByText('“Brand” is published').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Go back to this version' }).nth(1).click();
    await expect.poll(async () => (await read(id)).style_radius).toBe('4');
    expect((await read(id)).has_unpublished_changes).toBe(true);
  });

  it('keeps what is no color in the field, and clears a color by its button', async () => {
    const id = await add({ style_color_background: 'ffeedd' });
    const page = await dashboard.open(`/app/themes/${id}`, { as: 'editor' });
    await color(page, 'Background, light').fill('#12');
    await page.getByText(/^Must be a color of six hex digits/).waitFor();
    await page.getByRole('button', { name: 'Background, light: as the page' }).click();
    await isSaved(page);
    await expect.poll(async () => (await read(id)).style_color_background).toBe(null);
    await fold(page, 'Own CSS').click();
    expect(await page.getByLabel('Own CSS', { exact: true }).isEditable()).toBe(false);
  });

  it('shows where the style sheet of an owner is wrong', async () => {
    const page = await dashboard.open(`/app/themes/${await add({})}`, { as: 'owner' });
    await fold(page, 'Own CSS').click();
    await page.getByLabel('Own CSS', { exact: true }).fill('.title { color: red }\n.x { display: none }');
    await page
      .getByText(/line 2, column \d+/)
      .first()
      .waitFor();
  });

  it('has variations in an order, and its preview shows the open one', async () => {
    const id = await add({ style_color_background: 'ffffff' });
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'ann', properties: { plan: 'pro' } });
    const page = await dashboard.open(`/app/themes/${id}/variations`, { as: 'owner' });
    await page.getByRole('button', { name: 'Add variation' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gold');
    await page.getByRole('combobox', { name: 'Add a field' }).fill('Background on light');
    await page.getByRole('option', { name: 'Background on light pages' }).click();
    await page.getByRole('textbox', { name: 'Background on light pages' }).fill('ffcc00');
    await expect.poll(() => background(page)).toBe('rgb(255, 204, 0)');
    await page.getByRole('button', { name: 'Add variation' }).click();
    await page.getByRole('button', { name: 'Move Variation 2 up' }).click();
    await expectGoodLooks(page, 'theme-variations');
    await saveNow(page);
    expect((await read(id)).variations).toMatchObject([
      { name: 'Variation 2', overrides: {} },
      { name: 'Gold', overrides: { style_color_background: 'ffcc00' } },
    ]);
    await page.getByRole('button', { name: 'Remove Variation 2' }).click();
    await page.getByText('No variation applies.').waitFor();
  });

  it('is deleted with a replacement for its Experiences', async () => {
    const id = await add({});
    const other = await add({ name: 'Other', published_at: '$now' });
    await add({ name: 'Unseen' });
    const tourId = await addExperience(dashboard, 'tour', { steps: [{ title: 'Hello' }], theme_id: id });
    const page = await dashboard.open('/app/themes', { as: 'owner' });
    await page.getByRole('button', { name: 'Actions for Brand' }).click();
    await page.getByRole('menuitem', { name: 'Delete theme…' }).click();
    await page.getByText('1 Experience has this theme').waitFor();
    await page.getByRole('button', { name: /Use instead/ }).click();
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([expect.stringContaining('The look of Usher'), expect.stringContaining('Other')]);
    await page.getByRole('option', { name: 'Other' }).click();
    await page.getByRole('button', { name: 'Delete theme' }).click();
    await page.getByText('“Brand” was deleted').waitFor();
    const { experience } = (await dashboard.api.get(`/v3/edit/experiences/${tourId}`)).body;
    expect(experience.theme_id).toBe(other);
  });

  it('is the default: who deletes it chooses the next one', async () => {
    await add({ default: true, published_at: '$now' });
    const next = await add({ name: 'Next', published_at: '$now' });
    await addExperience(dashboard, 'tour', { steps: [{ title: 'Hello' }], published_at: '$now' });
    const page = await dashboard.open('/app/themes', { as: 'owner' });
    await page.getByRole('button', { name: 'Actions for Brand' }).click();
    await page.getByRole('menuitem', { name: 'Delete theme…' }).click();
    const remove = page.getByRole('button', { name: 'Delete theme' });
    await page.getByRole('button', { name: /Use instead/ }).waitFor();
    expect(await remove.isDisabled()).toBe(true);
    await page.getByRole('button', { name: /Use instead/ }).click();
    await page.getByRole('option', { name: 'Next' }).click();
    await remove.click();
    await page.getByText('“Brand” was deleted').waitFor();
    expect((await read(next)).default).toBe(true);
  });

  it('is unpublished and becomes the default only after what that changes was shown', async () => {
    const id = await add({ published_at: '$now', style_dark_color_background: '333344' });
    await addExperience(dashboard, 'tour', {
      name: 'Mine',
      steps: [{ title: 'Seen' }],
      theme_id: id,
      published_at: '$now',
    });
    const free = await addExperience(dashboard, 'tour', {
      name: 'Free',
      steps: [{ title: 'Seen' }],
      published_at: '$now',
    });
    await dashboard.api.patch(`/v3/edit/tours/${free}`, { steps: [{ title: 'Draft' }] });
    const page = await dashboard.open(`/app/themes/${id}`, { as: 'owner' });
    const open = async (entry: string) => {
      await page.getByRole('button', { name: /^More actions/ }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await open('Make default…');
    const dialog = page.getByRole('dialog', { name: 'Make “Brand” the default theme' });
    await dialog.getByText('instead of the look of Usher').waitFor();
    await dialog.getByRole('link', { name: 'Free' }).waitFor();
    expect(await dialog.getByRole('link', { name: 'Mine' }).count()).toBe(0);
    // Only dark pages change, so the pictures are of dark pages; and users see a version, not the draft.
    const paintedAt = (at: number) =>
      dialog
        .locator('figure')
        .nth(at)
        .frameLocator('iframe[data-painted]')
        .locator('.box')
        .evaluate((box) => [box.querySelector('.title')?.textContent, getComputedStyle(box).backgroundColor]);
    await expect.poll(() => paintedAt(1)).toEqual(['Seen', 'rgb(51, 51, 68)']);
    await expect.poll(() => paintedAt(0)).toEqual(['Seen', 'rgb(29, 33, 43)']);
    await dialog.getByRole('button', { name: 'Make default' }).click();
    await page.getByText('“Brand” is the default theme').waitFor();
    await dashboard.api.patch(`/v3/edit/themes/${id}`, { style_radius: '3' });
    await open('Unpublish theme…');
    const unpublish = page.getByRole('dialog', { name: 'Unpublish “Brand”' });
    await unpublish.getByRole('link', { name: 'Mine' }).waitFor();
    await unpublish.getByRole('link', { name: 'Free' }).waitFor();
    await unpublish.getByRole('button', { name: 'Unpublish theme' }).click();
    await expect.poll(async () => (await read(id)).published_at).toBeNull();
    await toast(page, '“Brand” is not published anymore').getByRole('button', { name: 'Undo' }).click();
    // The draft stays a draft.
    await expect
      .poll(async () => await read(id))
      .toMatchObject({ published_at: expect.any(String), has_unpublished_changes: true, style_radius: '3' });
  });
});

describe('two people edit the same theme', () => {
  const openAs = async (name: string, id: string) => {
    const admin = await addSignedIn(dashboard.api, 'editor');
    await admin.browser.patch('/v3/person', { name });
    return dashboard.open(`/app/themes/${id}`, { admin });
  };

  it('different fields are merged, and of one field the person chooses a value', async () => {
    const id = await add({ style_color_background: 'ffffff' });
    const [ann, ben] = [await openAs('Ann Lee', id), await openAs('Ben Poe', id)];
    await color(ann, 'Background, light').fill('ffeeee');
    await color(ben, 'Background, light').fill('eeeeff');
    await color(ben, 'Text, light').fill('222222');
    await saveNow(ann);
    await ben.keyboard.press('Control+s');
    const clash = ben.getByRole('dialog', { name: /Ann Lee changed/ });
    await clash.getByText('Background on light pages:').waitFor();
    await clash.getByText('#ffeeee').waitFor();
    await clash.getByRole('button', { name: 'Use yours' }).click();
    await saveNow(ben);
    expect(await read(id)).toMatchObject({ style_color_background: 'eeeeff', style_color_text: '222222' });
  });
});

describe('an Experience', () => {
  it('chooses its theme, and its preview shows what users see', async () => {
    await add({ name: 'House', default: true, published_at: '$now', style_color_background: 'fff4ea' });
    const gold = await add({ name: 'Gold', published_at: '$now', style_color_background: 'fffbcc' });
    await dashboard.api.patch(`/v3/edit/themes/${gold}`, { style_color_background: 'ffdd55' });
    const id = await addExperience(dashboard, 'tour', { steps: [{ title: 'Hello' }] });
    const page = await dashboard.open(`/app/experiences/${id}`, { as: 'owner' });
    const painted = () =>
      inPreview(page)
        .locator('.box')
        .evaluate((box) => getComputedStyle(box).backgroundColor);
    await expect.poll(painted).toBe('rgb(255, 244, 234)');
    await page.getByRole('button', { name: /Default: House/ }).click();
    await page.getByRole('option', { name: 'Gold' }).click();
    // The draft of the theme is not published.
    await expect.poll(painted).toBe('rgb(255, 251, 204)');
    await page.getByRole('link', { name: 'Edit this theme' }).click();
    await page.getByRole('heading', { name: 'Gold' }).waitFor();
  });
});

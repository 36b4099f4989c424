import type { ExperienceTranslations } from '@usher/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { addExperience, clickInPreview, inPreview, isSaved, twoSteps } from './editor-page.ts';
import { expectGoodLook, expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  for (const code of ['de', 'ar']) await dashboard.api.post('/v3/edit/languages', { code });
});
afterAll(() => dashboard.stop());

const pathOf = (id: string, query = '') => `/app/experiences/${id}/languages${query}`;
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** The stored translations of a language, in the order of the texts. */
async function stored(id: string, language: string): Promise<(string | null)[]> {
  const { body } = await dashboard.api.get(`/v3/edit/tours/${id}/translations`);
  const { steps } = body.translations as ExperienceTranslations;
  return steps.flatMap(({ texts }) => texts.map(({ translations }) => translations[language]?.text ?? null));
}

async function translate(id: string, language: string, texts: object[]): Promise<void> {
  const { status, body } = await dashboard.api.patch(`/v3/edit/tours/${id}/translations`, { language, texts });
  expect([status, body.messages]).toEqual([200, undefined]);
}

async function firstStepOf(id: string): Promise<{ id: string }> {
  return (await dashboard.api.get(`/v3/edit/tours/${id}`)).body.tour.steps[0];
}

it('translates a whole tour by keyboard, saves automatically, and undoes', async () => {
  const id = await addExperience(dashboard, 'tour', {
    steps: [
      { title: 'Hi {{first_name}}', body: 'This is **new**.', buttons: [{ text: 'Next' }] },
      { title: 'Goodbye' },
    ],
  });
  const page = await dashboard.open(pathOf(id, '?language=de'));
  await field(page, 'German: Title, 1 Hi [first_name]').click();
  await page.keyboard.type('Hallo');
  await page.getByText('Leaves out {{first_name}}').waitFor();
  await page.getByRole('button', { name: 'Insert {{first_name}}' }).click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Das ist **neu**.');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('Sehr.');
  await inPreview(page).getByText('Sehr.').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Weiter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Tschüs');
  await inPreview(page).getByText('Tschüs').waitFor();
  await isSaved(page);
  const all = ['Hallo{{first_name}}', 'Das ist **neu**.\n\nSehr.', 'Weiter', 'Tschüs'];
  expect(await stored(id, 'de')).toEqual(all);
  await page.keyboard.press('Control+z');
  await expect.poll(() => field(page, 'German: Title, 2 Goodbye').inputValue()).toBe('');
  await page.keyboard.press('Control+s');
  await expect.poll(() => stored(id, 'de')).toEqual([...all.slice(0, 3), null]);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+s');
  await expect.poll(() => stored(id, 'de')).toEqual(all);
  await page.reload();
  await expect.poll(() => field(page, 'German: Button, 1 Hi [first_name]').inputValue()).toBe('Weiter');
});

it('edits formatted texts: opening them writes nothing, and what is not changed keeps its bytes', async () => {
  const id = await addExperience(dashboard, 'tour', {
    steps: [
      { title: 'Hi', body: 'Hello {{first_name}}' },
      { title: 'Bye', body: 'Go' },
    ],
  });
  const step = await firstStepOf(id);
  const text = '* __eins__\n* zwei\n\nEnde';
  await translate(id, 'de', [{ model_id: step.id, field: 'body', text }]);
  const page = await dashboard.open(pathOf(id, '?language=de&second=ar'));
  const writes: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && writes.push(request.url()));
  const german = field(page, 'German: Text, 1 Hi');
  await german.click();
  expect(await german.locator('strong').textContent()).toBe('eins');
  await page.getByRole('toolbar').getByRole('button', { name: 'Bold' }).waitFor();
  await expectGoodLooks(page, 'translations-formatted');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('button Insert {{first_name}}');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('textbox Arabic: Text, 1 Hi');
  expect(await field(page, 'Arabic: Text, 1 Hi').evaluate((one: HTMLElement) => [one.lang, one.dir])).toEqual([
    'ar',
    'rtl',
  ]);
  await page.keyboard.press('Control+s');
  expect(writes).toEqual([]);
  await page.getByRole('button', { name: 'Insert {{first_name}}' }).click();
  await german.locator('.text-editor-chip').waitFor();
  await page.keyboard.press('Control+z');
  await german.locator('.text-editor-chip').waitFor({ state: 'detached' });
  await german.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' gut');
  // The caret is at the end, so the arrow key goes to the next text.
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('textarea German: Title, 2 Bye');
  await expect.poll(async () => (await stored(id, 'de'))[1]).toBe('* __eins__\n* zwei\n\nEnde gut');
  await page.keyboard.press('Alt+ArrowDown');
  expect(await focused(page)).toBe('textbox German: Text, 2 Bye');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('End');
  expect(await focused(page)).toBe('button Edit as Markdown');
  await page.keyboard.press('Enter');
  await field(page, 'German: Text, 2 Bye').fill('_Los_');
  await page.getByRole('button', { name: 'Edit as formatted text' }).click();
  await field(page, 'German: Text, 2 Bye').locator('em').getByText('Los').waitFor();
  await expect.poll(async () => (await stored(id, 'de'))[3]).toBe('_Los_');
});

it('counts typed translations as unpublished changes, as one sitting in the history, and shows them before publishing', async () => {
  const id = await addExperience(dashboard, 'tour', { steps: twoSteps, published_at: '$now' });
  const page = await dashboard.open(pathOf(id, '?language=de'));
  await page.getByText('Live', { exact: true }).waitFor();
  for (const [name, typed] of [
    ['German: Title, 1 Hello', 'Hallo'],
    ['German: Title, 2 Goodbye', 'Tschüs'],
  ] as const) {
    await field(page, name).fill(typed);
    await page.keyboard.press('Control+s');
    await isSaved(page);
  }
  await page.getByText('Live, with unpublished changes').waitFor();
  await page.getByText('2 unpublished changes').waitFor();
  await page.getByRole('button', { name: 'Publish…' }).click();
  const changes = page.getByRole('dialog').getByRole('group', { name: 'What changes' });
  await changes.getByText('Changed the title of step 1 in German').waitFor();
  expect(await changes.getByRole('insertion').allTextContents()).toEqual(['Hallo', 'Tschüs']);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'History' }).click();
  const newest = page.getByRole('main').getByRole('listitem').filter({ hasText: 'made 2 changes' });
  await newest.waitFor();
  expect((await newest.getByRole('insertion').allTextContents()).toSorted()).toEqual(['Hallo', 'Tschüs']);
  expect(await page.getByText('uploaded translations').count()).toBe(0);
});

it('marks the translations of a template until somebody has reviewed them', async () => {
  const id = await addExperience(dashboard, 'tour', { template_id: 'feature_announcement' });
  const page = await dashboard.open(pathOf(id, '?language=ar'));
  const notes = page.getByText('From the template, and not reviewed yet.');
  await expect.poll(() => notes.count()).toBe(4);
  await page.getByRole('button', { name: 'Right as it is' }).first().click();
  await expect.poll(() => notes.count()).toBe(3);
  await isSaved(page);
  await page.goto(`${dashboard.api.url}/app/languages`);
  await page
    .getByRole('row', { name: /^Arabic/ })
    .getByText('3 not reviewed')
    .waitFor();
});

it('marks outdated texts and what the server rejects, and leaves the draft alone', async () => {
  const id = await addExperience(dashboard);
  const step = await firstStepOf(id);
  await translate(id, 'de', [{ model_id: step.id, field: 'title', text: 'Hallo' }]);
  const page = await dashboard.open(pathOf(id, '?language=de'));
  await field(page, 'German: Title, 1 Hello').waitFor();
  // The draft is edited in the other tab of the page, and translated without a reload.
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByRole('region', { name: 'Settings' }).getByLabel('Title', { exact: true }).first().fill('Hello again');
  await page.getByRole('link', { name: 'Languages' }).last().click();
  await page.getByText('The default text has changed since.').waitFor();
  await page.getByRole('button', { name: /Show$/ }).click();
  await page.getByRole('option', { name: 'To review (1)' }).click();
  await takePicture(page, 'translations-outdated-light');
  await page.getByRole('button', { name: 'Still right' }).click();
  await page.getByText('The default text has changed since.').waitFor({ state: 'hidden' });
  const title = field(page, 'German: Title, 1 Hello again');
  await title.fill('Hallo {{first_name');
  await title.press('Control+s');
  await page.getByText(/merge tag or a link that cannot be read/).waitFor();
  expect((await stored(id, 'de'))[0]).toBe('Hallo');
  await title.fill('Hallo nochmal');
  await title.press('Control+s');
  await expect.poll(async () => (await stored(id, 'de'))[0]).toBe('Hallo nochmal');
  const { body } = await dashboard.api.get(`/v3/edit/tours/${id}`);
  expect(body.tour.steps[0].title).toBe('Hello again');
});

it('shows the text of another translator and keeps mine', async () => {
  const id = await addExperience(dashboard);
  const step = await firstStepOf(id);
  const page = await dashboard.open(pathOf(id, '?language=de'), { as: 'translator' });
  await field(page, 'German: Title, 1 Hello').fill('Guten Tag');
  await translate(id, 'de', [{ model_id: step.id, field: 'title', text: 'Hallo', previous: null }]);
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('alert');
  await conflict.getByText('Hallo').waitFor();
  expect(await field(page, 'German: Title, 1 Hello').inputValue()).toBe('Guten Tag');
  expect((await stored(id, 'de'))[0]).toBe('Hallo');
  await expectGoodLook(page, 'translations-conflict-light');
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(async () => (await stored(id, 'de'))[0]).toBe('Guten Tag');
  await conflict.waitFor({ state: 'hidden' });
});

it('shows Arabic from right to left, edits what is clicked there, and flags a text that does not fit', async () => {
  const id = await addExperience(dashboard);
  const page = await dashboard.open(pathOf(id, '?language=de&second=ar'));
  const arabic = field(page, 'Arabic: Button, 1 Hello');
  expect(await arabic.evaluate((element: HTMLElement) => [element.lang, element.dir])).toEqual(['ar', 'rtl']);
  await field(page, 'Arabic: Title, 1 Hello').fill('أهلا');
  await inPreview(page).getByText('أهلا').waitFor();
  const directionOf = (words: string) =>
    inPreview(page)
      .getByText(words)
      .evaluate((element) => getComputedStyle(element).direction);
  await expect.poll(() => directionOf('أهلا')).toBe('rtl');
  await clickInPreview(page, inPreview(page).getByText('Next', { exact: true }));
  await expect.poll(() => focused(page)).toBe('textarea Arabic: Button, 1 Hello');
  await page.keyboard.insertText('انقر هنا للانتقال إلى الخطوة التالية من هذه الجولة القصيرة جدًا حول المنتج الجديد');
  await page.getByText('Does not fit: shorten it, or check it in the preview.').waitFor();
  await expectGoodLook(page, 'translations-arabic-light');
  await arabic.fill('التالي');
  await page.getByText('Does not fit: shorten it, or check it in the preview.').waitFor({ state: 'hidden' });
  await field(page, 'German: Title, 1 Hello').focus();
  await expect.poll(() => directionOf('Hello')).toBe('ltr');
});

describe('a translator', () => {
  it('sees languages and their own settings, and reads who sees the other pages', async () => {
    const id = await addExperience(dashboard);
    const translator = await addSignedIn(dashboard.api, 'translator');
    const page = await dashboard.open('/', { admin: translator });
    const forbidden: string[] = [];
    page.on('response', (response) => response.status() === 403 && forbidden.push(response.url()));
    await page.getByRole('row', { name: /^German/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/languages');
    const rail = page.getByRole('navigation', { name: 'Main' });
    expect(await rail.getByRole('link').allTextContents()).toEqual(['Languages', 'Settings']);
    expect(await page.getByRole('button', { name: /Add language|Remove/ }).count()).toBe(0);
    await takePicture(page, 'translator-languages-light');
    await page.getByRole('row', { name: /^Welcome/ }).click();
    await field(page, 'Arabic: Title, 1 Hello').fill('أهلا');
    await isSaved(page);
    expect((await stored(id, 'ar'))[0]).toBe('أهلا');
    const tabs = page.getByRole('navigation', { name: 'Parts of the Experience' });
    expect(await tabs.getByRole('link').allTextContents()).toEqual(['Languages']);
    await takePicture(page, 'translator-texts-light');
    await rail.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your profile' }).waitFor();
    for (const path of ['/app/experiences', `/app/experiences/${id}`, '/app/domains']) {
      await page.goto(dashboard.api.url + path);
      await page.getByText('Owners, Editors and Viewers see this page').waitFor();
    }
    await page.getByRole('link', { name: 'Go to Languages' }).click();
    await page.getByRole('row', { name: /^German/ }).waitFor();
    expect(forbidden).toEqual([]);
  });
});

it('lets a viewer read the texts', async () => {
  const id = await addExperience(dashboard, 'tour', { steps: twoSteps });
  const page = await dashboard.open(pathOf(id), { as: 'viewer' });
  const [first] = await page.getByRole('textbox').all();
  expect(await first?.getAttribute('readonly')).not.toBe(null);
});

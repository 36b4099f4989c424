import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, startDashboard, takePicture } from './browser.ts';
import { dropFile } from './drop-file.ts';
import { addExperience, twoSteps } from './editor-page.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/languages';
const add = async (...codes: string[]) => {
  for (const code of codes) await dashboard.api.post('/v3/edit/languages', { code });
};
const codes = async (): Promise<string[]> =>
  (await dashboard.api.get('/v3/edit/languages')).body.languages.map(({ code }: { code: string }) => code);
const files = (page: Page, name: string) => page.getByRole('list', { name });

/** The file of all Experiences in a language, with the title of the first step translated. */
async function translatedFile(language: string, title: string): Promise<string> {
  const { body } = await dashboard.api.get('/v3/edit/experiences/i18n.json', { query: `language=${language}` });
  body.experiences[0].steps[0].translations.title.text = title;
  return JSON.stringify(body);
}

async function titleIn(language: string): Promise<string> {
  const { body } = await dashboard.api.get('/v3/edit/experiences/i18n.json', { query: `language=${language}` });
  return body.experiences[0].steps[0].translations.title.text;
}

async function uploadByApi(file: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([file]), 'file.json');
  expect((await dashboard.api.post('/v3/edit/i18n', form)).status).toBe(200);
}

it('shows the progress of each language and of each Experience, and leads to what is missing', async () => {
  await addExperience(dashboard);
  await uploadByApi(await translatedFile('de', 'Hallo'));
  await add('ar', 'pt-BR');
  await addExperience(dashboard, 'survey', { name: 'Feedback', steps: [{ title: 'How is it?' }] });
  const page = await dashboard.open('/app/settings/languages');
  // Five texts of the tour and one of the survey.
  await page.getByRole('img', { name: 'German: 1 of 6, 5 missing' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(PATH);
  const arabic = page.getByRole('row', { name: /^Arabic/ });
  await arabic.getByText('العربية').waitFor();
  await arabic.getByText('Right to left').waitFor();
  await page.getByRole('row', { name: /^German/ }).click();
  expect(page.url()).toContain('language=de');
  await page.getByText('Only with something to do').click();
  await page
    .getByRole('row', { name: /^Welcome/ })
    .getByRole('img', { name: 'German: 1 of 5, 4 missing' })
    .waitFor();
  await page.getByRole('row', { name: /^Welcome/ }).click();
  await page.getByRole('textbox', { name: /^German: Text, 1/ }).waitFor();
  expect(await page.getByRole('textbox', { name: /^German: Title, 1/ }).count()).toBe(0);
});

describe('adding a language', () => {
  it('works by mouse, from the empty page', async () => {
    const page = await dashboard.open(PATH);
    await page.getByText('No other languages yet').waitFor();
    await page.getByRole('button', { name: 'Add language' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add language' });
    await dialog.getByRole('combobox', { name: 'Language' }).fill('Germ');
    await takePicture(page, 'languages-add-light');
    await page.getByRole('option', { name: 'German', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await page.getByRole('row', { name: /^German/ }).waitFor();
    expect(await codes()).toEqual(['de']);
  });

  it('works by keyboard with a code, and says at the field what is wrong', async () => {
    await add('pt-AO');
    const page = await dashboard.open(PATH);
    await page.getByRole('row', { name: /Angola/ }).waitFor();
    await page.getByRole('button', { name: 'Add language' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add language' });
    const field = dialog.getByRole('combobox', { name: 'Language' });
    await field.fill('<b>nonsense</b>');
    // The first Enter accepts the code, the second one submits.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await dialog.getByText(/^Language must be a BCP 47 code/).waitFor();
    expect(await field.inputValue()).toBe('<b>nonsense</b>');
    await field.fill('pt-AO');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'The language pt-AO is there already' }).waitFor();
    await field.fill('pt-MZ');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Portuguese (Mozambique) added').waitFor();
    expect((await codes()).toSorted()).toEqual(['pt-AO', 'pt-MZ']);
  });
});

it('removes a language: with undo while it has no texts, with its name when it has some', async () => {
  await addExperience(dashboard);
  await uploadByApi(await translatedFile('de', 'Hallo'));
  await add('fr');
  const page = await dashboard.open(PATH);
  await page.getByRole('button', { name: 'Remove French' }).click();
  await page.getByText('French removed').waitFor();
  expect(await codes()).toEqual(['de']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row', { name: /^French/ }).waitFor();
  await page.getByRole('button', { name: 'Remove German' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Remove German with its translations?' });
  expect(await dialog.getByRole('button', { name: 'Remove language' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type “German” to confirm').fill('German');
  await page.keyboard.press('Enter');
  await page.getByText('German removed').waitFor();
  expect(await codes()).toEqual(['fr']);
});

describe('files', () => {
  it('are checked first, say what is wrong, and are written when the person wants it', async () => {
    await addExperience(dashboard);
    await add('de');
    const page = await dashboard.open(PATH);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await choosing).setFiles([
      { name: 'de.json', mimeType: 'application/json', buffer: Buffer.from(await translatedFile('de', 'Hallo')) },
      { name: 'fr.json', mimeType: 'application/json', buffer: Buffer.from(await translatedFile('fr', 'Salut')) },
      { name: 'ar.json', mimeType: 'application/json', buffer: Buffer.from('{"language": {"code": "ar"}}') },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') },
    ]);
    const list = files(page, 'Files to upload');
    const item = (name: string) => list.getByRole('listitem').filter({ hasText: name });
    await item('de.json').getByText('1 text changes in German, 4 stay as they are.').waitFor();
    await item('fr.json').getByText('French is added to your languages.').waitFor();
    await item('ar.json').getByText('Cannot be uploaded').waitFor();
    await item('notes.txt').getByText('This is not a JSON or YAML file.').waitFor();
    expect([await codes(), await titleIn('de')]).toEqual([['de'], 'Hello']);
    await page.evaluate(() => scrollTo(0, 0));
    await expectGoodLook(page, 'languages-files-light');
    await page.getByRole('button', { name: 'Upload 2 files' }).click();
    const done = files(page, 'Uploaded files');
    await done.getByText('1 text changed in German, 4 stay as they are.').waitFor();
    // Rows outside of the window are not rendered, so the page scrolls up first.
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole('row', { name: /^French/ }).waitFor();
    expect([await titleIn('de'), await titleIn('fr')]).toEqual(['Hallo', 'Salut']);
    await expectGoodLook(page, 'languages-uploaded-light');
  });

  it('can be dropped, and downloaded in one language', async () => {
    await addExperience(dashboard, 'tour', { steps: twoSteps });
    await add('de');
    const path = join(mkdtempSync(join(tmpdir(), 'usher-files-')), 'de.json');
    writeFileSync(path, await translatedFile('de', 'Hallo'));
    const page = await dashboard.open(PATH);
    const place = page.getByText('Drop translation files here, or choose them.');
    await place.scrollIntoViewIfNeeded();
    await dropFile(page, path, await place.boundingBox());
    await files(page, 'Files to upload').getByText('1 text changes in German').waitFor();
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    await files(page, 'Uploaded files').getByText('de.json').waitFor();
    expect(await titleIn('de')).toBe('Hallo');
    await page.getByRole('button', { name: /Texts in$/ }).click();
    await page.getByRole('option', { name: 'German' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download file' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('experiences.de.json');
    const content: Buffer[] = [];
    for await (const part of await download.createReadStream()) content.push(part as Buffer);
    expect(Buffer.concat(content).toString()).toContain('Hallo');
  });
});

it('lets a viewer read only', async () => {
  await add('fr');
  const page = await dashboard.open(PATH, { as: 'viewer' });
  await page.getByRole('row', { name: /^French/ }).waitFor();
  await page.getByRole('button', { name: 'Download file' }).waitFor();
  expect(await page.getByRole('button', { name: /Add language|Remove|Choose files/ }).count()).toBe(0);
});

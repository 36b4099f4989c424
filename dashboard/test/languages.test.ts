import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, startDashboard, takePicture } from './browser.ts';
import { expectGoodLook, expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/settings/languages';
const add = async (...codes: string[]) => {
  for (const code of codes) await dashboard.api.post('/v3/edit/languages', { code });
};
const codes = async (): Promise<string[]> =>
  (await dashboard.api.get('/v3/edit/languages')).body.languages.map(({ code }: { code: string }) => code);

/** A tour with one text, translated into German. */
async function translate(): Promise<void> {
  await dashboard.api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hello' }] });
  const { body: file } = await dashboard.api.get('/v3/edit/tours/i18n.json', { query: 'language=de' });
  file.experiences[0].steps[0].translations.title.text = 'Hallo';
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(file)]), 'de.json');
  const { status } = await dashboard.api.post('/v3/edit/i18n', form);
  expect(status).toBe(200);
}

it('is accessible and fits', async () => {
  await translate();
  await add('ar', 'pt-BR', 'fr');
  const page = await dashboard.open(PATH);
  await page.getByRole('row', { name: /German/ }).waitFor();
  await expectGoodLooks(page, 'languages');
});

it('names languages in the language of the reader, with direction and progress', async () => {
  await translate();
  await add('ar');
  const page = await dashboard.open(PATH);
  const arabic = page.getByRole('row', { name: /Arabic/ });
  await arabic.getByText('العربية').waitFor();
  await arabic.getByText('Right to left').waitFor();
  const german = page.getByRole('row', { name: /German/ });
  await german.getByText('Left to right').waitFor();
  await german.getByText('1 of 1 texts').waitFor();
  await page
    .getByRole('row', { name: /Default/ })
    .getByText('Always there')
    .waitFor();
});

it('explains what to do when there is no other language', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText('No other languages yet').waitFor();
  await expectGoodLook(page, 'languages-empty-light');
});

describe('adding a language', () => {
  it('works by mouse', async () => {
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Add language' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add language' });
    await dialog.getByRole('combobox', { name: 'Language' }).fill('Germ');
    await takePicture(page, 'languages-add-light');
    await page.getByRole('option', { name: 'German', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await page.getByText('German added').waitFor();
    await page.getByRole('row', { name: /German/ }).waitFor();
    expect(await codes()).toEqual(['de']);
  });

  it('works by keyboard alone, also with a code', async () => {
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Add language' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Add language' }).waitFor();
    await page.keyboard.type('pt-AO');
    // The first Enter takes the code, the second one submits.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Portuguese (Angola) added').waitFor();
    expect(await codes()).toEqual(['pt-AO']);
  });

  it('says at the field that a code is wrong, and that a language is there already', async () => {
    await add('pt-AO');
    const page = await dashboard.open(PATH);
    await page.getByRole('row', { name: /Angola/ }).waitFor();
    await page.getByRole('button', { name: 'Add language' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add language' });
    const field = dialog.getByRole('combobox', { name: 'Language' });
    await field.fill('<b>nonsense</b>');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await dialog.getByText(/^Language must be a BCP 47 code/).waitFor();
    expect(await field.inputValue()).toBe('<b>nonsense</b>');
    await field.fill('pt-AO');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'The language pt-AO is there already' }).waitFor();
  });
});

describe('removing a language', () => {
  it('can be undone while it has no texts', async () => {
    await add('fr');
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Remove French' }).click();
    await page.getByText('French removed').waitFor();
    expect(await codes()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', { name: /French/ }).waitFor();
    expect(await codes()).toEqual(['fr']);
  });

  it('needs its name when it has texts', async () => {
    await translate();
    const page = await dashboard.open(PATH);
    await page.getByText('1 of 1 texts').waitFor();
    await page.getByRole('button', { name: 'Remove German' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove German with its translations?' });
    expect(await dialog.getByRole('button', { name: 'Remove language' }).isDisabled()).toBe(true);
    await takePicture(page, 'languages-remove-light');
    await dialog.getByLabel('Type “German” to confirm').fill('German');
    await page.keyboard.press('Enter');
    await page.getByText('German removed').waitFor();
    expect(await codes()).toEqual([]);
  });

  it('says so when somebody else has removed it', async () => {
    await add('fr');
    const page = await dashboard.open(PATH);
    await page.getByRole('row', { name: /French/ }).waitFor();
    const { body } = await dashboard.api.get('/v3/edit/languages');
    await dashboard.api.send('DELETE', `/v3/edit/languages/${body.languages[0].id}`);
    await page.getByRole('button', { name: 'Remove French' }).click();
    await page.getByText('This is gone').waitFor();
  });
});

it.each(['viewer', 'translator'] as const)('lets a %s read only', async (as) => {
  await add('fr');
  const page = await dashboard.open(PATH, { as });
  await page.getByRole('row', { name: /French/ }).waitFor();
  expect(await page.getByRole('button', { name: /Add language|Remove/ }).count()).toBe(0);
});

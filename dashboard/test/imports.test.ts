import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSignedIn } from '../../server/test/sign-in.ts';
import { type Dashboard, startDashboard } from './browser.ts';
import { expectGoodLook, expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const personOf = async (uid: string) =>
  (await dashboard.api.get('/v3/analyze/profile', { query: `uid=${uid}` })).body.profile;
const count = (page: Page, name: string) => page.locator('dl > div', { hasText: name }).locator('dd');

/** Opens the dialog for a new import, and creates one from a file. */
async function create(page: Page, kind: string, csv: string): Promise<void> {
  await button(page, 'New import').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: kind }).check({ force: true });
  await page.locator('input[type=file]').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  });
  await dialog.getByText('customers.csv').waitFor();
  await dialog.getByRole('button', { name: 'Create import' }).click();
  await page.getByRole('heading', { name: 'customers', level: 1 }).waitFor();
}

/** The announcement of a button that was pending stays for some seconds, without its label. A reload removes it. */
async function expectLooks(page: Page, name: string, label: string): Promise<void> {
  await page.reload();
  await page.getByLabel(label).waitFor();
  await expectGoodLooks(page, name);
}

describe('an import of people', () => {
  it('is opened from the list of people, tried, and started, and its failed rows are downloaded', async () => {
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'ann', plan: 'free' });
    const page = await dashboard.open('/app/people');
    await button(page, 'Import').click();
    await page.getByText('No imports yet').waitFor();
    await create(page, 'Update from a file', 'User ID,Plan,Unused\nann,pro,x\nbob,pro,y\n,pro,z\n');
    await expect.poll(() => page.getByLabel('“User ID” sets').inputValue()).toBe('uid');
    await page.getByText('ann · bob').waitFor();
    await expectLooks(page, 'import-mapping', '“Unused” sets');
    await page.getByLabel('“Unused” sets').fill('');
    await button(page, 'Try without changes').click();
    await page.getByRole('heading', { name: 'What the import would do' }).waitFor();
    await expect.poll(() => count(page, 'Created').textContent()).toBe('1');
    expect((await personOf('ann')).plan).toBe('free');
    await button(page, 'Start import').click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    expect(await count(page, 'Updated').textContent()).toBe('1');
    expect(await count(page, 'Failed').textContent()).toBe('1');
    expect(await personOf('ann')).toMatchObject({ plan: 'pro' });
    expect((await personOf('bob')).unused).toBeUndefined();
    await page.reload();
    await button(page, 'Download failed rows').waitFor();
    await expectGoodLooks(page, 'import-result');
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download failed rows').click()]);
    expect(file.suggestedFilename()).toBe('customers - failed rows.csv');
    await page.getByRole('link', { name: 'Imports of people' }).click();
    await page.getByRole('row').filter({ hasText: 'customers' }).filter({ hasText: 'Done' }).first().waitFor();
  });

  it('says what is wrong with the file or the columns', async () => {
    const page = await dashboard.open('/app/imports?dialog=new');
    await button(page, 'Create import').click();
    await page.getByText('Choose a CSV file.').waitFor();
    await expectGoodLook(page, 'import-dialog');
    await button(page, 'Cancel').click();
    await create(page, 'Update from a file', 'Mail\na@b.test\n');
    await button(page, 'Start import').click();
    await page.getByText(/must map a column to/).waitFor();
    await page.getByLabel('“Mail” sets').fill('email');
    await page.getByRole('radio', { name: 'Leave them out' }).check({ force: true });
    await button(page, 'Start import').click();
    await expect.poll(() => count(page, 'Left out').textContent()).toBe('1');
  });

  it('that deletes needs its name typed, and by the keyboard', async () => {
    await dashboard.api.post('/v3/observe/hooks/profiles', { uid: 'gone' });
    const page = await dashboard.open('/app/imports');
    await create(page, 'Delete by a file', 'id\ngone\n');
    await page.reload();
    await button(page, 'Delete…').click();
    const dialog = page.getByRole('alertdialog');
    expect(await dialog.getByRole('button', { name: 'Delete records' }).isDisabled()).toBe(true);
    await expectGoodLook(page, 'import-delete');
    await page.keyboard.type('customers');
    await page.keyboard.press('Enter');
    await expect.poll(() => count(page, 'Deleted').textContent()).toBe('1');
    expect(await personOf('gone')).toBeUndefined();
  });

  it('tags the people who meet conditions, and shows them', async () => {
    const { api } = dashboard;
    await api.post('/v3/observe/hooks/profiles', { uid: 'tagged', name: 'Tara Tag', plan: 'gold' });
    const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'gold' }];
    await api.post('/v3/edit/segments', { name: 'On gold', items });
    const page = await dashboard.open('/app/imports?dialog=new');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Tag people by conditions' }).check({ force: true });
    await dialog.getByLabel('Name', { exact: true }).fill('Gold people');
    await dialog.getByRole('button', { name: 'Create import' }).click();
    expect(await button(page, 'Start import').isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Add condition' }).click();
    await page.keyboard.type('On gold');
    await page
      .getByRole('option', { name: /^On gold/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Tara Tag' }).waitFor();
    await expectGoodLooks(page, 'import-conditions');
    await button(page, 'Start import').click();
    await page.getByRole('link', { name: 'Show these people' }).click();
    await page.getByRole('row', { name: 'Tara Tag' }).waitFor();
  });

  it('can be looked at by a viewer, who gets no buttons', async () => {
    const viewer = await addSignedIn(dashboard.api, 'viewer');
    const { body } = await dashboard.api.post('/v3/edit/imports', { name: 'Draft', kind: 'update_csv' });
    const page = await dashboard.open(`/app/imports/${body.import.id}`, { admin: viewer });
    await page.getByText('You may look at imports').waitFor();
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
  });
});

it('an import of Companies is opened from the list of Companies, and deleted', async () => {
  const page = await dashboard.open('/app/companies');
  await button(page, 'Import').click();
  await create(page, 'Update from a file', 'company_id,Plan\nacme,gold\n');
  await expect.poll(() => page.getByLabel('“company_id” sets').inputValue()).toBe('uid');
  await button(page, 'Start import').click();
  await expect.poll(() => count(page, 'Created').textContent()).toBe('1');
  await button(page, 'Delete import').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete import' }).click();
  await page.getByText('No imports yet').waitFor();
});

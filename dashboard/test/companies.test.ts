import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/companies';
const grid = (page: Page, name = 'Companies') => page.getByRole('grid', { name });
const row = (page: Page, said: string, name?: string) => grid(page, name).getByRole('row').filter({ hasText: said });
const send = async (path: string, body: object) => {
  const response = await dashboard.api.post(`/v3/observe/hooks/${path}`, body);
  expect(response.body.messages).toBe(undefined);
  return response.body;
};

/** Acme has three people, of whom one is a test user; Globex has none. Returns the ID of Acme. */
const addCompanies = async (): Promise<string> => {
  await dashboard.api.patch('/v3/edit/account', { test_emails: ['*@orbit.test'] });
  await send('companies', { uid: 'globex', name: 'Globex', plan: 'free' });
  const { company } = await send('companies', {
    uid: 'acme-1',
    name: 'Acme',
    plan: 'enterprise',
    seats: 1250,
    is_partner: true,
    renewed_at: '2026-03-01T12:00:00.000Z',
    note: hostileName,
  });
  for (const [uid, email] of [
    ['ann', 'ann@acme.test'],
    ['bob', 'bob@acme.test'],
    ['kim', 'kim@orbit.test'],
  ] as const)
    await send('profiles', { uid, email, name: `${uid} of Acme`, company_uid: 'acme-1' });
  await send('profiles', { uid: 'zoe', name: 'Zoe' });
  return company.id;
};
const people = async (): Promise<string[]> =>
  (await dashboard.api.get('/v3/analyze/profiles')).body.profiles.map(({ uid }: { uid: string }) => uid).sort();

it('lists Companies with their people, found by uid or name, by keyboard too', async () => {
  const id = await addCompanies();
  const page = await dashboard.open(PATH);
  await row(page, 'Acme').getByRole('gridcell', { name: '2', exact: true }).waitFor();
  await page.getByLabel('Search Companies').fill('glob');
  await row(page, 'Acme').waitFor({ state: 'detached' });
  await page.getByLabel('Search Companies').fill('nothing like this');
  await page.getByText('No Company found').waitFor();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await row(page, 'Acme').waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toMatch(/^row Acme/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/app/companies/${id}`);
  await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor();
});

it('shows the properties and the people of a Company, without actions for a viewer', async () => {
  const id = await addCompanies();
  const page = await dashboard.open(`${PATH}/${id}`, { as: 'viewer' });
  await page.getByText('1,250').waitFor();
  await row(page, 'kim of Acme', 'People').getByText('Test user').waitFor();
  expect(await row(page, 'Zoe', 'People').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delete Company' }).count()).toBe(0);
  await page.getByLabel('Search people').fill('bob@');
  await row(page, 'ann of Acme', 'People').waitFor({ state: 'detached' });
  await row(page, 'bob of Acme', 'People').click();
  await page.waitForURL(/\/app\/people\/[0-9a-f]{24}/);
});

it('deletes only the Company, and keeps its people', async () => {
  const id = await addCompanies();
  const page = await dashboard.open(`${PATH}/${id}`);
  await page.getByRole('button', { name: 'Delete Company' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Acme' });
  await dialog.getByRole('radio', { name: 'Only the Company' }).waitFor();
  expect(await accessibilityProblems(page, '[role=alertdialog]')).toEqual([]);
  await takePicture(page, 'company-delete-light');
  await dialog.getByRole('button', { name: 'Delete Company' }).click();
  const done = page.getByRole('dialog', { name: 'Company deleted' });
  await done.getByText(/^[0-9a-f]{24}$/).waitFor();
  await done.getByRole('button', { name: 'Go to Companies' }).click();
  await row(page, 'Globex').waitFor();
  expect(await row(page, 'Acme').count()).toBe(0);
  expect(await people()).toEqual(['ann', 'bob', 'kim', 'zoe']);
});

it('deletes a Company with its people after its uid was typed, and shows the IDs of the Deletions', async () => {
  const id = await addCompanies();
  const page = await dashboard.open(`${PATH}/${id}`);
  await page.getByRole('button', { name: 'Delete Company' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Acme' });
  await dialog.getByText('The Company and its people').click();
  await dialog.getByText('2 people and any test users in it are forgotten').waitFor();
  await dialog.getByText('This cannot be undone.').waitFor();
  const action = dialog.getByRole('button', { name: 'Delete Company and people' });
  expect(await action.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “acme-1” to confirm').fill('acme-1');
  await takePicture(page, 'company-delete-people-light');
  await action.click();
  const done = page.getByRole('dialog', { name: 'Company and 3 people deleted' });
  await done.waitFor();
  expect((await done.locator('pre').last().textContent())?.match(/[0-9a-f]{24}/g)).toHaveLength(3);
  expect(await accessibilityProblems(page, '[role=dialog]')).toEqual([]);
  await takePicture(page, 'company-deleted-light');
  expect(await people()).toEqual(['zoe']);
  await done.getByRole('button', { name: 'Go to Companies' }).click();
  await row(page, 'Globex').waitFor();
  await page.goto(`${dashboard.api.url}${PATH}/${id}`);
  await page.getByText('This Company does not exist').waitFor();
});

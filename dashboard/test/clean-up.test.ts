import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems, type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { openPalette } from './by-hand.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const row = (page: Page, name: string) => page.getByRole('row', { name });
const select = (page: Page, name: string) => row(page, name).getByRole('checkbox').click({ force: true });

/** Seven days after it was made, a record is not new any more. */
async function makeOlder(table: 'segments' | 'experiences') {
  const { api } = dashboard;
  const created_at = Date.now() - 7 * 24 * 60 * 60_000;
  await api.app.storage.write(api.account.account_id, (db) =>
    db.updateTable(table).set({ created_at }).where('account_id', '=', api.account.account_id).execute(),
  );
}

/** Adds two Segments that nothing uses, and one that a tour has. */
async function addSegments() {
  const { api } = dashboard;
  for (const name of ['Old trial', 'Beta 2027', 'In use']) await api.post('/v3/edit/segments', { name, items: [] });
  const { segments } = (await api.get('/v3/edit/segments')).body;
  const used = segments.find(({ name }: { name: string }) => name === 'In use').id;
  await api.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hi' }], segment_ids: [used] });
  await makeOlder('segments');
}

/** Adds tours that have ended. */
async function addEnded(...names: string[]) {
  const { api } = dashboard;
  const { account_id } = api.account;
  const params = { steps: [{ title: 'Hi' }], published_at: '$now', published_until: '+1d' };
  for (const name of names) expect((await api.post('/v3/edit/tours', { name, ...params })).status).toBe(201);
  await api.app.storage.write(account_id, (db) =>
    db
      .updateTable('experiences')
      .set({ published_until: Date.now() - 1 })
      .where('account_id', '=', account_id)
      .execute(),
  );
  await makeOlder('experiences');
}

describe('unused records', () => {
  it('are deleted together, after the dialog has said which', async () => {
    await addSegments();
    const page = await dashboard.open('/app/clean-up?kind=segments');
    await row(page, 'Old trial').waitFor();
    expect(await row(page, 'Old trial').textContent()).toContain('Nothing uses it');
    expect(await row(page, 'In use').count()).toBe(0);
    await takePicture(page, 'clean-up');
    await select(page, 'Old trial');
    await select(page, 'Beta 2027');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 2 Segments?' });
    await dialog.waitFor();
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['Beta 2027', 'Old trial']);
    expect(await accessibilityProblems(page, '[role=alertdialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete 2 Segments' }).click();
    await page.getByText('2 Segments deleted').waitFor();
    await page.getByText('No Segments to clean up').waitFor();
    const { segments } = (await dashboard.api.get('/v3/edit/segments')).body;
    expect(segments.map(({ name }: { name: string }) => name)).toEqual(['In use']);
  });

  it('stay if something began to use them meanwhile, and the message says what', async () => {
    await addSegments();
    const page = await dashboard.open('/app/clean-up?kind=segments');
    await select(page, 'Old trial');
    const { segments } = (await dashboard.api.get('/v3/edit/segments')).body;
    const { id } = segments.find(({ name }: { name: string }) => name === 'Old trial');
    await dashboard.api.post('/v3/edit/tours', { name: 'New', steps: [{ title: 'Hi' }], segment_ids: [id] });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete 1 Segment' }).click();
    await page.getByText(/used by the tour "New"/).waitFor();
    await row(page, 'Old trial').waitFor({ state: 'detached' });
    await row(page, 'Beta 2027').waitFor();
  });
});

describe('Experiences', () => {
  it('are archived with the keyboard, and undo brings them back', async () => {
    await addEnded('Spring sale', 'Summer sale');
    const page = await dashboard.open('/app/clean-up');
    await row(page, 'Spring sale').waitFor();
    expect(await row(page, 'Spring sale').textContent()).toContain('It has ended');
    await row(page, 'Spring sale').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    const archive = page.getByRole('button', { name: 'Archive' });
    await archive.focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 Experience archived').waitFor();
    await row(page, 'Spring sale').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 Experience is back').waitFor();
    const { experiences } = (await dashboard.api.get('/v3/edit/experiences?archived=false')).body;
    expect(experiences.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Spring sale', 'Summer sale']);
  });

  it('are found by the search, and viewers see them without check boxes', async () => {
    await addEnded('Spring sale');
    const page = await dashboard.open('/app', { as: 'viewer' });
    await openPalette(page);
    await page.keyboard.type('clean');
    await page.getByRole('menuitem', { name: /Clean-up/ }).click();
    await row(page, 'Spring sale').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await focused(page)).toBeDefined();
  });
});

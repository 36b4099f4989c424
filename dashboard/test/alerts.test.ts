import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';
import { expectGoodLook, expectGoodLooks } from './looks.ts';

const DAY = 24 * 60 * 60_000;
let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/settings/alerts';
const add = async (params: object = {}) =>
  (
    await dashboard.api.post('/v3/edit/alert_groups', {
      ...{ name: 'Quiet', interval: 7, published_at: '$now', ...params },
    })
  ).body.alert_group;
const list = async () => (await dashboard.api.get('/v3/edit/alert_groups')).body.alert_groups;
const addTour = async (name: string): Promise<string> =>
  (await dashboard.api.post('/v3/edit/tours', { name, steps: [{ title: 'Hello' }], published_at: '$now' })).body.tour
    .id;

it('explains alerts when there are none, and offers once to create one', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText('No alerts yet').waitFor();
  expect(await page.getByRole('button', { name: 'New alert group' }).count()).toBe(1);
});

describe('creating an alert group', () => {
  it('works by mouse, for some Experiences', async () => {
    const tour = await addTour('Welcome');
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'New alert group' }).click();
    const dialog = page.getByRole('dialog', { name: 'New alert group' });
    await dialog.getByLabel('Name').fill('No one gets to the end');
    await dialog.getByText('People start it, but no one completes it').click();
    await dialog.getByLabel('How many days').fill('14');
    await dialog.getByText('Only these').click();
    await dialog.getByText('Welcome · Tour').click();
    await expectGoodLooks(page, 'alerts-create');
    await dialog.getByRole('button', { name: 'Create alert group' }).click();
    await page.getByText('No one gets to the end created').waitFor();
    expect(await list()).toEqual([
      expect.objectContaining({
        ...{ name: 'No one gets to the end', style: 'uncompleted', interval: 14, campaign_ids: [tour] },
        published_at: expect.any(String),
      }),
    ]);
    const row = page.getByRole('row', { name: /No one gets to the end/ });
    await row.getByText('14 days uncompleted').waitFor();
    await row.getByText('1 Experience').waitFor();
  });

  it('works by keyboard alone', async () => {
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'New alert group' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New alert group' }).waitFor();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByText('By keys created').waitFor();
    expect(await list()).toEqual([expect.objectContaining({ name: 'By keys', style: 'unseen', interval: 7 })]);
  });

  it('says at the fields what is wrong', async () => {
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'New alert group' }).click();
    const dialog = page.getByRole('dialog', { name: 'New alert group' });
    await dialog.getByLabel('How many days').fill('often');
    await dialog.getByRole('button', { name: 'Create alert group' }).click();
    await dialog.getByText(/^How many days must be a whole number/).waitFor();
    await dialog.getByText(/^Name must/).waitFor();
    expect(await list()).toEqual([]);
  });
});

describe('editing an alert group', () => {
  it('turns it off, and saves only what was changed', async () => {
    await add();
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Edit Quiet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit alert group' });
    await dialog.getByRole('checkbox', { name: 'On' }).press('Space');
    await dialog.getByRole('button', { name: 'Save alert group' }).click();
    await page.getByText('Saved: On').waitFor();
    await page.getByRole('row', { name: /Quiet/ }).getByText('Off', { exact: true }).waitFor();
    expect(await list()).toEqual([expect.objectContaining({ name: 'Quiet', interval: 7, published_at: null })]);
  });

  it('shows what somebody else has changed, and keeps what was typed', async () => {
    const { id } = await add();
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Edit Quiet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit alert group' });
    await dialog.getByLabel('Name').fill('Mine');
    await dashboard.api.patch(`/v3/edit/alert_groups/${id}`, { style: 'uncompleted', published_at: null });
    await dialog.getByRole('button', { name: 'Save alert group' }).click();
    await dialog
      .getByText('Alert when: was “No one sees it”, is now “People start it, but no one completes it”')
      .waitFor();
    await dialog.getByRole('button', { name: 'Save alert group' }).click();
    await page.getByText('Saved: Name').waitFor();
    expect(await list()).toEqual([expect.objectContaining({ name: 'Mine', style: 'uncompleted', published_at: null })]);
  });
});

it('deletes an alert group, and takes that back', async () => {
  const { published_at } = await add({ style: 'uncompleted' });
  const page = await dashboard.open(PATH);
  await page.getByRole('button', { name: 'Delete Quiet' }).click();
  await page.getByText('Quiet deleted').waitFor();
  expect(await list()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Quiet is back').waitFor();
  expect(await list()).toEqual([expect.objectContaining({ style: 'uncompleted', interval: 7, published_at })]);
});

it('lets a viewer read only', async () => {
  await add();
  const page = await dashboard.open(PATH, { as: 'viewer' });
  await page.getByText('Quiet').waitFor();
  expect(await page.getByRole('button', { name: /New|Edit|Delete/ }).count()).toBe(0);
});

it('shows on Home what a group alerts to, with what to do and a link, until somebody turns the group off', async () => {
  const tour = await addTour('Welcome');
  const { account_id } = dashboard.api.account;
  await dashboard.api.app.storage.write(account_id, (db) =>
    db
      .updateTable('experiences')
      .set({ published_at: Date.now() - 10 * DAY })
      .where('account_id', '=', account_id)
      .execute(),
  );
  const { id } = await add();
  const page = await dashboard.open('/app');
  const entry = page.getByRole('listitem').filter({ hasText: 'No one sees “Welcome”' });
  await entry.getByText('Not seen for 10 days. Check who sees it and on which pages, or unpublish it.').waitFor();
  await expectGoodLook(page, 'alerts-home-light');
  await entry.getByRole('link', { name: 'Open the Experience' }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  expect(page.url()).toContain(tour);
  await dashboard.api.patch(`/v3/edit/alert_groups/${id}`, { published_at: null });
  const home = await dashboard.open('/app');
  await home.getByText('Nothing needs attention').waitFor();
});

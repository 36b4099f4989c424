import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Dashboard, startDashboard, takePicture } from './browser.ts';
import { expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

/** Five people opened, three of them shared afterwards, and one of these paid. Somebody shared before they opened. */
async function track(): Promise<void> {
  const { api } = dashboard;
  const send = (uid: string, name: string, more = {}) => api.post('/v3/observe/hooks/events', { uid, name, ...more });
  await send('early', 'Shared');
  for (const uid of ['ann', 'bob', 'cat', 'dan', 'early'])
    await send(uid, 'Opened', { plan: uid === 'ann' ? 'pro' : 'free' });
  for (const uid of ['ann', 'bob', 'cat']) await send(uid, 'Shared');
  await send('ann', 'Paid');
  for (const uid of ['ann', 'dan']) await api.post('/v3/observe/hooks/profiles', { uid, tier: 'pro' });
  const items = [{ kind: 'property', prop: 'tier', op: 'eq', value: 'pro' }];
  await api.post('/v3/edit/segments', { name: 'Two of them', items });
  await api.get('/v3/edit/event_names');
}

const event = (name: string) => ({ kind: 'event', name, filters: [] });
const address = (...names: string[]) =>
  `/app/analytics/funnel?steps=${encodeURIComponent(JSON.stringify(names.map(event)))}`;
const count = (page: Page, title: string) => page.getByRole('button', { name: title, exact: true });
const step = (page: Page, number: number) => page.getByRole('listitem', { name: `Step ${number}`, exact: true });

it('builds a funnel, and every number opens its people', async () => {
  await track();
  const page = await dashboard.open('/app/analytics/funnel');
  await page.getByText('See where people get stuck').waitFor();
  await page.getByRole('button', { name: 'Add two steps' }).click();
  await page.getByText(/^Choose an event or an Experience/).waitFor();
  await step(page, 1).getByRole('combobox', { name: 'Event' }).fill('Opened');
  await step(page, 2).getByRole('combobox', { name: 'Event' }).fill('Shared');
  await count(page, '5: show the people of “Reached Opened”').waitFor();
  await count(page, '3: show the people of “Reached Shared”').waitFor();
  await page
    .getByRole('button', { name: 'Opened: 5 people, 100% of the first step, 2 left after it. Show the people.' })
    .waitFor();
  await count(page, '2: show the people of “Left after Opened”').click();
  const dialog = page.getByRole('dialog', { name: 'Left after Opened' });
  expect((await dialog.getByRole('listitem').allTextContents()).toSorted()).toEqual(['dandan', 'earlyearly']);
  await dialog.getByRole('button', { name: 'Save as Segment' }).click();
  await dialog.getByLabel('Name of the Segment').fill('Did not share');
  await dialog.getByRole('button', { name: 'Create Segment' }).click();
  await page.getByText(/The Segment gets 2 people/).waitFor();
});

it('keeps the funnel in the address, and moves steps with the keyboard', async () => {
  await track();
  const page = await dashboard.open(address('opened', 'shared', 'paid'));
  await count(page, '1: show the people of “Reached Paid”').waitFor();
  await step(page, 2).getByRole('combobox', { name: 'Event' }).press('Alt+ArrowUp');
  await count(page, '1: show the people of “Reached Opened”').waitFor();
  expect(await step(page, 1).evaluate((row) => row.contains(document.activeElement))).toBe(true);
  await page.reload();
  await count(page, '4: show the people of “Reached Shared”').waitFor();
  await page.getByRole('button', { name: 'Actions of step 1' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await count(page, '5: show the people of “Reached Opened”').waitFor();
});

it('splits by a Segment, and is saved as a report', async () => {
  await track();
  const page = await dashboard.open(address('opened', 'shared'));
  await page.getByRole('button', { name: 'Split by Segment' }).click();
  await page.getByRole('checkbox', { name: 'Two of them' }).click({ force: true });
  await page.keyboard.press('Escape');
  await count(page, '2: show the people of “Reached Opened · Two of them”').waitFor();
  await expectGoodLooks(page, 'funnel');
  await takePicture(page, 'funnel', true);
  await page.getByRole('button', { name: 'Save report' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Sharing');
  await page.getByRole('dialog').getByRole('button', { name: 'Create report' }).click();
  await page.getByRole('heading', { name: 'Sharing' }).waitFor();
  const { reports } = (await dashboard.api.get('/v3/edit/reports')).body;
  expect(reports[0]).toMatchObject({ kind: 'funnel', params: { steps: [{ name: 'opened' }, { name: 'shared' }] } });
});

it('shows an example of what the account has', async () => {
  await track();
  const page = await dashboard.open('/app/analytics/funnel');
  await page.getByRole('button', { name: 'Show an example' }).click();
  await step(page, 2).waitFor();
  await page
    .getByRole('table', { name: 'Funnel' })
    .or(page.getByText(/^Nobody did the first step/))
    .waitFor();
});

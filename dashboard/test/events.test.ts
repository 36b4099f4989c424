import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';
import { startCustomerSite } from './customer-site.ts';
import { expectGoodLook, expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/events';
const track = (uid: string, name: string, more: object = {}) =>
  dashboard.api.post('/v3/observe/hooks/events', { uid, name, ...more });
const row = (page: Page, said: string) => page.getByRole('grid', { name: 'Events' }).getByRole('row', { name: said });
const idOf = async (uid: string): Promise<string> =>
  (await dashboard.api.get('/v3/edit/event_names')).body.event_names.find((one: { uid: string }) => one.uid === uid).id;

it('shows how to send the first event, then lists events with their counts, source and uses', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText('No events yet').waitFor();
  await page.getByText(/usher\.track\('Report exported'/).waitFor();
  await page.getByText(/X-Account-Secret: SECRET/).waitFor();
  for (const uid of ['ann', 'bob']) await track(uid, 'Report exported', { format: 'pdf' });
  await dashboard.api.post('/v3/edit/tours', { name: 'Pay', goal: 'report_exported' });
  await page.reload();
  const event = row(page, 'Report exported');
  await event.getByText('API', { exact: true }).waitFor();
  await event.getByText('1 place').waitFor();
  expect(await event.getByRole('gridcell', { name: '2', exact: true }).count()).toBe(3);
  await event.getByRole('img', { name: 'Last 30 days: 2 times' }).waitFor();
  await expectGoodLooks(page, 'events');
});

it('archives an event, which is then not suggested as a goal, and restores it', async () => {
  await track('ann', 'Old name');
  await track('ann', 'New name');
  const page = await dashboard.open(PATH);
  await row(page, 'Old name').getByRole('button', { name: 'Actions for Old name' }).click();
  await page.getByRole('menuitem', { name: 'Archive event' }).click();
  await row(page, 'Old name').waitFor({ state: 'detached' });
  await row(page, 'New name').waitFor();
  await page.getByRole('radio', { name: 'Archived' }).click();
  await row(page, 'Old name').click();
  await page.getByRole('heading', { name: 'Old name' }).waitFor();
  await page.getByRole('button', { name: 'Restore event' }).click();
  await page.getByRole('button', { name: 'Archive event' }).waitFor();
  const { event_names } = (await dashboard.api.get('/v3/edit/event_names')).body;
  expect(event_names.map(({ uid }: { uid: string }) => uid)).toEqual(['new_name', 'old_name']);
});

it('chooses an event by its name as a goal, also after it was renamed, and closes the list then', async () => {
  await track('ann', 'Invite sent');
  await dashboard.api.patch(`/v3/edit/event_names/${await idOf('invite_sent')}`, { name: 'Colleague invited' });
  const { tour } = (await dashboard.api.post('/v3/edit/tours', { name: 'Pay' })).body;
  const page = await dashboard.open(`/app/experiences/${tour.id}/targeting`);
  const goal = page.getByRole('combobox', { name: 'What people should do after it' });
  const goalOf = async () => (await dashboard.api.get(`/v3/edit/tours/${tour.id}`)).body.tour.goal;
  await goal.fill('Coll');
  await goal.press('ArrowDown');
  await goal.press('Enter');
  await expect.poll(() => goal.inputValue()).toBe('Colleague invited');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await expect.poll(goalOf).toBe('invite_sent');
});

it('shows one event: its numbers, uses, people and properties, and saves a description', async () => {
  await track('ann', 'Report exported', { format: 'pdf', pages: 12 });
  const items = [{ kind: 'event', op: 'ex', value: 'report_exported' }];
  await dashboard.api.post('/v3/edit/segments', { name: 'Exporters', items });
  const page = await dashboard.open(`${PATH}/${await idOf('report_exported')}`);
  await page.getByRole('link', { name: 'Exporters' }).waitFor();
  await page.getByRole('list', { name: 'Latest' }).getByRole('link', { name: 'ann' }).waitFor();
  await page.getByRole('list', { name: 'Sample values' }).getByText('pdf').waitFor();
  await page.getByLabel('What it means').fill('A report was downloaded');
  await page.getByRole('button', { name: 'Save event' }).click();
  await page.getByText('Event saved').first().waitFor();
  const { event_name } = (await dashboard.api.get(`/v3/edit/event_names/${await idOf('report_exported')}`)).body;
  expect(event_name.description).toBe('A report was downloaded');
  await expectGoodLooks(page, 'event');
  await page.getByRole('link', { name: /Show people who did it in the last 7 days/ }).click();
  await page.getByRole('row', { name: /ann/ }).waitFor();
});

it('lets people who may only look read everything and change nothing', async () => {
  await track('ann', 'Report exported');
  const page = await dashboard.open(`${PATH}/${await idOf('report_exported')}`, { as: 'viewer' });
  await page.getByText('No description yet.').waitFor();
  expect(await page.getByRole('button', { name: /Archive|Save|New event/ }).count()).toBe(0);
});

it('makes an event without code: picks an element, tests a click, publishes, and counts the click of a user', async () => {
  const { api } = dashboard;
  await api.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  const script = () => `<script src="${api.url}/script/${api.account.account_token}.js"></script>`;
  const site = await startCustomerSite(script, undefined, '<h1>Acme</h1><button id="buy">Buy now</button>');
  const page = await dashboard.open(PATH);
  await page.getByRole('button', { name: 'New event without code' }).click();
  await page.getByLabel('Name').fill('Plan bought');
  await expectGoodLook(page, 'event-new');
  await page.getByRole('button', { name: 'Create event' }).click();
  await page.getByRole('heading', { name: 'What counts' }).waitFor();
  await page.getByRole('button', { name: 'Pick on your page' }).click();
  await page.getByRole('combobox', { name: 'Page' }).fill(`${site.url}/`);
  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open page' }).click();
  const tab = await opening;
  await tab.getByText('For the event “Plan bought”.').waitFor();
  await tab.getByRole('button', { name: 'Start picking' }).click();
  await tab.locator('#buy').click();
  await tab.getByText(/Click it now to test it/).waitFor();
  await tab.locator('#buy').click();
  await tab.getByText('Click seen: it will count.').first().waitFor();
  await page.bringToFront();
  await page.getByRole('button', { name: 'Use this element' }).click();
  await page.getByText('Element saved').first().waitFor();
  await page.getByRole('button', { name: 'Publish event' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await expectGoodLooks(page, 'event-without-code');
  await tab.close();

  const user = await dashboard.browser.newPage();
  await user.goto(site.url);
  const seen = user.waitForResponse((response) => response.url().includes('/v3/observe/visits'));
  await user.waitForFunction(() => 'identify' in (window as unknown as { usher: object }).usher);
  await user.evaluate(() => Reflect.get(window, 'usher').identify('ann'));
  await seen;
  await user.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('page_events')),
  );
  await user.waitForTimeout(200);
  const sent = user.waitForResponse((response) => response.url().includes('/v3/observe/events'));
  await user.locator('#buy').click();
  expect((await sent).status()).toBe(200);
  await user.close();
  await page.reload();
  await page.getByRole('list', { name: 'Latest' }).getByRole('link', { name: 'ann' }).waitFor();
  await page.getByRole('button', { name: 'Unpublish event' }).click();
  await page.getByText('Not counted yet').waitFor();
});

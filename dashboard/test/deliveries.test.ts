import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDomain, PAGE, visit } from '../../server/test/visiting.ts';
import { type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { expectGoodLook, hostileName } from './looks.ts';

let dashboard: Dashboard;
let person: string;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  await openDomain(dashboard.api);
  const properties = { name: 'Ann Lee' };
  person = (await visit(dashboard.api, { uid: 'u-1', email: 'ann@example.com', properties })).body.profile.id;
});
afterAll(() => dashboard.stop());

const LIST = '/app/deliveries';
async function add(name: string, params: object = {}, kind = 'tour'): Promise<string> {
  const content = kind === 'launcher' ? { items: [{ kind: 'url', title: 'Docs', url: '/docs' }] } : {};
  const steps = [{ title: 'Hello', ...(kind === 'survey' && { preset: 'survey_nps' }) }];
  const all = { name, published_at: '$now', ...(kind === 'launcher' ? content : { steps }), ...params };
  const { body } = await dashboard.api.post(`/v3/edit/${kind}s`, all);
  expect(body.messages).toBeUndefined();
  return body[kind].id;
}
const addManual = (name: string, params: object = {}) => add(name, { style: 'manual', ...params });
async function addSegment(name: string): Promise<string> {
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  return (await dashboard.api.post('/v3/edit/segments', { name, items })).body.segment.id;
}
async function deliver(model_id: string, params: object = {}): Promise<string> {
  const all = { model_kind: 'tour', model_id, profile_id: person, delivery_ids_position: 'last', ...params };
  const { body } = await dashboard.api.post('/v3/edit/deliveries', all);
  expect(body.messages).toBeUndefined();
  return body.delivery.id;
}
/** Creates three tours and a Delivery of each. */
async function deliverThree(): Promise<string[]> {
  const ids = [];
  for (const name of ['One', 'Two', 'Three']) ids.push(await deliver(await addManual(name)));
  return ids;
}
const pending = async () => (await dashboard.api.get(`/v3/edit/profiles/${person}/deliveries`)).body.deliveries;
const order = async () =>
  (await pending()).map(({ experience }: { experience: { name: string } }) => experience.name) as string[];
const open = (options = {}) => dashboard.open(`/app/people/${person}/queue?page=${encodeURIComponent(PAGE)}`, options);
const part = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const toast = (page: Page, title: string) => page.getByRole('alertdialog').filter({ hasText: title });
async function menu(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
const firstLines = (page: Page, name: string) =>
  part(page, name).getByRole('listitem').getByRole('link').allTextContents();

it('shows what a page load then shows, in order, with limits, and why the rest does not show', async () => {
  const admins = await addSegment('Admins');
  await add('Automatic');
  await add('For admins', { segment_ids: [admins] });
  await add('Checklist', {}, 'launcher');
  await dashboard.api.post('/v3/edit/limit_groups', { name: 'Two a day', max_count: 2, period_hours: 24 });
  const page = await open();
  await part(page, 'Would see next').getByRole('link', { name: 'Checklist' }).waitFor();
  expect(await firstLines(page, 'Would see next')).toEqual(['Automatic', 'Checklist']);
  await page.getByText('0 of 2 used in 24 hours').waitFor();
  await part(page, /^Would not see/)
    .getByText('The user is not in the Segment “Admins”.')
    .waitFor();

  // A new Delivery comes before Experiences that start automatically.
  await deliver(await addManual(hostileName));
  await deliver(await addManual('Later'), { from: new Date(Date.now() + 86_400_000).toISOString() });
  await page.reload();
  await part(page, 'Would see next').getByRole('link', { name: '<img' }).waitFor();
  await part(page, /^Would not see/)
    .getByText(/^Its time has not come/)
    .waitFor();
  const shown = await firstLines(page, 'Would see next');
  const { body } = await visit(dashboard.api, { uid: 'u-1' });
  const ready = body.deliveries
    .filter((one: { ready: boolean }) => one.ready)
    .map((one: { model_id: string }) => one.model_id);
  const automatic = body.experiences
    .filter((one: { automatic: boolean }) => one.automatic)
    .map((one: { id: string }) => one.id);
  const all = (await dashboard.api.get('/v3/edit/experiences')).body.experiences as { id: string; name: string }[];
  const names = [...ready, ...automatic].map((id) => all.find((one) => one.id === id)?.name);
  expect(shown).toEqual(names);

  await page.getByRole('combobox', { name: 'Page' }).fill('https://unknown.example.org/');
  await page.getByText('Nothing shows on this page', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Show domains' }).waitFor();
  expect(new URL(page.url()).searchParams.get('page')).toBe('https://unknown.example.org/');
  await page.getByRole('combobox', { name: 'Page' }).fill(PAGE);
  await part(page, /^Would not see/)
    .getByRole('link', { name: 'Change Segments' })
    .click();
  await page.waitForURL(/\/targeting\?field=segment_ids/);
});

it('creates a Delivery at the limit, and the list is as it said', async () => {
  await deliverThree();
  const greeting = [{ title: 'Hello', body: '{{delivery "manager.name" | fallback: "We"}} will call you.' }];
  await addManual('Renewal', { steps: greeting });
  const page = await open();
  await page.getByRole('button', { name: 'Show to one person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Show a tour or survey to Ann Lee' });
  await dialog.getByRole('combobox', { name: 'Tour or survey' }).fill('Renew');
  await page.getByRole('option', { name: 'Renewal' }).click();
  await dialog.getByLabel('manager.name').fill('Bo');
  await dialog.getByText('Usher rejects this Delivery').waitFor();
  expect(await dialog.getByRole('button', { name: 'Create Delivery' }).isDisabled()).toBe(true);
  await dialog.getByText('Make room for it').click();
  await dialog.getByRole('button', { name: /Place in the list/ }).click();
  await page.getByRole('option', { name: 'Last' }).click();
  await dialog.getByText(/^At the end there is no room/).waitFor();
  await dialog.getByRole('button', { name: /Place in the list/ }).click();
  await page.getByRole('option', { name: 'After 1: One' }).click();
  const list = dialog.getByRole('region', { name: 'The list as it will be' }).getByRole('listitem');
  await expect.poll(() => list.allTextContents()).toEqual(['1One', '2Renewalnew', '3Two', '–Threeis removed']);
  await expectGoodLook(page, 'deliveries-create-light', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Create Delivery' }).click();
  await toast(page, 'Delivery of Renewal created').waitFor();
  expect(await order()).toEqual(['One', 'Renewal', 'Two']);
  expect((await pending())[1]).toMatchObject({
    options: { manager: { name: 'Bo' } },
    skip_triggers: true,
    once: false,
  });
  // The queue shows the new list too.
  await expect.poll(() => firstLines(page, 'Would see next')).toEqual(['One', 'Renewal', 'Two']);
});

it('moves Deliveries by drag, by keyboard and by menu, and says when the list has changed meanwhile', async () => {
  const [first] = await deliverThree();
  const page = await open();
  await row(page, 'Three').waitFor();
  await part(page, 'Would see next').getByRole('link', { name: 'Three' }).waitFor();
  const saved = () => page.waitForResponse((response) => response.request().method() === 'PATCH');
  let response = saved();
  await row(page, 'Three').dragTo(row(page, 'One'), { targetPosition: { x: 200, y: 3 } });
  await response;
  await toast(page, 'Three is now number 1').waitFor();
  expect(await order()).toEqual(['Three', 'One', 'Two']);
  await expect.poll(() => firstLines(page, 'Would see next')).toEqual(['Three', 'One', 'Two']);
  await toast(page, 'Three is now number 1').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(order).toEqual(['One', 'Two', 'Three']);

  const handle = page.getByRole('button', { name: 'Drag Three' });
  await handle.focus();
  await expect.poll(() => focused(page)).toBe('button Drag Three');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('button Insert after Three');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused(page)).toBe('button Insert between One and Two');
  response = saved();
  await page.keyboard.press('Enter');
  await response;
  await toast(page, 'Three is now number 2').waitFor();
  expect(await order()).toEqual(['One', 'Three', 'Two']);

  await dashboard.api.send('DELETE', `/v3/edit/deliveries/${first}`);
  await menu(page, 'One', 'Move down');
  await toast(page, 'The list has changed meanwhile').waitFor();
  await row(page, 'One').waitFor({ state: 'detached' });
});

it('edits a Delivery, and closes when it was shown meanwhile', async () => {
  const id = await deliver(await addManual('Renewal'), { options: { count: 3, manager: { name: 'Bo' } } });
  const page = await open();
  await menu(page, 'Renewal', 'Edit Delivery');
  const dialog = page.getByRole('dialog', { name: 'Edit Delivery' });
  await dialog.getByLabel('Value 2').fill('Ann');
  await dialog.getByText('Only if they have not seen it before').click();
  await dialog.getByLabel('Not after').fill('2020-01-01T10:00');
  await dialog.getByText('This time has passed, so it would never show.').waitFor();
  await dialog.getByLabel('Not after').fill('2090-01-01T10:00');
  await takePicture(page, 'deliveries-edit-light');
  await dialog.getByRole('button', { name: 'Save Delivery' }).click();
  await toast(page, 'Delivery of Renewal saved').waitFor();
  expect((await pending())[0]).toMatchObject({
    ...{ options: { count: 3, manager: { name: 'Ann' } }, once: true, until: '2090-01-01T10:00:00.000Z' },
    ...{ from: null, skip_triggers: true, skip_url_match: true },
  });

  await menu(page, 'Renewal', 'Edit Delivery');
  await dialog.getByText('On any page').click();
  await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
  expect(JSON.parse(await dialog.getByLabel('Values as JSON').inputValue())).toEqual({
    count: 3,
    manager: { name: 'Ann' },
  });
  const { body } = await visit(dashboard.api, { uid: 'u-1' });
  const started = { experience_id: body.deliveries[0].model_id, delivery_id: id, state: 'started', href: PAGE };
  await dashboard.api.post('/v3/observe/interactions', { visit_token: body.visit.token, ...started }, { as: null });
  await dialog.getByRole('button', { name: 'Save Delivery' }).click();
  await toast(page, 'The list has changed meanwhile').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('No pending Deliveries').waitFor();
});

it('cancels a Delivery and takes that back at the same place; asks first if it cannot be undone', async () => {
  await deliverThree();
  const before = (await pending())[1];
  const page = await open();
  await menu(page, 'Two', 'Cancel Delivery');
  await toast(page, 'Delivery of Two canceled').waitFor();
  expect(await order()).toEqual(['One', 'Three']);
  await toast(page, 'Delivery of Two canceled').getByRole('button', { name: 'Undo' }).click();
  await toast(page, 'Delivery of Two is back').waitFor();
  expect(await order()).toEqual(['One', 'Two', 'Three']);
  const { model_id, options, from, until } = before;
  expect((await pending())[1]).toMatchObject({ model_id, options, from, until });

  await dashboard.api.patch(`/v3/edit/tours/${model_id}`, { published_at: null });
  await page.reload();
  await row(page, 'Two').getByText('Not live').waitFor();
  await menu(page, 'Two', 'Cancel Delivery');
  await page
    .getByRole('alertdialog', { name: 'Cancel the Delivery of Two?' })
    .getByRole('button', { name: 'Cancel Delivery' })
    .click();
  await toast(page, 'Delivery of Two canceled').waitFor();
  expect(await order()).toEqual(['One', 'Three']);
});

it('lists the Deliveries of all people with their state, and those of one Experience', async () => {
  const admins = await addSegment('Admins');
  const [plain, forAdmins] = [await addManual('Plain'), await addManual('For admins', { segment_ids: [admins] })];
  await deliver(forAdmins, { use_segmentation: true });
  const shown = await deliver(plain);
  const { body } = await visit(dashboard.api, { uid: 'u-1' });
  const started = { experience_id: plain, delivery_id: shown, state: 'started', href: PAGE };
  await dashboard.api.post('/v3/observe/interactions', { visit_token: body.visit.token, ...started }, { as: null });
  await deliver(plain, { from: '2090-01-01' });
  await deliver(await addManual(hostileName), { until: '+1d' });
  const page = await dashboard.open(LIST);
  await page.getByText('4 Deliveries').waitFor();
  await page.getByText(/Not before Jan 1, 2090/).waitFor();
  await page.getByText('they were not in its Segments').waitFor();
  await page.getByText('app.example.com/dashboard').waitFor();
  await page.getByRole('combobox', { name: 'Experience' }).fill('For');
  await page.getByRole('option', { name: 'For admins' }).click();
  await page.getByText('1 Delivery', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('experience')).toBe(forAdmins);
  await page.reload();
  await expect.poll(() => page.getByRole('combobox', { name: 'Experience' }).inputValue()).toBe('For admins');
  await page.getByRole('link', { name: 'Ann Lee' }).click();
  await page.waitForURL(`**/app/people/${person}/queue`);
});

it('explains Deliveries when there are none, and lets a viewer look only', async () => {
  const page = await dashboard.open(LIST, { as: 'viewer' });
  await page.getByText('No Deliveries yet').waitFor();
  await deliverThree();
  await page.goto(`${dashboard.api.url}/app/people/${person}/queue`);
  await row(page, 'Two').waitFor();
  expect(await page.getByRole('button', { name: /Create|Actions for|Drag|Edit/ }).count()).toBe(0);
});

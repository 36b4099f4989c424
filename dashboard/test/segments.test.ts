import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { expectGoodLook, expectGoodLooks, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const property = (prop: string, op: string, value?: unknown) => ({ kind: 'property', prop, op, value });
const add = async (params: object) => (await dashboard.api.post('/v3/edit/segments', params)).body.segment;
const list = async () => (await dashboard.api.get('/v3/edit/segments')).body.segments;
const addPerson = async (params: object) => {
  const { status } = await dashboard.api.post('/v3/observe/hooks/profiles', params);
  expect(status).toBeLessThan(300);
};
async function addPeople(): Promise<void> {
  await addPerson({ uid: 'ann', name: 'Ann Lee', email: 'ann@acme.test', role: 'admin', plan: 'pro', seats: 12 });
  await addPerson({ uid: 'ben', name: 'Ben Ode', role: 'viewer', plan: 'pro', tags: ['beta', 'early'], paying: true });
  await addPerson({ uid: 'cem', role: 'admin', plan: 'free', trial_ends_at: '2029-03-01' });
  await dashboard.api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Signed in' });
}
const condition = (page: Page) => page.getByRole('combobox', { name: 'Add condition' }).last();
async function addCondition(page: Page, name: string): Promise<void> {
  await condition(page).click();
  await page.keyboard.type(name);
  await page
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .click();
}
const count = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor();
const bare = (items: object[]) => items.map((item) => ({ ...item, id: undefined }));

it('counts while conditions are added, and has a name that follows them', async () => {
  await addPeople();
  const page = await dashboard.open('/app/segments/new');
  await count(page, '3 people');
  await addCondition(page, 'plan');
  await page.getByText('Give a value. Until then this condition does not count.').waitFor();
  // An open list hides the rest of the page from screen readers.
  const save = page.getByRole('button', { name: 'Create Segment', includeHidden: true });
  expect(await save.isDisabled()).toBe(true);
  await page.getByRole('option', { name: 'pro', exact: true }).click();
  await count(page, '2 people');
  await addCondition(page, 'role');
  await page.keyboard.type('admin');
  // Enter accepts the value. Only the button saves the Segment.
  await page.keyboard.press('Enter');
  await count(page, '1 person');
  await page.getByRole('link', { name: 'Ann Lee' }).waitFor();
  await addCondition(page, 'seats');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove seats' }).click();
  const name = page.getByLabel('Name', { exact: true });
  expect(await name.inputValue()).toBe('Admins on plan pro');
  await name.fill('Our best');
  await addCondition(page, 'Signed in');
  expect(await name.inputValue()).toBe('Our best');
  await page.getByRole('button', { name: 'Use the description as the name' }).click();
  expect(await name.inputValue()).toBe('Admins on plan pro, who did “Signed in”');
  expect([new URL(page.url()).pathname, await list()]).toEqual(['/app/segments/new', []]);
});

it('builds a Segment of every kind of condition', async () => {
  await addPeople();
  const { tour } = (await dashboard.api.post('/v3/edit/tours', { name: 'Welcome' })).body;
  const { survey } = (await dashboard.api.post('/v3/edit/surveys', { name: 'NPS' })).body;
  const beta = await add({ name: 'Beta', items: [property('tags', 'in-a', 'beta')] });
  const page = await dashboard.open('/app/segments/new');
  for (const name of ['paying', 'trial_ends_at', 'Signed in', 'Welcome', 'NPS', 'Beta', 'seats'])
    await addCondition(page, name);
  await page.keyboard.type('a dozen');
  await page.getByText('Give a value').waitFor();
  await page.getByLabel('Value of seats').fill('12');
  await page.getByRole('button', { name: /Whether: Beta/ }).click();
  await page.getByRole('option', { name: 'Not in' }).click();
  await page.getByRole('button', { name: /How often: Signed in/ }).click();
  await page.getByRole('option', { name: 'at least', exact: true }).click();
  await page.getByLabel('Number of times: Signed in').fill('1');
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByText('Add a condition to this group').waitFor();
  await page.getByRole('group', { name: 'Group' }).getByRole('combobox', { name: 'Add condition' }).click();
  await page.keyboard.type('favorite color');
  await page.getByRole('option', { name: 'Property “favorite_color”' }).click();
  await page.keyboard.type('blue');
  await page.getByRole('heading', { level: 1 }).click();
  await expectGoodLooks(page, 'segment-new');
  await page.getByRole('button', { name: 'Create Segment' }).click();
  await page.getByText(/ created$/).waitFor();
  const [created] = await list();
  expect(created.name).toMatch(/^People whose paying is yes, whose trial_ends_at is in the last 7 days, who did/);
  expect(bare(created.items)).toEqual(
    bare([
      property('paying', 'eq', true),
      property('trial_ends_at', 'gt-d', 7),
      { kind: 'event', op: 'ex', value: 'signed_in', mod: 'gte', range: 1 },
      { kind: 'tour', op: 'ex', value: tour.id },
      { kind: 'survey', op: 'ex', value: survey.id },
      { kind: 'segment', op: 'nx', value: beta.id },
      property('seats', 'eq', 12),
      { kind: 'group', filters: [property('favorite_color', 'eq', 'blue')], filters_op: 'or' },
    ]),
  );
});

it('says when people were counted, counts them again, and updates while that lasts', async () => {
  await addPeople();
  await add({ name: 'Pro', items: [property('plan', 'eq', 'pro')] });
  const page = await dashboard.open('/app/segments');
  const row = page.getByRole('row', { name: /Pro/ });
  await row.getByText('2 people').waitFor();
  await page.getByText('People counted now').waitFor();
  await addPerson({ uid: 'dee', plan: 'pro' });
  await page.getByRole('button', { name: 'Count again' }).click();
  await row.getByText('3 people').waitFor();

  // As while another process counts a large account.
  const { account_id } = dashboard.api.account;
  const run = { account_id, claim: 'a'.repeat(24), claimed_at: Date.now(), share: 0.425 };
  await dashboard.api.app.storage.write(account_id, (db) => db.insertInto('segment_count_runs').values(run).execute());
  await add({ name: 'Free', items: [property('plan', 'eq', 'free')] });
  await page.reload();
  await page.getByText('Counting people… 42%').waitFor();
  await count(page, 'Counting…');
  await page.getByRole('row', { name: /Free/ }).getByText('Counting…').waitFor();
  expect(await page.getByRole('button', { name: 'Count again' }).count()).toBe(0);
  await dashboard.api.app.storage.write(account_id, (db) =>
    db.deleteFrom('segment_count_runs').where('account_id', '=', account_id).execute(),
  );
  await page.getByRole('row', { name: /Free/ }).getByText('1 person').waitFor();
});

it('is edited by keyboard, and keeps the focus near a removed condition', async () => {
  await addPeople();
  await add({ name: 'Ours', items: [property('plan', 'in-v', ['pro']), property('role', 'eq', 'admin')] });
  const page = await dashboard.open('/app/segments');
  await page.getByRole('row', { name: /Ours/ }).getByText('1 person').waitFor();
  await page.getByRole('row', { name: /Ours/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Add a value of plan' }).focus();
  await page.keyboard.type('free');
  await page.keyboard.press('Enter');
  await count(page, '2 people');
  expect(await focused(page)).toContain('Add a value of plan');
  await page.getByRole('button', { name: 'Remove role' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('button Remove plan');
  await count(page, '3 people');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toContain('Add condition');
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Ours saved').waitFor();
  expect(await list()).toEqual([expect.objectContaining({ name: 'Ours', items: [] })]);
});

it('lists Segments with what they mean, and explains why a used one cannot be deleted', async () => {
  await addPeople();
  const used = await add({ name: 'Payers', items: [property('plan', 'eq', 'pro')] });
  await add({ name: hostileName, items: [{ kind: 'segment', op: 'ex', value: used.id }] });
  await dashboard.api.post('/v3/edit/tours', { name: 'Welcome', segment_ids: [used.id] });
  const page = await dashboard.open('/app/segments');
  const row = page.getByRole('row', { name: /^Payers/ });
  await row.getByText('People on plan pro').waitFor();
  await row.getByText('2 people').waitFor();
  await row.getByText('2 places').waitFor();
  await row.getByRole('button', { name: 'Actions for Payers' }).click();
  const remove = page.getByRole('menuitem', { name: /Delete Segment/ });
  expect(await remove.getAttribute('aria-disabled')).toBe('true');
  await remove.getByText('Something uses it. Take it out there first.').waitFor();
  await page.getByRole('menuitem', { name: /Edit Segment/ }).click();
  await page.getByRole('link', { name: 'Welcome' }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete Segment' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Duplicate Segment' }).click();
  await page.getByText('Copy of Payers created').waitFor();
  await page.getByRole('button', { name: 'Delete Segment' }).click();
  await page.getByText('Copy of Payers deleted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Copy of Payers is back').waitFor();
  expect((await list()).map(({ name }: { name: string }) => name)).toContain('Copy of Payers');
});

it('lets one of two administrators choose whose conditions stay', async () => {
  const { id } = await add({ name: 'Ours', items: [property('plan', 'eq', 'pro')] });
  const page = await dashboard.open(`/app/segments/${id}`);
  const change = async (theirs: string, mine: string) => {
    await page.getByRole('combobox', { name: 'Value of plan' }).fill(mine);
    await dashboard.api.patch(`/v3/edit/segments/${id}`, { items: [property('plan', 'eq', theirs)] });
    await page.getByRole('button', { name: 'Save Segment' }).click();
    await page.getByText(`It is now “Ours”: People on plan ${theirs}.`).waitFor();
  };
  const items = async () => (await list())[0].items[0].value;
  await change('team', 'free');
  await expectGoodLook(page, 'segment-conflict');
  await page.getByRole('button', { name: 'Load theirs' }).click();
  await expect.poll(() => page.getByRole('combobox', { name: 'Value of plan' }).inputValue()).toBe('team');
  expect(await items()).toBe('team');
  await change('trial', 'mine');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByText('Ours saved').waitFor();
  expect(await items()).toBe('mine');
});

it('says what to do first, and shows a viewer what there is', async () => {
  const empty = await dashboard.open('/app/segments');
  await empty.getByText('No Segments yet').waitFor();
  await empty.getByRole('button', { name: 'New Segment' }).last().click();
  await empty.getByRole('button', { name: 'Seen in the last 7 days' }).click();
  expect(await empty.getByLabel('Name', { exact: true }).inputValue()).toBe('People seen in the last 7 days');
  await expectGoodLook(empty, 'segment-template');
  await empty.getByRole('button', { name: 'Create Segment' }).click();
  await empty.getByText('People seen in the last 7 days created').waitFor();
  const [{ id }] = await list();
  const page = await dashboard.open(`/app/segments/${id}`, { as: 'viewer' });
  await page.getByText('You may look at this Segment, but not change it.').waitFor();
  expect(await page.getByRole('button', { name: /Save|Delete|Duplicate|Remove|Add/ }).count()).toBe(0);
});

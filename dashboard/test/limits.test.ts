import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, startDashboard, takePicture } from './browser.ts';
import { expectGoodLook } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/settings/limits';
const add = async (params: object = {}) =>
  (await dashboard.api.post('/v3/edit/limit_groups', { name: 'One a day', max_count: 1, period_hours: 24, ...params }))
    .body.limit_group;
const list = async () => (await dashboard.api.get('/v3/edit/limit_groups')).body.limit_groups;
const addTour = async (name: string): Promise<string> =>
  (await dashboard.api.post('/v3/edit/tours', { name })).body.tour.id;

it('explains limits when there are none, and offers once to create one', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText('No limits yet').waitFor();
  expect(await page.getByRole('button', { name: 'New limit group' }).count()).toBe(1);
});

describe('creating a limit group', () => {
  it('works by mouse, for some Experiences', async () => {
    const tour = await addTour('Welcome');
    await addTour('Second');
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'New limit group' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New limit group' });
    await dialog.getByLabel('Name').fill('Twice a week');
    await dialog.getByLabel('At most', { exact: true }).fill('2');
    await dialog.getByLabel('In', { exact: true }).fill('7');
    await dialog.getByRole('button', { name: /Unit/ }).click();
    await page.getByRole('option', { name: 'days' }).click();
    await dialog.getByText('At most 2 of them start automatically for one person within 7 days.').waitFor();
    await dialog.getByText('Only these').click();
    await dialog.getByText('Welcome · Tour').click();
    await expectGoodLook(page, 'limits-create-light');
    await dialog.getByRole('button', { name: 'Create limit group' }).click();
    await page.getByText('Twice a week created').waitFor();
    expect(await list()).toEqual([
      expect.objectContaining({ name: 'Twice a week', max_count: 2, period_hours: 168, experience_ids: [tour] }),
    ]);
    await page
      .getByRole('row', { name: /Twice a week/ })
      .getByText('1 Experience')
      .waitFor();
  });

  it('works by keyboard alone', async () => {
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'New limit group' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New limit group' }).waitFor();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await page.getByText('By keys created').waitFor();
    expect(await list()).toEqual([expect.objectContaining({ name: 'By keys', max_count: 4, period_hours: 24 })]);
  });

  it('says at the fields what is wrong, and keeps what was typed when Escape is pressed', async () => {
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'New limit group' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New limit group' });
    await dialog.getByLabel('At most', { exact: true }).fill('lots');
    await dialog.getByRole('button', { name: 'Create limit group' }).click();
    await dialog.getByText(/^At most must be a whole number/).waitFor();
    await dialog.getByText(/^Name must/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('At most', { exact: true }).inputValue()).toBe('lots');
  });
});

describe('editing a limit group', () => {
  it('saves what was changed', async () => {
    await add();
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Edit One a day' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit limit group' });
    await dialog.getByLabel('Name').fill('Three a day');
    await dialog.getByLabel('At most', { exact: true }).fill('3');
    await dialog.getByRole('button', { name: 'Save limit group' }).click();
    await page.getByText('Saved: Name, At most').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await list()).toEqual([expect.objectContaining({ name: 'Three a day', max_count: 3 })]);
  });

  it('shows what somebody else has changed, and keeps what was typed', async () => {
    const { id } = await add();
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Edit One a day' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit limit group' });
    await dialog.getByLabel('Name').fill('Mine');
    await dashboard.api.patch(`/v3/edit/limit_groups/${id}`, { period_hours: 48 });
    await dialog.getByRole('button', { name: 'Save limit group' }).click();
    await dialog.getByText('In: was “24 hours”, is now “2 days”').waitFor();
    await takePicture(page, 'limits-conflict-light');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Mine');
    await dialog.getByRole('button', { name: 'Save limit group' }).click();
    await page.getByText('Saved: Name').waitFor();
    expect(await list()).toEqual([expect.objectContaining({ name: 'Mine', period_hours: 48 })]);
  });

  it('says so when it was deleted meanwhile', async () => {
    const { id } = await add();
    const page = await dashboard.open(PATH);
    await page.getByRole('button', { name: 'Edit One a day' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit limit group' });
    await dialog.getByLabel('Name').fill('Mine');
    await dashboard.api.send('DELETE', `/v3/edit/limit_groups/${id}`);
    await dialog.getByRole('button', { name: 'Save limit group' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'This is gone' }).waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Mine');
  });
});

it('deletes a limit group, and takes that back', async () => {
  await add({ max_count: 5 });
  const page = await dashboard.open(PATH);
  await page.getByRole('button', { name: 'Delete One a day' }).click();
  await page.getByText('One a day deleted').waitFor();
  expect(await list()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('One a day is back').waitFor();
  expect(await list()).toEqual([expect.objectContaining({ name: 'One a day', max_count: 5 })]);
});

it('shows each limit of a group on a phone', async () => {
  await add({ max_steps: 12, max_seconds: 600 });
  const page = await dashboard.open(PATH);
  await page.setViewportSize({ width: 375, height: 812 });
  for (const words of ['1 in 24 hours', '12 steps, 600 s'])
    await expect
      .poll(() => page.getByText(words).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBe(0);
});

it('lets a viewer read only', async () => {
  await add();
  const page = await dashboard.open(PATH, { as: 'viewer' });
  await page.getByText('One a day').waitFor();
  expect(await page.getByRole('button', { name: /Create|Edit|Delete/ }).count()).toBe(0);
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { type Dashboard, focused, startDashboard, takePicture } from './browser.ts';
import { hostileName } from './looks.ts';

let dashboard: Dashboard;
let owner: TestAdmin;
let kim: TestAdmin;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  owner = await addSignedIn(dashboard.api, 'owner');
  kim = await addSignedIn(dashboard.api, 'editor');
  await kim.browser.patch('/v3/person', { name: 'Kim Doe' });
});

const steps = [
  { title: 'Welcome to Acme', body: 'This is where **you** begin.', buttons: [{ text: 'Next' }] },
  { title: 'Your projects', body: 'They are all here.', buttons: [{ text: 'Next' }] },
  { title: 'Invite your team', buttons: [{ text: 'Done' }] },
];

interface Tour {
  id: string;
  steps: { id: string; title: string }[];
}

/** Creates a tour that two people have worked on. */
async function makeTour(): Promise<Tour> {
  const { body } = await owner.browser.post('/v3/edit/tours', { name: 'Welcome tour', steps });
  const { tour } = body;
  const path = `/v3/edit/tours/${tour.id}`;
  const [one, two, three] = tour.steps.map(({ id }: { id: string }) => ({ id }));
  const save = async (params: object) =>
    expect((await kim.browser.patch(path, { autosave: true, ...params })).status).toBe(200);
  await owner.browser.patch(path, { published_at: '$now' });
  await save({ steps: [{ ...one, title: 'Welcome to Acme, friend' }, two, three] });
  await save({ steps: [{ ...one, title: 'Welcome to Acme, {{first_name}}' }, two, three] });
  await save({ goal: 'invited' });
  await save({ steps: [three, one, two] });
  return tour;
}

const open = async (tour: Tour, admin = owner) => {
  const page = await dashboard.open(`/app/experiences/${tour.id}/history`, { admin });
  await page.getByRole('listitem').first().waitFor();
  return page;
};
const entry = (page: Page, said: string | RegExp) => page.locator('ol > li').filter({ hasText: said });
const titlesOf = async ({ id }: Tour): Promise<string[]> =>
  (await owner.browser.get(`/v3/edit/tours/${id}`)).body.tour.steps.map(({ title }: { title: string }) => title);

describe('the history', () => {
  it('says in sentences who did what in one sitting, with pictures before and after', async () => {
    const page = await open(await makeTour());
    await entry(page, 'published it').waitFor();
    const sitting = entry(page, 'Kim Doe made 3 changes');
    await sitting.getByText('Changed the title of step 1').waitFor();
    await sitting.getByText('Set the goal').waitFor();
    await sitting.getByText('Moved step 3 before step 1').waitFor();
    expect(await sitting.locator('ins').first().textContent()).toContain('first_name');
    await entry(page, 'You created the tour “Welcome tour”').waitFor();
    const picture = sitting.getByRole('img', { name: 'Step 1 after' }).first();
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  });

  it('goes back to an earlier state, and back again with Undo', async () => {
    const tour = await makeTour();
    const page = await open(tour);
    await entry(page, 'published it')
      .getByRole('button', { name: /^Go back/ })
      .click();
    await page.getByText('The draft is as it was then').waitFor();
    expect(await titlesOf(tour)).toEqual(steps.map(({ title }) => title));
    await entry(page, 'went back to an earlier state').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await page.getByText('The draft is as before').waitFor();
    expect(await titlesOf(tour)).toEqual(['Invite your team', 'Welcome to Acme, {{first_name}}', 'Your projects']);
  });

  it('compares any two versions, by keyboard', async () => {
    const tour = await makeTour();
    await owner.browser.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    await owner.browser.patch(`/v3/edit/tours/${tour.id}`, { name: hostileName });
    const page = await open(tour);
    await page.getByRole('button', { name: 'Compare versions' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Compare versions' });
    await dialog.getByText('Changed the name').waitFor();
    await dialog.getByRole('button', { name: /From$/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await dialog.getByText('Moved step 3 before step 1').waitFor();
    await dialog.getByText('Changed the title of step 1').waitFor();
    await takePicture(page, 'history-compare-light');
    await dialog.getByRole('button', { name: 'Swap' }).click();
    await dialog.getByText('Removed the goal').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('button Compare versions');
  });

  it('opens from another tab, and says that an Experience was never published, or is deleted', async () => {
    const { body } = await owner.browser.post('/v3/edit/tours', { name: hostileName, steps });
    const page = await dashboard.open(`/app/experiences/${body.tour.id}/targeting`, { admin: owner });
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await entry(page, 'You created the tour').waitFor();
    await page.getByRole('button', { name: 'Compare versions' }).click();
    await page.getByText('It was never published').waitFor();
    await page.keyboard.press('Escape');
    await owner.browser.patch(`/v3/edit/tours/${body.tour.id}`, { goal: 'x' });
    await page.reload();
    const back = entry(page, 'You created the tour').getByRole('button', { name: /^Go back/ });
    await back.waitFor();
    await owner.browser.delete(`/v3/edit/tours/${body.tour.id}`);
    await back.click();
    await page.getByText('This is gone').waitFor();
  });

  it('shows a viewer everything and no way to change it', async () => {
    const page = await open(await makeTour(), await addSignedIn(dashboard.api, 'viewer'));
    await entry(page, 'Kim Doe made 3 changes').waitFor();
    expect(await page.getByRole('button', { name: /^Go back/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Compare versions' }).click();
    await page.getByText('Set the goal').last().waitFor();
    expect(await page.getByRole('button', { name: 'Go back to this version' }).count()).toBe(0);
  });
});

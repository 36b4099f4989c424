import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';
import { expectGoodLook, expectGoodLooks, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const PATH = '/app/experiences';
const steps = [{ title: 'Hello' }];
const add = async (name: string, params: object = {}): Promise<string> =>
  (await dashboard.api.post('/v3/edit/tours', { name, steps, ...params })).body.tour.id;
const stateOf = async (id: string) => (await dashboard.api.get(`/v3/edit/tours/${id}`)).body.tour.state;

it('is accessible and fits', async () => {
  await add('Welcome', { published_at: '$now' });
  await add(hostileName);
  const page = await dashboard.open(PATH);
  await page.getByText('2 Experiences').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  await expectGoodLooks(page, 'experiences');
});

it('offers to create the first one', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText('Nothing to see yet').waitFor();
  await expectGoodLook(page, 'experiences-empty-light');
});

it('pauses by the menu of a row, and undo resumes', async () => {
  const id = await add('Welcome', { published_at: '$now' });
  const page = await dashboard.open(PATH);
  await page.getByRole('button', { name: 'Actions for Welcome' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await page.getByText('Paused “Welcome”').waitFor();
  expect(await stateOf(id)).toBe('draft');
  const resumed = page.waitForResponse((response) => response.url().endsWith('/resume'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await resumed;
  expect(await stateOf(id)).toBe('live');
});

it('creates a draft from a template by keyboard, and opens it', async () => {
  const page = await dashboard.open(PATH);
  await page.getByText('Nothing to see yet').waitFor();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /^NPS survey/ }).press('Enter');
  await page.waitForURL(/\/app\/experiences\/[0-9a-f]{24}/);
  const { experiences } = (await dashboard.api.get('/v3/edit/experiences')).body;
  expect(experiences).toMatchObject([{ kind: 'survey', name: 'NPS survey', state: 'draft' }]);
});

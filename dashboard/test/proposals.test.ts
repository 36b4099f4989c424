import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { type Dashboard, startDashboard } from './browser.ts';
import { expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
let admin: TestAdmin;
let as: { account_secret: string };
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  const { api } = dashboard;
  await api.replaceAccounts();
  admin = await addSignedIn(api, 'owner');
  const { secret } = (await api.post('/v3/edit/secrets', { name: 'Writing assistant', scope: 'propose' })).body;
  as = { account_secret: secret.secret };
});

const steps = [
  { title: 'Your reports', body: 'They are **here** now.', buttons: [{ text: 'Next' }] },
  { title: 'Share them', body: 'With anybody.', buttons: [{ text: 'Got it' }] },
];
const propose = async (path: string, params: object) =>
  (await dashboard.api.post(`/v3/edit/${path}/proposals`, params, { as })).body.proposal;
const open = (path: string) => dashboard.open(path, { admin });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const listTours = async () => (await dashboard.api.get('/v3/edit/tours')).body.tours;

it('leads from Home to a proposal, shows what it is, and publishes it', async () => {
  await propose('tours', { name: 'Find the reports', note: 'New users look for them', steps });
  const page = await open('/app');
  await page.getByText('A proposal waits for you: “Find the reports”').waitFor();
  await page.getByRole('link', { name: 'Open proposals' }).click();
  await page.getByRole('row', { name: /Find the reports/ }).waitFor();
  await page.getByRole('link', { name: 'Find the reports' }).click();
  await page.getByText('New users look for them').waitFor();
  await page.getByText(/By “Writing assistant”, for/).waitFor();
  await page.getByText('It was never published. Users see all of it for the first time.').waitFor();
  await page.locator('iframe[data-painted]').nth(1).waitFor();
  await expectGoodLooks(page, 'proposal-new');
  await press(page, 'Approve and publish');
  await page.getByText('Published “Find the reports”').waitFor();
  await page.getByText('Approved', { exact: true }).waitFor();
  expect(await listTours()).toMatchObject([{ name: 'Find the reports', state: 'live' }]);
});

it('shows what a change changes, and takes it as a draft', async () => {
  const { api } = dashboard;
  const { tour } = (await api.post('/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' })).body;
  await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Welcome, draft' });
  const proposal = await propose(`tours/${tour.id}`, { name: 'Hello' });
  const page = await open(`/app/proposals/${proposal.id}`);
  await page.getByRole('group', { name: 'What it changes in the draft' }).getByText('Welcome, draft').first().waitFor();
  await page.getByRole('group', { name: 'What changes', exact: true }).getByText('Hello').first().waitFor();
  await press(page, 'Take as draft');
  await page.getByText('“Hello” is a draft now').waitFor();
  expect((await api.get(`/v3/edit/tours/${tour.id}`)).body.tour).toMatchObject({
    name: 'Hello',
    has_unpublished_changes: true,
  });
});

it('rejects with a reason, and says afterwards what was decided', async () => {
  const proposal = await propose('tours', { name: 'Too loud', steps });
  const page = await open('/app/experiences');
  await page.getByText('1 proposal waits for you.').waitFor();
  await page.getByRole('link', { name: 'Open proposals' }).click();
  await page.getByRole('link', { name: 'Too loud' }).click();
  await press(page, 'Reject…');
  const dialog = page.getByRole('dialog', { name: 'Reject proposal' });
  await dialog.getByRole('button', { name: 'Reject proposal' }).click();
  await dialog.getByText('Say why, in a sentence.').waitFor();
  await dialog.getByLabel('Why?').fill('No one asked for it');
  await expectGoodLooks(page, 'proposal-reject');
  await dialog.getByRole('button', { name: 'Reject proposal' }).click();
  await page.getByText('Rejected “Too loud”').waitFor();
  await page.getByRole('link', { name: 'Too loud' }).click();
  await page.getByText('Rejected by Kim owner').waitFor();
  await page.getByText('No one asked for it').waitFor();
  await expectGoodLooks(page, 'proposal-rejected');
  expect((await dashboard.api.get(`/v3/edit/proposals/${proposal.id}`, { as })).body.proposal.reason).toBe(
    'No one asked for it',
  );
});

it('does not approve what the person has not seen', async () => {
  const proposal = await propose('tours', { name: 'First words', steps });
  const page = await open(`/app/proposals/${proposal.id}`);
  await page.getByRole('button', { name: 'Approve and publish' }).waitFor();
  await dashboard.api.patch(`/v3/edit/proposals/${proposal.id}`, { name: 'Other words' }, { as });
  await press(page, 'Approve and publish');
  await page.getByText(/This proposal has changed since you saw it/).waitFor();
  expect(await listTours()).toEqual([]);
  // The page shows the newer one now.
  await page.getByRole('heading', { name: 'Other words' }).waitFor();
});

it('cannot be approved after the draft has changed, and says why', async () => {
  const { api } = dashboard;
  const { tour } = (await api.post('/v3/edit/tours', { name: 'Welcome', steps })).body;
  const proposal = await propose(`tours/${tour.id}`, { name: 'Hello' });
  await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Mine' });
  const page = await open(`/app/proposals/${proposal.id}`);
  await page.getByText('The draft has changed since').waitFor();
  expect(await page.getByRole('button', { name: 'Approve and publish' }).isDisabled()).toBe(true);
  await expectGoodLooks(page, 'proposal-outdated');
});

it('lets viewers look only', async () => {
  const proposal = await propose('tours', { name: 'Reports', steps });
  const viewer = await addSignedIn(dashboard.api, 'viewer');
  const page = await dashboard.open(`/app/proposals/${proposal.id}`, { admin: viewer });
  await page.getByText('You may only look. An editor or an owner approves or rejects it.').waitFor();
  expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StepChecker } from '../../server/src/features/results/failing-steps/step-checker.ts';
import { loadPage } from '../../server/test/open-page.ts';
import { type Dashboard, startDashboard } from './browser.ts';
import { tabTo } from './by-hand.ts';
import { startCustomerSite } from './customer-site.ts';
import { addExperience, readExperience, settings } from './editor-page.ts';
import { expectGoodLooks, hostileName } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const sentence =
  /^Step 2 did not find its element for 63% of 41 people in 24 hours, most often on \/billing in Safari\./;

/** Creates a tour. Its first step is on the screen, and the second one at an element that the page does not have. */
const addTour = (name = 'Billing tour') =>
  addExperience(dashboard, 'tour', {
    name,
    published_at: '$now',
    steps: [
      { title: 'Hello', buttons: [{ text: 'Next', tour_action: 'next' }] },
      { title: 'Pay here', position_type: 'snap_to_element', elements: [{ selector: '#pay' }] },
    ],
  });

/**
 * A user of the site comes to the second step in a browser with the name of Safari. The real script reports the
 * problem.
 */
async function missInBrowser(href: string): Promise<void> {
  const context = await dashboard.browser.newContext({ userAgent: SAFARI, reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const reported = page.waitForRequest((request) => request.postData()?.includes('"problem"') ?? false);
  await page.goto(href);
  await page.waitForFunction(() => 'identify' in (window as unknown as { usher: object }).usher);
  await page.evaluate(() => Reflect.get(window, 'usher').identify('in a browser'));
  await page.getByRole('button', { name: 'Next' }).click();
  await (await reported).response();
}

/** Sends the reports of other users who come to the second step, without browsers. */
async function report(id: string, href: string, people: number, problem?: object): Promise<void> {
  const { api } = dashboard;
  const { steps } = await readExperience(dashboard, id);
  for (let index = 0; index < people; index++) {
    const { token } = await loadPage(api, `${problem ? 'missed' : 'saw'} ${index}`, { href });
    const params = { visit_token: token, experience_id: id, step_id: steps[1].id, href, ...(problem && { problem }) };
    const headers = problem ? { 'User-Agent': SAFARI } : {};
    const { status, body } = await api.post('/v3/observe/interactions', params, { as: null, headers });
    expect([status, body.messages]).toEqual([200, undefined]);
  }
}

/** Makes the second step fail: 26 of 41 people do not see it. */
async function failStep(id: string, { oneInBrowser = false } = {}): Promise<void> {
  const { api } = dashboard;
  await api.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  const site = await startCustomerSite(
    () => `<script src="${api.url}/script/${api.account.account_token}.js"></script>`,
  );
  const href = `${site.url}/billing`;
  if (oneInBrowser) await missInBrowser(href);
  await report(id, href, oneInBrowser ? 25 : 26, { reason: 'not_found' });
  await report(id, href, 15);
  // Only people who were known before count, so the findings are marked as theirs.
  const { account_id } = api.account;
  await api.app.storage.write(account_id, (db) =>
    db.updateTable('findings').set({ is_known: true }).where('account_id', '=', account_id).execute(),
  );
  const checker = new StepChecker(api.app, (error) => {
    throw error;
  });
  await checker.run();
  await checker.stop();
}

const notice = (page: Page) => page.getByText(sentence);
const dialog = (page: Page) => page.getByRole('dialog');

describe('a step that most people do not see', () => {
  it('is on the Experience with where it fails, and "Pick again" opens the picker on that page, accessibly', async () => {
    const id = await addTour();
    await failStep(id, { oneInBrowser: true });
    const page = await dashboard.open(`/app/experiences/${id}`);
    await notice(page).waitFor();
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByRole('button', { name: 'Pay here' }).getByText('Its element is not found').waitFor();
    expect(await steps.getByText('Its element is not found').count()).toBe(1);
    await steps.getByRole('button', { name: 'Pay here' }).click();
    await settings(page).getByText('Not found for 63% of 41 people in 24 hours').waitFor();
    await expectGoodLooks(page, 'failing-step', 'main');

    await page.getByRole('link', { name: 'Pick the element of step 2 again' }).click();
    await dialog(page).waitFor();
    expect(await dialog(page).getByRole('combobox', { name: 'Page' }).inputValue()).toContain('/billing');
  });

  it('is in the list and on Home, from which the keyboard leads to the picker', async () => {
    const id = await addTour(hostileName);
    await failStep(id);
    const page = await dashboard.open('/app/experiences');
    await page.getByText('A step does not show').waitFor();
    await expectGoodLooks(page, 'failing-step-list', 'main');

    await page.goto(`${dashboard.api.url}/app`);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(sentence).waitFor();
    await expectGoodLooks(page, 'failing-step-home', 'main');
    await tabTo(page, attention.getByRole('link', { name: 'Pick again' }));
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/experiences/${id}`);
  });

  it('is shown to viewers without the way to change it', async () => {
    const id = await addTour();
    await failStep(id);
    const page = await dashboard.open(`/app/experiences/${id}`, { as: 'viewer' });
    await notice(page).waitFor();
    expect(await page.getByRole('link', { name: /again/ }).count()).toBe(0);
    await page.goto(`${dashboard.api.url}/app`);
    await page.getByRole('link', { name: 'Open the Experience' }).click();
    await notice(page).waitFor();
  });

  it('is not shown any more once another version is published', async () => {
    const id = await addTour();
    await failStep(id);
    const page = await dashboard.open(`/app/experiences/${id}`);
    await notice(page).waitFor();
    await dashboard.api.patch(`/v3/edit/tours/${id}`, { name: 'Billing again', published_at: '$now' });
    await page.reload();
    await page.getByRole('heading', { name: 'Billing again' }).waitFor();
    await expect.poll(() => notice(page).count()).toBe(0);
  });
});

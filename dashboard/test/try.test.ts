import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, startDashboard } from './browser.ts';
import { tabTo } from './by-hand.ts';
import { startCustomerSite } from './customer-site.ts';
import { addExperience, field, readExperience, saveNow, twoSteps } from './editor-page.ts';
import { expectGoodLook, expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
let site: { url: string };
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  await dashboard.api.post('/v3/edit/urls', { host: 'localhost', enabled: 'on' });
  site = await startCustomerSite(() => '');
});
afterAll(() => dashboard.stop());

const dialog = (page: Page) => page.getByRole('dialog');
const tryButton = (page: Page) => page.getByRole('button', { name: 'Try on site' });
const openTour = async () => dashboard.open(`/app/experiences/${await addExperience(dashboard)}`);

/** Opens the page that is chosen in the dialog. Returns the new tab, and the request that was sent to the server. */
async function openPage(page: Page): Promise<{ tab: Page; sent: Record<string, unknown> }> {
  const opened = page.context().waitForEvent('page');
  const created = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/picks'));
  await dialog(page).getByRole('button', { name: 'Open page' }).click();
  const tab = await opened;
  await tab.waitForURL(/^http/);
  return { tab, sent: (await created).postDataJSON() };
}

/** Opens the pick as the script does. */
async function exchange(tab: Page) {
  const { api } = dashboard;
  const key = /#usher-pick=([\w-]+)/.exec(tab.url())?.[1];
  const params = { account_token: api.account.account_token, key, href: `${site.url}/` };
  return api.post('/v3/observe/picks', params, { as: null, headers: { Origin: site.url } });
}

describe('trying a draft', () => {
  it('saves the draft first, opens the page at the open step, and shows the progress', async () => {
    const page = await openTour();
    await page.getByRole('region', { name: 'Steps' }).getByText('Goodbye').first().click();
    await field(page, 'Title').fill('See you');
    await tryButton(page).click();
    await expectGoodLooks(page, 'try-page', '[role=dialog]');
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill(site.url);
    const { tab, sent } = await openPage(page);
    expect(sent).toMatchObject({ purpose: 'try', href: `${site.url}/` });
    expect(sent.profile_id).toBeUndefined();
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await dialog(page).getByText('Waiting for the page to open…').waitFor();
    await dialog(page).getByText('Nothing happens there?').click();
    await dialog(page)
      .getByText(/^[A-Z\d]{4}-[A-Z\d]{4}$/)
      .waitFor();
    await expectGoodLooks(page, 'try-waiting', '[role=dialog]');
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await expectGoodLook(page, 'try-waiting-rtl', '[role=dialog]');
    await page.evaluate(() => document.documentElement.removeAttribute('dir'));
    const { body } = await exchange(tab);
    expect(body.pick).toMatchObject({ purpose: 'try', step: { number: 2, title: 'See you' } });
    await dialog(page).getByText('The page is open. Press “Begin” in its bar.').waitFor();
    await expectGoodLook(page, 'try-opened', '[role=dialog]');
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog(page).waitFor({ state: 'hidden' });
    // The dialog remembers the page.
    await tryButton(page).click();
    expect(await dialog(page).getByRole('combobox', { name: 'Page' }).inputValue()).toBe(`${site.url}/`);
  });

  it('shows the draft on a site with the script, and counts nothing', async () => {
    const { api } = dashboard;
    const source = `${api.url}/script/${api.account.account_token}.js`;
    site = await startCustomerSite(() => `<script src="${source}"></script><script>usher.identify('u-1')</script>`);
    const id = await addExperience(dashboard);
    const page = await dashboard.open(`/app/experiences/${id}`);
    await field(page, 'Title').fill('Only in the draft');
    await saveNow(page);
    await tryButton(page).click();
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill(site.url);
    const { tab } = await openPage(page);
    const reports: string[] = [];
    tab.on('request', (request) => {
      if (request.method() === 'POST' && !/\/(visits|picks)\b/.test(request.url())) reports.push(request.url());
    });
    const bar = tab.getByRole('region', { name: 'Usher picker' });
    await bar.getByRole('button', { name: 'Begin' }).click();
    const step = tab.getByRole('dialog', { name: 'Only in the draft' });
    await step.waitFor();
    await step.getByRole('button', { name: 'Next' }).click();
    await tab.getByRole('dialog', { name: 'Goodbye' }).getByRole('button', { name: 'Done' }).click();
    await bar.getByText('The tour has ended').waitFor();
    await bar.getByRole('button', { name: 'End', exact: true }).click();
    await bar.waitFor({ state: 'detached' });
    expect(reports).toEqual([]);
    expect((await readExperience(dashboard, id)).stats).toMatchObject({
      started_count: 0,
      displayed_count: 0,
      completed_count: 0,
    });
  });

  it('plays the draft as a person who is found by email, by keyboard alone', async () => {
    const { api } = dashboard;
    await api.post('/v3/observe/hooks/profiles', { uid: 'u-1', email: 'ann@acme.test', first_name: 'Ann' });
    const { body } = await api.get('/v3/analyze/profiles');
    const page = await openTour();
    await tabTo(page, tryButton(page));
    await page.keyboard.press('Enter');
    await tabTo(page, dialog(page).getByRole('combobox', { name: 'Page' }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(site.url);
    await tabTo(page, dialog(page).getByRole('radio', { name: 'Myself' }));
    await page.keyboard.press('ArrowDown');
    await tabTo(page, dialog(page).getByRole('combobox', { name: 'Person' }));
    await page.keyboard.type('ann@');
    await page.getByRole('option', { name: /ann@acme.test/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectGoodLook(page, 'try-person', '[role=dialog]');
    const created = page.waitForRequest((request) => request.url().endsWith('/picks'));
    await tabTo(page, dialog(page).getByRole('button', { name: 'Open page' }));
    await page.keyboard.press('Enter');
    expect((await created).postDataJSON()).toMatchObject({ purpose: 'try', profile_id: body.profiles[0].id });
    await dialog(page).getByText('Waiting for the page to open…').waitFor();
  });

  it('ends the pick on request, so that the page gets nothing anymore', async () => {
    const page = await openTour();
    await tryButton(page).click();
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill(site.url);
    const { tab } = await openPage(page);
    const ended = page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok());
    await dialog(page).getByRole('button', { name: 'Stop trying' }).click();
    await ended;
    await dialog(page).getByRole('button', { name: 'Open page' }).waitFor();
    expect((await exchange(tab)).status).toBe(403);
  });

  it('says that a domain is off, and closes the empty tab', async () => {
    const page = await openTour();
    await tryButton(page).click();
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill('https://other.test/');
    const opened = page.context().waitForEvent('page');
    await dialog(page).getByRole('button', { name: 'Open page' }).click();
    const tab = await opened;
    await dialog(page).getByRole('link', { name: 'Show domains' }).waitFor();
    await expect.poll(() => tab.isClosed()).toBe(true);
  });

  it('is not offered to somebody who may only look', async () => {
    const id = await addExperience(dashboard, 'tour', { steps: twoSteps });
    const page = await dashboard.open(`/app/experiences/${id}`, { as: 'viewer' });
    await page.getByRole('region', { name: 'Settings' }).waitFor();
    expect(await tryButton(page).count()).toBe(0);
  });
});

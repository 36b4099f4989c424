import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LOOK } from '../../server/test/picking.ts';
import { type Dashboard, startDashboard } from './browser.ts';
import { startCustomerSite } from './customer-site.ts';
import { expectGoodLooks } from './looks.ts';

/* The test does what the script would do on the page, so that only the dashboard is tested. */

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
// The icon at the top of a dialog is named "Close", too.
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name }).last().click();

/** Opens the dialog and the page. Returns a function that sends what was taken there. */
async function openPage(page: Page): Promise<(looks: object) => Promise<void>> {
  const { api } = dashboard;
  await page.getByRole('button', { name: 'Take it from your page' }).click();
  await dialog(page).getByRole('combobox', { name: 'Page' }).fill(site.url);
  const opened = page.context().waitForEvent('page');
  await press(page, 'Open page');
  const tab = await opened;
  await tab.waitForURL(/usher-pick/);
  await dialog(page).getByText('Waiting for the page to open…').waitFor();
  const options = { as: null, headers: { Origin: site.url } };
  const key = /#usher-pick=([\w-]+)/.exec(tab.url())?.[1];
  const href = `${site.url}/`;
  const open = { account_token: api.account.account_token, key, href };
  const { pick } = (await api.post('/v3/observe/picks', open, options)).body;
  await tab.close();
  return async (looks) => {
    const sent = { pick_token: pick.token, href, looks };
    expect((await api.post('/v3/observe/picks/looks', sent, options)).status).toBe(200);
  };
}

async function openTheme(): Promise<{ page: Page; read: () => Promise<Record<string, unknown>> }> {
  const { api } = dashboard;
  const path = `/v3/edit/themes/${(await api.post('/v3/edit/themes', { name: 'Brand' })).body.theme.id}`;
  const page = await dashboard.open(path.replace('/v3/edit', '/app'));
  return { page, read: async () => (await api.get(path)).body.theme };
}
const card = { ...LOOK, color: '222222', background: 'ffffff', border_width: 1, border_color: 'dddddd', shadow: 4 };

describe('taking a theme from a page', () => {
  it('shows what was taken, warns of what is hard to read, and proposes the fields', async () => {
    const { page, read } = await openTheme();
    const send = await openPage(page);
    await dialog(page).getByText('The page is open').waitFor();
    const button = { ...LOOK, background: 'ffe000' };
    await send({ light: { button, heading: card, card }, dark: { button: { ...LOOK, background: '88ddbb' } } });
    await dialog(page).getByText('Taken from your page').waitFor();
    const light = dialog(page).getByRole('region', { name: 'Light' });
    expect(await light.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Button.*#ffe000, #ffffff, Inter, 14 px, 600, radius 4 px$/),
      expect.stringMatching(/^Heading.*#222222, Inter, 14 px, 600$/),
      expect.stringMatching(/^Card.*#ffffff, #222222, #dddddd, Inter, 14 px, 600, radius 4 px, small shadow$/),
      'LinkSkipped',
    ]);
    await dialog(page).getByText('Some colors are hard to read').waitFor();
    await expectGoodLooks(page, 'take-from-page');
    await press(page, 'Use these');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(read).toMatchObject({
      ...{ style_color_button_highlight: 'ffe000', style_dark_color_button_highlight: '88ddbb' },
      ...{ style_shadow: 'small', style_button_radius: '4', style_font: 'Inter, sans-serif' },
    });
  });

  it('keeps what was taken while the dialog is closed, and discards it', async () => {
    const { page, read } = await openTheme();
    const send = await openPage(page);
    await press(page, 'Close');
    await send({ light: { card } });
    await page.getByRole('button', { name: 'Show what you took' }).click();
    await dialog(page).getByText('Not taken.').waitFor();
    await press(page, 'Discard');
    await page.getByRole('button', { name: 'Take it from your page' }).waitFor();
    expect(await read()).toMatchObject({ style_shadow: null, style_radius: null });
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { tabTo } from './by-hand.ts';
import { startCustomerSite } from './customer-site.ts';
import { addExperience, field, readExperience, saveNow, settings } from './editor-page.ts';
import { expectGoodLooks, hostileName } from './looks.ts';

/* The pages here have no script of Usher: the test does what the script would, so that only the dashboard is tested. */

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
const pickButton = (page: Page) => settings(page).getByRole('button', { name: 'Pick on your page' });

/** Its step stands on the screen until an element is picked. */
const addTour = () => addExperience(dashboard, 'tour', { steps: [{ title: 'Hello' }] });
const ended = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok());

async function openTour(id: string): Promise<Page> {
  const page = await dashboard.open(`/app/experiences/${id}`);
  await pickButton(page).waitFor();
  return page;
}

/** Types the address and opens the page. Returns the new tab. */
async function openPage(page: Page, address: string): Promise<Page> {
  await dialog(page).getByRole('combobox', { name: 'Page' }).fill(address);
  const opened = page.context().waitForEvent('page');
  await dialog(page).getByRole('button', { name: 'Open page' }).click();
  const tab = await opened;
  await tab.waitForLoadState();
  return tab;
}

const element = { selector: '[data-testid="save"]' };
const result = {
  elements: [element, { selector: 'button', text: 'Save' }],
  candidates: [
    { ...element, score: 100, kind: 'token', matches: 1 },
    { selector: 'button', text: 'Save', score: 40, kind: 'text', matches: 1 },
    { selector: 'main > button:nth-of-type(2)', score: 5, kind: 'positional', matches: 1 },
  ],
  attribute: 'data-usher="save"',
  box: { x: 40, y: 80, width: 90, height: 32 },
  wireframe: {
    width: 800,
    height: 500,
    boxes: [
      { x: 0, y: 0, width: 800, height: 56, fill: '#1f2937' },
      { x: 24, y: 16, width: 120, height: 24, text: 'Acme', color: '#ffffff' },
      { x: 40, y: 80, width: 90, height: 32, fill: '#2563eb' },
      { x: 60, y: 86, width: 50, height: 20, text: 'Save', color: '#ffffff' },
      { x: 40, y: 80, width: 90, height: 32, target: true },
    ],
  },
};

/** Opens the pick as the script does, with the key in the address of the tab. Returns what sends a result. */
async function exchange(tab: Page): Promise<(changes?: object) => Promise<void>> {
  const { api } = dashboard;
  const options = { as: null, headers: { Origin: site.url } };
  const key = new URL(tab.url()).hash.replace('#usher-pick=', '');
  const href = `${site.url}/`;
  const params = { account_token: api.account.account_token, key, href };
  const { status, body } = await api.post('/v3/observe/picks', params, options);
  expect([status, body.messages]).toEqual([200, undefined]);
  return async (changes = {}) => {
    const pick_token = body.pick.token;
    const sent = { pick_token, href, title: 'Acme', result: { ...result, ...changes } };
    const response = await api.post('/v3/observe/picks/result', sent, options);
    expect([response.status, response.body.messages]).toEqual([200, undefined]);
  };
}

const elementsOf = async (id: string) => (await readExperience(dashboard, id)).steps[0].elements;

describe('picking an element', () => {
  it('shows what was picked, and stores it only when somebody says so', async () => {
    const id = await addTour();
    const page = await openTour(id);
    await pickButton(page).click();
    const tab = await openPage(page, site.url);
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await dialog(page).getByText('Waiting for the page to open…').waitFor();
    const send = await exchange(tab);
    await dialog(page).getByText('The page is open. Pick an element there.').waitFor();
    await send();
    await dialog(page)
      .getByRole('img', { name: 'Sketch of the page. The picked element, “Save”, is marked.' })
      .waitFor();
    // Enter does nothing: nobody has asked for the result yet.
    expect(await focused(page)).toBe('h3 Picked element');
    await expectGoodLooks(page, 'pick-result', '[role=dialog]');
    expect(await elementsOf(id)).toEqual([]);
    const isEnded = ended(page);
    await dialog(page).getByRole('button', { name: 'Use these' }).click();
    await isEnded;
    await expect.poll(() => field(page, 'CSS selector').inputValue()).toBe('[data-testid="save"]');
    await saveNow(page);
    expect(await elementsOf(id)).toMatchObject([element, { selector: 'button', text: 'Save' }]);
    // The page cannot send anything anymore.
    await expect(send()).rejects.toThrow();
    await page.keyboard.press('Control+z');
    await expect.poll(() => field(page, 'CSS selector').count()).toBe(0);
  });

  it('works by keyboard alone, and keeps the pick when the tab is closed', async () => {
    const id = await addTour();
    const page = await openTour(id);
    await tabTo(page, pickButton(page));
    await page.keyboard.press('Enter');
    await tabTo(page, dialog(page).getByRole('combobox', { name: 'Page' }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(site.url);
    const opened = page.context().waitForEvent('page');
    await tabTo(page, dialog(page).getByRole('button', { name: 'Open page' }));
    await page.keyboard.press('Enter');
    const send = await exchange(await opened);
    await dialog(page).getByText('The page is open. Pick an element there.').waitFor();
    await page.keyboard.press('Escape');
    await settings(page).getByText('Waiting for your pick').waitFor();
    await page.reload();
    await settings(page).getByText('Waiting for your pick').waitFor();
    await page.goto(`${dashboard.api.url}/app`);
    await send();
    await page.goto(`${dashboard.api.url}/app/experiences/${id}`);
    await settings(page).getByText('You picked an element').waitFor();
    await tabTo(page, settings(page).getByRole('button', { name: 'Look at it' }));
    await page.keyboard.press('Enter');
    await tabTo(page, dialog(page).getByRole('checkbox', { name: /nth-of-type/ }));
    await page.keyboard.press('Space');
    await tabTo(page, dialog(page).getByRole('button', { name: 'Use these' }));
    await page.keyboard.press('Enter');
    await saveNow(page);
    expect(await elementsOf(id)).toHaveLength(3);
    expect(await settings(page).getByText('You picked an element').count()).toBe(0);
  });

  it('asks the server if its events do not arrive', async () => {
    const page = await openTour(await addTour());
    await page.route('**/events', (route) => route.abort());
    await pickButton(page).click();
    const send = await exchange(await openPage(page, site.url));
    await send();
    await dialog(page).getByText('Picked element').waitFor();
  });

  it('shows hostile texts of a page as text', async () => {
    const page = await openTour(await addTour());
    await pickButton(page).click();
    const send = await exchange(await openPage(page, site.url));
    const text = hostileName.slice(0, 150);
    const box = { x: 0, y: 0, width: 300, height: 30 };
    await send({
      elements: [{ text }],
      candidates: [{ text, score: 30, kind: 'text', matches: 1 }],
      attribute: `data-usher="</code><script>alert(1)</script>"`,
      wireframe: {
        width: 400,
        height: 200,
        boxes: [
          { ...box, text },
          { ...box, target: true },
        ],
      },
    });
    await dialog(page).getByText(`“${text}”`).waitFor();
    expect(await dialog(page).locator('img, script').count()).toBe(0);
    await expectGoodLooks(page, 'pick-hostile', '[role=dialog]');
  });
});

describe('when it cannot work', () => {
  it('says that a domain is off', async () => {
    const page = await openTour(await addTour());
    await pickButton(page).click();
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill('https://other.test/');
    await dialog(page).getByRole('button', { name: 'Open page' }).click();
    await dialog(page)
      .getByRole('alert')
      .getByText(/domains/)
      .waitFor();
    await dialog(page).getByRole('link', { name: 'Show domains' }).waitFor();
  });

  it('shows a code for pages with an older snippet, and ends the pick on request', async () => {
    const page = await openTour(await addTour());
    await pickButton(page).click();
    const tab = await openPage(page, site.url);
    await dialog(page).getByText('Nothing happens there?').click();
    await dialog(page)
      .getByText(/^[A-Z\d]{4}-[A-Z\d]{4}$/)
      .waitFor();
    await expectGoodLooks(page, 'pick-waiting', '[role=dialog]');
    const isEnded = ended(page);
    await dialog(page).getByRole('button', { name: 'Stop picking' }).click();
    await isEnded;
    await dialog(page).getByRole('button', { name: 'Open page' }).waitFor();
    await expect(exchange(tab)).rejects.toThrow();
  });

  it('takes a pasted selector, which a command for the console finds', async () => {
    const id = await addTour();
    const page = await openTour(id);
    await pickButton(page).click();
    await dialog(page).getByRole('button', { name: 'My page cannot be opened here' }).click();
    const command = await dialog(page)
      .getByRole('figure')
      .filter({ hasText: 'Command for the console' })
      .locator('pre')
      .innerText();
    expect(command).not.toContain('\n');
    const tab = await page.context().newPage();
    await tab.goto(site.url);
    const asked = tab.waitForEvent('dialog');
    await tab.evaluate(command);
    void tab.getByRole('heading', { name: 'Acme' }).click();
    const prompt = await asked;
    expect(prompt.message()).toContain('Matches 1.');
    const selector = prompt.defaultValue();
    await prompt.dismiss();
    expect(await tab.locator(selector).innerText()).toBe('Acme');
    const typed = dialog(page).getByRole('textbox', { name: 'CSS selector' });
    await typed.fill('h1[');
    await dialog(page).getByText('This is no CSS selector that browsers understand.').waitFor();
    await typed.fill('#acme');
    await dialog(page).getByText('Survives a redeploy').waitFor();
    await typed.fill(selector);
    await dialog(page)
      .getByText(`document.querySelectorAll(${JSON.stringify(selector)}).length`)
      .waitFor();
    await expectGoodLooks(page, 'pick-manual', '[role=dialog]');
    await dialog(page).getByRole('button', { name: 'Use this selector' }).click();
    await saveNow(page);
    expect(await elementsOf(id)).toMatchObject([{ selector }]);
  });

  it('is not offered to somebody who may only look', async () => {
    const page = await dashboard.open(`/app/experiences/${await addTour()}`, { as: 'viewer' });
    await settings(page).getByRole('heading', { name: 'Where' }).waitFor();
    expect(await pickButton(page).count()).toBe(0);
  });
});

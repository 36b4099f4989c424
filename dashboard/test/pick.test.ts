import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { tabTo } from './by-hand.ts';
import { startCustomerSite } from './customer-site.ts';
import { addExperience, field, readExperience, saveNow, settings } from './editor-page.ts';
import { expectGoodLook, expectGoodLooks, hostileName } from './looks.ts';

/*
 * The pages here have no script of Usher. The test does what the script would do, so that only the dashboard is tested.
 */

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

/** Creates a tour whose step is on the screen until an element is picked. */
const addTour = () => addExperience(dashboard, 'tour', { steps: [{ title: 'Hello' }] });
const ended = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok());

async function openTour(id: string): Promise<Page> {
  const page = await dashboard.open(`/app/experiences/${id}`);
  await pickButton(page).first().waitFor();
  return page;
}

/** Types the address and opens the page. Returns the new tab. */
async function openPage(page: Page, address: string): Promise<Page> {
  await dialog(page).getByRole('combobox', { name: 'Page' }).fill(address);
  const opened = page.context().waitForEvent('page');
  await dialog(page).getByRole('button', { name: 'Open page' }).click();
  const tab = await opened;
  await tab.waitForURL(/^http/);
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

/**
 * Opens the pick as the script does, with the key in the address of the tab. Returns a function that sends a result.
 */
async function exchange(tab: Page): Promise<(changes?: object) => Promise<void>> {
  const { api } = dashboard;
  const options = { as: null, headers: { Origin: site.url } };
  const key = /#usher-pick=([\w-]+)/.exec(tab.url())?.[1];
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

/** Runs the command like a person who pastes it into the console, which the policy of the page does not stop. */
async function runInConsole(tab: Page, expression: string): Promise<void> {
  const session = await tab.context().newCDPSession(tab);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression, includeCommandLineAPI: true });
  expect(exceptionDetails).toBeUndefined();
}

/** Expects that a box is close to its element. */
async function expectBeside(box: Locator, target: Locator): Promise<void> {
  const [one, other] = [await box.boundingBox(), await target.boundingBox()];
  if (!one || !other) throw new Error('Nothing is painted');
  const gap = Math.max(one.x - other.x - other.width, one.y - other.y - other.height, other.x - one.x - one.width);
  expect(gap).toBeLessThan(30);
}

const elementsOf = async (id: string) => (await readExperience(dashboard, id)).steps[0].elements;

const sketch = {
  ...{ width: 800, height: 500, colors: ['f8fafc', '1f2937', '2563eb', 'ffffff'], target: [40, 80, 90, 32] },
  boxes: [
    [0, 0, 0, 800, 56, 1],
    [1, 24, 16, 120, 24],
    [0, 40, 140, 700, 320, 3],
    [2, 40, 80, 90, 32, 2],
    [1, 60, 86, 50, 20],
    [3, 60, 160, 200, 140],
    [1, 280, 170, 400, 18],
    [1, 280, 200, 340, 18],
    [4, 280, 240, 300, 36],
  ],
};

describe('picking an element', () => {
  it('shows the step in a sketch of the page, until the step has another element', async () => {
    const id = await addTour();
    const page = await openTour(id);
    const preview = page.frameLocator('iframe:not([inert])');
    await preview.locator('.heading').waitFor();
    await pickButton(page).click();
    const send = await exchange(await openPage(page, site.url));
    await send({ sketch, elements: [element], candidates: result.candidates.slice(0, 1) });
    const kept = page.waitForResponse((response) => response.url().endsWith('/sketch') && response.ok());
    await dialog(page).getByRole('button', { name: 'Use this' }).click();
    await kept;
    const target = preview.locator('.sketch-target');
    await target.waitFor();
    expect(await preview.locator('.sketch > *').count()).toBe(sketch.boxes.length + 1);
    expect(await preview.locator('.sketch').textContent()).toBe('');
    await expectBeside(preview.locator('.box'), target);
    await field(page, 'CSS selector').fill('#other');
    await saveNow(page);
    await target.waitFor({ state: 'detached' });
  });

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
    // The focus is on the heading, so Enter does nothing: the result is not requested yet.
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
    await page.keyboard.insertText(site.url);
    const opened = page.context().waitForEvent('page');
    await tabTo(page, dialog(page).getByRole('button', { name: 'Open page' }));
    await page.keyboard.press('Enter');
    const tab = await opened;
    await tab.waitForURL(/^http/);
    const send = await exchange(tab);
    await dialog(page).getByText('The page is open. Pick an element there.').waitFor();
    await page.bringToFront();
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
    await expectGoodLook(page, 'pick-hostile', '[role=dialog]');
  });

  it('warns before an element is used that only its place finds, and offers an attribute', async () => {
    const id = await addTour();
    const page = await openTour(id);
    await pickButton(page).click();
    const send = await exchange(await openPage(page, site.url));
    const placed = { selector: 'main > button:nth-of-type(2)' };
    const candidates = [{ ...placed, score: 5, kind: 'positional', matches: 1 }];
    await send({ elements: [placed], candidates });
    await dialog(page).getByText('This will break when the page changes').waitFor();
    expect(
      await dialog(page)
        .getByRole('button', { name: /^Use th/ })
        .count(),
    ).toBe(0);
    await expectGoodLook(page, 'pick-positional', '[role=dialog]');
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await expectGoodLook(page, 'pick-positional-rtl', '[role=dialog]');
    await dialog(page)
      .getByRole('figure')
      .filter({ hasText: 'For your developers' })
      .getByRole('button', { name: 'Copy' })
      .click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('data-usher="save"');
    await dialog(page).getByRole('button', { name: 'Use it anyway' }).click();
    await saveNow(page);
    expect(await elementsOf(id)).toMatchObject([placed]);
  });

  it('names the language of the page that a text depends on', async () => {
    const page = await openTour(await addTour());
    await pickButton(page).click();
    const send = await exchange(await openPage(page, site.url));
    await send({ language: 'de' });
    await dialog(page).getByText('Depends on German text').waitFor();
  });

  it('begins at the step and the page of a link', async () => {
    const steps = [{ title: 'Hello' }, { title: 'Look here', elements: [{ selector: '#old' }] }];
    const id = await addExperience(dashboard, 'tour', { steps });
    const [, step] = (await readExperience(dashboard, id)).steps;
    const query = new URLSearchParams({ field: 'steps.1.elements', pick: step.id, page: `${site.url}/a?b=1#c` });
    const page = await dashboard.open(`/app/experiences/${id}?${query}`);
    await dialog(page).getByRole('button', { name: 'Open page' }).waitFor();
    expect(await dialog(page).getByRole('combobox', { name: 'Page' }).inputValue()).toBe(`${site.url}/a?b=1#c`);
    const opened = page.context().waitForEvent('page');
    await dialog(page).getByRole('button', { name: 'Open page' }).click();
    const tab = await opened;
    await tab.waitForURL(/^http/);
    const send = await exchange(tab);
    await send();
    await dialog(page).getByText('They replace what the step has now.').waitFor();
    await dialog(page).getByRole('button', { name: 'Use these' }).click();
    await saveNow(page);
    expect((await readExperience(dashboard, id)).steps).toMatchObject([
      { elements: [] },
      { elements: result.elements },
    ]);
    expect(new URL(page.url()).search).toBe('');
  });

  it('picks the element that opens a launcher, which has nothing but a selector', async () => {
    const id = await addExperience(dashboard, 'launcher', { title: 'Help', trigger_type: 'element', trigger: null });
    const page = await openTour(id);
    await pickButton(page).click();
    const send = await exchange(await openPage(page, site.url));
    await send({ elements: [{ selector: 'button', text: 'Save' }] });
    await dialog(page)
      .getByRole('radio', { name: /data-testid/ })
      .waitFor();
    expect(await dialog(page).getByRole('radio').count()).toBe(2);
    await expectGoodLook(page, 'pick-launcher', '[role=dialog]');
    await dialog(page).getByRole('button', { name: 'Use this' }).click();
    await saveNow(page);
    expect((await readExperience(dashboard, id)).trigger).toBe(element.selector);
  });

  it('picks the element that a button clicks', async () => {
    const buttons = [{ text: 'Go', additional_actions: ['element_click'] }];
    const id = await addExperience(dashboard, 'tour', { steps: [{ title: 'Hello', buttons }] });
    const page = await openTour(id);
    await settings(page).getByText('Also clicks an element').click();
    await settings(page)
      .getByRole('group', { name: 'Button 1' })
      .getByRole('button', { name: 'Pick on your page' })
      .click();
    const send = await exchange(await openPage(page, site.url));
    await send();
    await dialog(page).getByRole('radio', { name: /Save/ }).check({ force: true });
    await dialog(page).getByRole('button', { name: 'Use this' }).click();
    await saveNow(page);
    const [step] = (await readExperience(dashboard, id)).steps;
    expect(step.buttons).toMatchObject([{ action_element: { selector: 'button', text: 'Save' } }]);
    expect(step.elements).toEqual([]);
  });
});

describe('when it cannot work', () => {
  it('says that a domain is off', async () => {
    const page = await openTour(await addTour());
    await pickButton(page).click();
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill('https://other.test/');
    await dialog(page).getByRole('button', { name: 'Open page' }).click();
    await dialog(page).getByRole('alert').getByText('The domain of this page is not on').waitFor();
    expect(await dialog(page).textContent()).not.toContain('/v3/');
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

  it('asks for the port of a local page, which the list of visited pages does not have', async () => {
    const page = await openTour(await addTour());
    await pickButton(page).click();
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill('localhost/settings');
    await dialog(page).getByText('Add the port of this page').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Open page' }).isDisabled()).toBe(true);
  });

  it('offers a link if the browser blocks the tab', async () => {
    const page = await openTour(await addTour());
    await page.evaluate(() => Object.assign(window, { open: () => null }));
    await pickButton(page).click();
    await dialog(page).getByRole('combobox', { name: 'Page' }).fill(site.url);
    await dialog(page).getByRole('button', { name: 'Open page' }).click();
    await dialog(page).getByText('Your browser has blocked the new tab').waitFor();
    const opened = page.context().waitForEvent('page');
    await dialog(page).getByRole('link', { name: 'Open the page again' }).click();
    const tab = await opened;
    await tab.waitForURL(/^http/);
    const send = await exchange(tab);
    await send();
    await dialog(page).getByText('Picked element').waitFor();
  });

  it('takes a pasted selector, which a command for the console finds on a page that blocks Usher', async () => {
    const id = await addTour();
    const page = await openTour(id);
    const { api } = dashboard;
    const script = `<script src="${api.url}/script/${api.account.account_token}.js"></script>`;
    const strict = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
    const blocked = await startCustomerSite(() => script, strict);
    await pickButton(page).click();
    const tab = await openPage(page, blocked.url);
    expect(await tab.evaluate('"usher" in window')).toBe(false);
    await dialog(page).getByText('Nothing happens there?').click();
    await dialog(page).getByRole('button', { name: 'Find the element without the bar' }).click();
    await dialog(page).getByText(`Usher opened ${blocked.url}/ with a one-time key.`).waitFor();
    await dialog(page).getByText('The script was never seen on localhost').waitFor();
    const command = await dialog(page)
      .getByRole('figure')
      .filter({ hasText: 'Command for the console' })
      .locator('pre')
      .innerText();
    expect(command).not.toContain('\n');
    await runInConsole(tab, command);
    await tab.getByRole('heading', { name: 'Acme' }).hover();
    await expect.poll(() => tab.locator('h1').evaluate((heading) => heading.style.outlineStyle)).toBe('solid');
    const prompted = tab.waitForEvent('dialog');
    void tab.getByRole('heading', { name: 'Acme' }).click();
    const prompt = await prompted;
    expect(prompt.message()).toContain('Matches 1.');
    const selector = prompt.defaultValue();
    await prompt.dismiss();
    expect(await tab.locator(selector).innerText()).toBe('Acme');
    expect(await tab.locator('h1').getAttribute('style')).toBe('');
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

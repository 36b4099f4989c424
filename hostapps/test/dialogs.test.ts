import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterFrames } from '../../script/test/frames.ts';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { apps } from './apps.ts';
import { box, createUser, expectNoTrace, openApp, press, readRecords } from './host.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

/** Something of an application that opens above its page. */
interface HostWindow {
  app: string;
  name: string;
  open(page: Page): Promise<unknown>;
  window: string;
  /** An element inside of it. */
  field: string;
  /** A step without an element waits until it is closed, because it covers the page. */
  covers?: boolean;
  /** It does not close on Escape. */
  ignoresEscape?: boolean;
}
const ofPage = (app: string, name: string, fields: Partial<HostWindow> = {}): HostWindow => ({
  ...{ app, name, ...fields, window: '.window', field: '.window .field, .window.field' },
  open: (page) => page.getByRole('button', { name: `Open ${name}`, exact: true }).click(),
});
const windows: HostWindow[] = [
  ...['dialog', 'non-modal dialog'].map((name) => ofPage('Radix', name, { covers: true })),
  ...['popover', 'modal popover', 'menu'].map((name) => ofPage('Radix', name)),
  ...['dialog', 'drawer'].map((name) => ofPage('Material UI', name, { covers: true })),
  ...['popover', 'menu'].map((name) => ofPage('Material UI', name)),
  ofPage('Material UI', 'panel', { ignoresEscape: true }),
  ofPage('Headless UI', 'dialog', { covers: true }),
  ...['popover', 'menu'].map((name) => ofPage('Headless UI', name)),
  {
    ...{ app: 'Node-RED', name: 'main menu', window: '#red-ui-header-button-sidemenu-submenu', ignoresEscape: true },
    field: '#menu-item-import',
    open: (page) => page.locator('#red-ui-header-button-sidemenu').click(),
  },
  {
    ...{ app: 'Node-RED', name: 'import dialog', covers: true, window: '.ui-dialog:visible' },
    field: '#red-ui-clipboard-dialog-import-text',
    open: (page) => page.keyboard.press('Control+i'),
  },
  {
    ...{ app: 'Excalidraw', name: 'main menu', window: '[data-testid="dropdown-menu"]' },
    field: '[data-testid="help-menu-item"]',
    open: (page) => page.locator('[data-testid="main-menu-trigger"]').click(),
  },
  {
    ...{ app: 'Excalidraw', name: 'help dialog', covers: true, window: '.HelpDialog' },
    field: '.HelpDialog__header a',
    open: (page) => page.locator('.help-icon').click(),
  },
  {
    ...{ app: 'Verdaccio', name: 'login dialog', covers: true, window: '.MuiDialog-root' },
    field: '#login--dialog-username',
    open: (page) => page.locator('[data-testid="header--button-login"]').click(),
  },
];

const show = (page: Page, id: string) =>
  page.evaluate((id) => (window as never as { usher: { show(id: string): void } }).usher.show(id), id);
const questions = (fields: object) => [
  { title: 'How likely?', preset: 'survey_nps', ...fields },
  { title: 'Why?', preset: 'survey_input', ...fields },
  { title: 'Thanks', preset: 'thank_you', ...fields },
];

describe.each(windows)('the $name of $app', (host) => {
  const then = host.covers ? 'lets one without an element wait until it is closed' : 'also in a corner';
  it(`stays open while the user takes a survey at one of its elements, and ${then}`, async () => {
    const app = apps.find(({ name }) => name === host.app) as (typeof apps)[number];
    const user = await createUser();
    const at = { position_type: 'snap_to_element', elements: [{ selector: host.field }] };
    const create = (fields: object) => user.create('survey', { style: 'manual', steps: questions(fields) });
    const [atElement, alone] = [await create(at), await create({ screen_position: 'bottom_right' })];
    const page = await openApp(browser, app, user, { reducedMotion: 'reduce' });
    const opened = page.locator(host.window).first();
    await host.open(page);
    await opened.waitFor();
    await show(page, atElement.id);
    await expectToStay(page, opened);
    if (!host.ignoresEscape) {
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'hidden' });
      await host.open(page);
      await opened.waitFor();
    }
    if (host.covers) return expectToWait(page, opened, alone.id);
    await show(page, alone.id);
    await expectToStay(page, opened);
  });
});

/** The window stays open during the whole survey, and the application notices nothing. */
async function expectToStay(page: Page, opened: Locator) {
  await box(page, 'How likely?').waitFor();
  await readRecords(page);
  await page.locator('usher-layer').getByRole('heading').click();
  await press(page, '9');
  const field = page.locator('usher-layer textarea');
  await field.click();
  await page.keyboard.type('Fine, d?');
  await afterFrames(page, 10);
  await page.keyboard.type('!');
  expect([await field.inputValue(), await opened.isVisible()]).toEqual(['Fine, d?!', true]);
  await press(page, 'Send');
  await box(page, 'Thanks').waitFor();
  await expectNoTrace(page);
  await page.keyboard.press('Escape');
  await box(page, 'Thanks').waitFor({ state: 'detached' });
  expect(await opened.isVisible()).toBe(true);
}

async function expectToWait(page: Page, opened: Locator, id: string) {
  await Promise.all([page.waitForResponse(/shows$/), show(page, id)]);
  await afterFrames(page, 25);
  expect(await box(page, 'How likely?').count()).toBe(0);
  await page.keyboard.press('Escape');
  await opened.waitFor({ state: 'hidden' });
  await press(page, '9');
  await page.locator('usher-layer textarea').fill('Fine');
  await press(page, 'Send');
  await box(page, 'Thanks').waitFor();
}

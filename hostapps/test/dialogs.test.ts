import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterFrames } from '../../script/test/frames.ts';
import { apps } from './apps.ts';
import { box, createUser, expectNoTrace, launchBrowser, openApp, press, readRecords } from './host.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
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

async function openWindow({ app: name, open, window }: HostWindow, steps: object[]) {
  const app = apps.find((candidate) => candidate.name === name) as (typeof apps)[number];
  const user = await createUser();
  const survey = await user.create('survey', { style: 'manual', steps });
  const page = await openApp(browser, app, user, { reducedMotion: 'reduce' });
  await open(page);
  const opened = page.locator(window).first();
  await opened.waitFor();
  return { page, opened, survey };
}

describe.each(windows)('the $name of $app', (host) => {
  it('stays open while the user takes a survey at one of its elements', async () => {
    const at = { position_type: 'snap_to_element', elements: [{ selector: host.field }] };
    const { page, opened, survey } = await openWindow(host, questions(at));
    await show(page, survey.id);
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
    if (host.ignoresEscape) return;
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
  });

  const waits = 'lets a survey without an element wait until it is closed';
  const stays = 'stays open while the user takes a survey in a corner';
  it(host.covers ? waits : stays, () => (host.covers ? expectToWait(host) : expectToStay(host)));
});

async function expectToWait(host: HostWindow) {
  const { page, opened, survey } = await openWindow(host, questions({}));
  await Promise.all([page.waitForResponse(/shows$/), show(page, survey.id)]);
  await afterFrames(page, 25);
  expect(await box(page, 'How likely?').count()).toBe(0);
  await page.keyboard.press('Escape');
  await opened.waitFor({ state: 'hidden' });
  await press(page, '9');
  await page.locator('usher-layer textarea').click();
  await page.keyboard.type('Fine');
  await press(page, 'Send');
  await box(page, 'Thanks').waitFor();
}

async function expectToStay(host: HostWindow) {
  const { page, opened, survey } = await openWindow(host, questions({ screen_position: 'bottom_right' }));
  await show(page, survey.id);
  await press(page, '9');
  const field = page.locator('usher-layer textarea');
  await field.click();
  await page.keyboard.type('Fine');
  expect([await field.inputValue(), await opened.isVisible()]).toEqual(['Fine', true]);
  await page.keyboard.press('Escape');
  await box(page, 'Why?').waitFor({ state: 'detached' });
  expect(await opened.isVisible()).toBe(true);
}

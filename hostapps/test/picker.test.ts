import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { apps, type HostApp } from './apps.ts';
import {
  barOf,
  button,
  clickOn,
  createPick,
  expectToFind,
  type HostPick,
  letUse,
  readAddresses,
  readPick,
  reloadWithoutPick,
  startPicking,
} from './pick-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

const { pages } = inject('hosts');
const byName = (name: string) => apps.find((app) => app.name === name) as HostApp;
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const vue = { url: `${pages}vue/?policy=strict#/`, ready: heading };
const vueFrames = { url: `${pages}vue/?policy=strict#/frames`, ready: heading };
const material = { url: `${pages}material/?policy=strict`, ready: heading };
const radix = { url: `${pages}radix/?policy=inline-styles`, ready: heading };
const mui = { url: `${pages}mui/?policy=inline-styles`, ready: heading };
const nodeRed = byName('Node-RED');
const verdaccio = byName('Verdaccio');
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

/** An element of an application that somebody picks. */
interface Target {
  /** Opens what the element is in. */
  open?(page: Page): Promise<unknown>;
  target(page: Page): Locator;
  /** How the bar names it. */
  picked: string;
  /** Nothing describes it but its place. */
  isPositional?: boolean;
  /** The page is used until a button of the bar is pressed again, instead of while Alt is held. */
  usesButton?: boolean;
}
interface Case extends Target {
  what: string;
  app: Pick<HostApp, 'url' | 'ready' | 'ownErrors'>;
}

const cases: Case[] = [
  {
    ...{ what: 'an item of a menu of Headless UI', app: vue, open: press('Actions'), picked: 'menuitem “Archive”' },
    target: (page) => page.getByRole('menuitem', { name: 'Archive' }),
  },
  {
    ...{
      what: 'a field in a dialog of Headless UI, which keeps the focus',
      app: vue,
      open: press('New order'),
      usesButton: true,
    },
    ...{ picked: 'field “Customer”', target: (page) => page.locator('.window input') },
  },
  {
    ...{ what: 'a button in a modal dialog of the browser', app: vue, open: press('Delete'), usesButton: true },
    ...{ picked: 'button “Delete all”', target: (page) => page.getByRole('button', { name: 'Delete all' }) },
  },
  {
    ...{ what: 'a button in a popover of the browser', app: vue, open: press('Columns'), usesButton: true },
    ...{ picked: 'button “Show columns”', target: (page) => page.getByRole('button', { name: 'Show columns' }) },
  },
  {
    ...{ what: 'a row far down in a list that scrolls', app: vue, isPositional: true },
    ...{ picked: 'text “41”', target: (page) => page.locator('.orders li:nth-child(42) b') },
  },
  {
    ...{ what: 'a button after a change of the route in the hash', app: vue, picked: 'button “Save”' },
    open: (page) => page.getByRole('link', { name: 'Settings' }).click(),
    target: (page) => page.locator('.save-settings'),
  },
  {
    ...{ what: 'a link in a frame of the same origin', app: vueFrames, picked: 'link “Go to page two”' },
    target: (page) => page.frameLocator('iframe[title=Own]').locator('#link'),
  },
  {
    ...{ what: 'a button in an open shadow root of Material Web', app: material, picked: 'button “Save”' },
    target: (page) => page.locator('#save button'),
  },
  {
    ...{ what: 'a button in a modal dialog inside of a shadow root', app: material, picked: 'button “Copy the link”' },
    ...{ open: (page) => page.locator('#open').click(), target: (page) => page.locator('#copy button') },
  },
  {
    ...{ what: 'the host of a closed shadow root', app: material, picked: 'card-field' },
    target: (page) => page.locator('card-field'),
  },
  {
    ...{ what: 'an item of a modal menu of Radix', app: radix, open: press('Open menu'), usesButton: true },
    ...{ picked: 'menuitem “Second item”', target: (page) => page.getByRole('menuitem', { name: 'Second item' }) },
  },
  {
    ...{ what: 'a button in a dialog of Radix', app: radix, open: press('Open dialog') },
    ...{ picked: 'button “Close dialog”', target: (page) => page.getByRole('button', { name: 'Close dialog' }) },
  },
  {
    ...{ what: 'an item of a menu of Material UI', app: mui, open: press('Open menu'), usesButton: true },
    ...{ picked: 'menuitem “Second item”', target: (page) => page.getByRole('menuitem', { name: 'Second item' }) },
  },
  {
    ...{ what: 'a field in a dialog of Verdaccio', app: verdaccio, picked: 'field “Username *”' },
    open: (page) => page.locator('[data-testid="header--button-login"]').click(),
    target: (page) => page.locator('#login--dialog-username'),
  },
];

/** Picks an element. The application does not notice: nothing closes, no listener runs. */
async function pickOne(page: Page, pick: HostPick, { open, target, ...expected }: Target) {
  const found = target(page);
  await letUse(page, expected.usesButton, async () => {
    await open?.(page);
    await found.waitFor();
  });
  const address = page.url();
  const seen = await clickOn(page, found);
  if (expected.isPositional) {
    await barOf(page).getByText('only by its place').waitFor();
    expect((await readPick(pick)).result).toBe(null);
    await button(page, 'Pick it anyway').click();
  }
  await expect.poll(() => barOf(page).textContent()).toContain(`Picked ${expected.picked}`);
  expect(seen).toEqual([]);
  expect([await found.isVisible(), page.url()]).toEqual([true, address]);
  expect(await page.evaluate(() => (window as never as { actions?: string[] }).actions ?? [])).toEqual([]);
  return (await readPick(pick)).result?.elements ?? [];
}

describe('the picker', () => {
  it.each(cases.map((one) => [one.what, one] as const))('picks %s', async (_, { app, ...wanted }) => {
    const { page, pick } = await startPicking(browser, app);
    const elements = await pickOne(page, pick, wanted);
    expect((await readAddresses(page)).filter((href) => href.includes('usher-pick'))).toEqual([]);
    await button(page, 'End').click();
    await barOf(page).waitFor({ state: 'detached' });
    expect(await reloadWithoutPick(page)).toEqual([]);
    await app.ready(page);
    await wanted.open?.(page);
    await expectToFind(wanted.target(page), elements);
  });

  it('picks an item of a menu of Node-RED, and a node in its palette, which scrolls', async () => {
    const { page, pick } = await startPicking(browser, nodeRed);
    const state = await nodeRed.state(page);
    const item: Target = {
      open: (page) => page.locator('#red-ui-header-button-sidemenu').click(),
      ...{ target: (page) => page.locator('#menu-item-import'), picked: 'link “Import ctrl-i”' },
    };
    const label: Target = {
      target: (page) => page.locator('[data-palette-type="csv"] .red-ui-palette-label'),
      picked: 'area “csv”',
    };
    const ofItem = await pickOne(page, pick, item);
    await button(page, 'Pick another').click();
    const ofLabel = await pickOne(page, pick, label);
    expect(await nodeRed.state(page)).toEqual(state);
    await button(page, 'End').click();
    expect(await reloadWithoutPick(page)).toEqual([]);
    await nodeRed.ready(page);
    await expectToFind(label.target(page), ofLabel);
    await item.open?.(page);
    await expectToFind(item.target(page), ofItem);
  });

  it('says in a frame of another origin that only the frame itself can be picked', async () => {
    const { page, pick } = await startPicking(browser, vueFrames);
    const frame = page.locator('iframe[title=Payment]');
    await page.frameLocator('iframe[title=Payment]').getByRole('heading').waitFor();
    const note = barOf(page).getByText('Only the frame itself can be picked');
    expect(await note.count()).toBe(0);
    await frame.hover({ force: true });
    await note.waitFor();
    const elements = await pickOne(page, pick, { target: () => frame, picked: 'frame “Payment”' });
    await button(page, 'End').click();
    await page.reload();
    await expectToFind(frame, elements);
  });

  it('goes on after a reload, and opens no second bar in a frame of the same origin', async () => {
    const { page } = await startPicking(browser, vueFrames);
    await page.reload();
    await barOf(page).getByText('Point at the element').waitFor();
    const frame = page.frameLocator('iframe[title=Own]');
    await frame.locator('#link').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await frame.locator('usher-layer').count()).toBe(0);
  });

  it('removes the key before the router reads the hash, and keeps the state of the history', async () => {
    const { page } = await startPicking(browser, { ...vue, url: `${pages}vue/?policy=strict#/settings` });
    const readRoutes = () => page.evaluate(() => (window as never as { routes: string[] }).routes);
    expect(await readRoutes()).toEqual(['/settings']);
    const { hash } = new URL((await createPick(page.url())).address);
    expect(hash).toMatch(/^#usher-pick=[\w-]+&\/settings$/);
    await page.evaluate((hash) => history.replaceState({ ...history.state, kept: 1 }, '', hash), hash);
    await page.reload();
    await button(page, 'Start picking').waitFor();
    expect(await readRoutes()).toEqual(['/settings']);
    expect(await page.evaluate(() => [location.hash, history.state.kept])).toEqual(['#/settings', 1]);
  });
});

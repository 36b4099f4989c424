import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { at, call, dialog, items, rectOf, show, uid, until, useHarness } from './browser.ts';
import { afterFrames } from './frames.ts';

/*
 * Tests where the layer is in the page: in a dialog or a popover while that is open, in an element in fullscreen, else
 * beside the body.
 */

const harness = useHarness();

const help = (page: Page) => page.getByRole('button', { name: 'Help' });
const createLauncher = () => harness.create('launcher', { title: 'Help', items, screen_position: 'bottom_left' });
const parentOf = (page: Page) => page.evaluate(() => document.querySelector('usher-layer')?.parentElement?.localName);
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return (activeElement?.shadowRoot?.activeElement ?? activeElement)?.textContent?.trim();
  });
const manual = { style: 'manual' };

describe('a dialog with a step', () => {
  const body = `<dialog id=d style="width:300px"><button id=in>In</button></dialog>`;
  const run = (page: Page, name: 'showModal' | 'close' | 'remove') =>
    page.evaluate((name) => (document.querySelector('dialog') as HTMLDialogElement)[name](), name);
  /** Opens the dialog with a launcher in the page, and a tour at an element of the dialog. */
  const openWithStep = async () => {
    await createLauncher();
    const tour = await harness.createTour([at('#in'), at('#in', { title: 'Two' })], manual);
    const page = await harness.open({ body }, { uid });
    await help(page).waitFor();
    await run(page, 'showModal');
    await show(page, tour.id);
    await dialog(page).waitFor();
    expect(await parentOf(page)).toBe('dialog');
    return page;
  };
  const expectLauncher = async (page: Page) => {
    await help(page).click({ timeout: 5000 });
    await dialog(page, 'Help').waitFor();
  };

  it.each(['close', 'remove'] as const)(
    'gives the launcher back when the step ends before the dialog (%s)',
    async (end) => {
      const page = await openWithStep();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await run(page, end);
      await expectLauncher(page);
    },
  );

  it.each(['close', 'remove'] as const)(
    'gives the launcher back when the dialog ends before the step (%s)',
    async (end) => {
      const page = await openWithStep();
      await run(page, end);
      await dialog(page).waitFor({ state: 'detached' });
      await expectLauncher(page);
    },
  );

  it('keeps the layer from step to step', async () => {
    const page = await openWithStep();
    await page.evaluate(() => {
      const global = window as never as { moves: number };
      global.moves = 0;
      new MutationObserver(() => global.moves++).observe(document.documentElement, { childList: true });
    });
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Two').waitFor();
    await afterFrames(page, 5);
    expect(await page.evaluate(() => (window as never as { moves: number }).moves)).toBe(0);
    expect(await parentOf(page)).toBe('dialog');
  });

  it('lets the user open the list of the launcher, and continue', async () => {
    const page = await openWithStep();
    await expectLauncher(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Next' }).click({ timeout: 5000 });
    await dialog(page, 'Two').waitFor();
  });
});

describe('a popover with a step', () => {
  it('gives the layer back when it closes, also if its style still shows it', async () => {
    await createLauncher();
    const tour = await harness.createTour([at('#in')], manual);
    const body = '<div popover id=menu style="display:block"><button id=in>In</button></div>';
    const page = await harness.open({ body }, { uid });
    await help(page).waitFor();
    const run = (name: 'showPopover' | 'hidePopover') =>
      page.evaluate((name) => (document.querySelector('#menu') as HTMLElement)[name](), name);
    await run('showPopover');
    await show(page, tour.id);
    await dialog(page).waitFor();
    expect(await parentOf(page)).toBe('div');
    await run('hidePopover');
    await until(() => parentOf(page)).toBe('html');
  });
});

describe('fullscreen', () => {
  const body = '<div id=full>Full</div>';
  const enter = (page: Page) => page.evaluate(() => document.querySelector('#full')?.requestFullscreen());
  const leave = (page: Page) => page.evaluate(() => document.exitFullscreen());

  it('gives the launcher back when the page removes the element', async () => {
    await createLauncher();
    const page = await harness.open({ body }, { uid });
    await help(page).waitFor();
    await enter(page);
    await until(() => parentOf(page)).toBe('div');
    await page.evaluate(() => document.querySelector('#full')?.remove());
    await until(() => parentOf(page)).toBe('html');
    await help(page).click();
    await dialog(page, 'Help').waitFor();
  });

  it('leaves the focus in what is painted when it ends', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ body }, { uid });
    await dialog(page).waitFor();
    await enter(page);
    await until(() => parentOf(page)).toBe('div');
    await page.getByRole('button', { name: 'Done' }).focus();
    await leave(page);
    await until(() => parentOf(page)).toBe('html');
    expect(await focused(page)).toBe('Done');
  });
});

describe('an embed', () => {
  const create = () =>
    harness.create('embed', {
      style: 'card',
      steps: [at('#t', { title: 'Card', position_type: 'inline', buttons: [{ text: 'Fine' }] })],
    });

  it('keeps the focus when the page renders its element again', async () => {
    await create();
    const page = await harness.open({ body: '<p id=t>Target</p><button>Mine</button>' }, { uid });
    const fine = page.getByRole('button', { name: 'Fine' });
    const render = () => page.locator('#t').evaluate((element) => element.replaceChildren('Again'));
    await fine.focus();
    await afterFrames(page, 2);
    await render();
    await until(() => focused(page)).toBe('Fine');
    await page.getByRole('button', { name: 'Mine' }).focus();
    await afterFrames(page, 2);
    await render();
    await fine.waitFor();
    expect(await focused(page)).toBe('Mine');
  });

  it('gives up on a page that changes all the time and removes it each time', async () => {
    await create();
    const body = `<p id=t></p><i id=clock></i><script>window.removed=0;new MutationObserver(()=>{for(const c of t.children){c.remove();removed++}}).observe(t,{childList:true});setInterval(()=>{clock.textContent=Date.now()},2000)</script>`;
    const page = await harness.open({ body, clock: true }, { uid });
    const removed = () => page.evaluate(() => (window as never as { removed: number }).removed);
    await until(async () => {
      await page.clock.runFor(100);
      return removed();
    }).toBeGreaterThan(20);
    await page.clock.runFor(60_000);
    expect(await removed()).toBeLessThan(70);
  });
});

describe('Escape', () => {
  const isOpen = (page: Page) => page.locator('#menu').evaluate((menu) => menu.matches(':popover-open'));
  const press = async (page: Page) => {
    await page.keyboard.press('Escape');
    return { menu: await isOpen(page), tour: await dialog(page).count() };
  };
  const step = { title: 'Hello', screen_position: 'bottom_right' };
  const menu = '<button popovertarget=menu>Menu</button><div popover id=menu>Items</div>';
  const toggle = (page: Page) => page.getByRole('button', { name: 'Menu' }).click();

  it('closes a popover first that is part of the page while it is closed', async () => {
    await harness.createTour([step]);
    const page = await harness.open({ head: '<style>#menu{display:block}</style>', body: menu }, { uid });
    await dialog(page).waitFor();
    await toggle(page);
    expect(await press(page)).toEqual({ menu: false, tour: 1 });
    expect(await press(page)).toEqual({ menu: false, tour: 0 });
  });

  it('closes a popover first that was opened again after the step', async () => {
    const tour = await harness.createTour([step], manual);
    const page = await harness.open({ body: menu }, { uid });
    await toggle(page);
    await show(page, tour.id);
    await dialog(page).waitFor();
    await toggle(page);
    expect(await isOpen(page)).toBe(false);
    await toggle(page);
    expect(await press(page)).toEqual({ menu: false, tour: 1 });
    expect(await press(page)).toEqual({ menu: false, tour: 0 });
  });

  it('closes a step first that was opened after a popover elsewhere', async () => {
    const tour = await harness.createTour([step], manual);
    const page = await harness.open({ body: menu }, { uid });
    await toggle(page);
    await show(page, tour.id);
    await dialog(page).waitFor();
    expect(await press(page)).toEqual({ menu: true, tour: 0 });
  });

  describe('with a popover in a shadow root', () => {
    const inShadow = `<x-menu></x-menu><script>customElements.define('x-menu',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='${menu.replace('Items', '<b id=in>Items</b>')}'}})</script>`;

    it('closes it before a step that is older', async () => {
      await harness.createTour([step]);
      const page = await harness.open({ body: inShadow }, { uid });
      await dialog(page).waitFor();
      await toggle(page);
      expect(await press(page)).toEqual({ menu: false, tour: 1 });
      expect(await press(page)).toEqual({ menu: false, tour: 0 });
    });

    it('closes a step inside of it first', async () => {
      const elements = [{ selector: 'x-menu', shadow_selector: '#in' }];
      const tour = await harness.createTour([{ ...at(''), elements }], manual);
      const page = await harness.open({ body: inShadow }, { uid });
      await toggle(page);
      await show(page, tour.id);
      await dialog(page).waitFor();
      expect(await press(page)).toEqual({ menu: true, tour: 0 });
    });
  });
});

describe('the theme of the page', () => {
  const isDark = (page: Page) =>
    page.locator('.box').evaluate((box) => Number(getComputedStyle(box).backgroundColor.match(/\d+/)?.[0]) < 128);
  const open = async (css: string) => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ head: `<style>${css}</style>` }, { uid });
    await dialog(page).waitFor();
    expect(await isDark(page)).toBe(false);
    return page;
  };

  it('is followed after the page has replaced its body', async () => {
    const page = await open('body.dark{background:#111}');
    await page.evaluate(() => document.body.replaceWith(document.createElement('body')));
    await afterFrames(page, 2);
    await page.evaluate(() => document.body.classList.add('dark'));
    await until(() => isDark(page)).toBe(true);
    await page.evaluate(() => document.body.remove());
    await afterFrames(page, 2);
    await page.evaluate(() => {
      document.documentElement.lang = 'de';
    });
    await until(() => isDark(page)).toBe(false);
  });

  it('is followed when the system changes', async () => {
    const page = await open('@media (prefers-color-scheme:dark){body{background:#111}}');
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(() => isDark(page)).toBe(true);
  });
});

describe('a step beside an element in the corner', () => {
  it('does not cover the button of a launcher', async () => {
    await createLauncher();
    const tour = await harness.createTour([at('#t', { placement: 'top' })], manual);
    const style = 'position:absolute;left:150px;bottom:0;height:10px';
    const page = await harness.open({ body: `<button id=t style="${style}"></button>` }, { uid });
    await help(page).waitFor();
    const before = await rectOf(page, '.open');
    await show(page, tour.id);
    await dialog(page).waitFor();
    const [button, box] = [await rectOf(page, '.open'), await rectOf(page, '.box')];
    expect(button.bottom <= box.top || button.left >= box.right).toBe(true);
    await call(page, 'close');
    await dialog(page).waitFor({ state: 'detached' });
    await until(async () => (await rectOf(page, '.open')).top).toBe(before.top);
  });
});

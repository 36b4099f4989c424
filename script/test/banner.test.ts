import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { rectOf, uid, until, useHarness } from './browser.ts';

const harness = useHarness();
const DAY_MS = 24 * 60 * 60_000;

/** The script that reserves the height of the banner, as customers copy it. */
const guide = readFileSync(new URL('../../docs/guides/banners.md', import.meta.url), 'utf8');
const reserve = /<script>\n([\s\S]*?)\n<\/script>/.exec(guide)?.[1] ?? '';

const text = '<p>Lorem ipsum</p>'.repeat(100);
const body = `<h1 id="head">Reports</h1>${text}`;
const plain = '<style>body{margin:8px}h1{margin:0}</style>';

const create = (fields: object = {}, step: object = {}) =>
  harness.create('embed', {
    steps: [
      {
        ...{ title: 'Maintenance', body: 'On Saturday.', position_type: 'inline', placement: 'left' },
        ...{
          elements: [{ selector: 'body' }],
          buttons: [{ text: 'Read more', additional_actions: ['cta_url'], action_url: '/' }],
        },
        ...step,
      },
    ],
    ...fields,
  });
const banner = (page: Page) => page.getByRole('region', { name: 'Maintenance' });
async function open(site: { head?: string; body?: string } = {}): Promise<Page> {
  const page = await harness.open({ head: plain, body, ...site }, { uid });
  await banner(page).waitFor();
  return page;
}
const tops = (page: Page) =>
  Promise.all(['.box', '#head'].map(async (selector) => Math.round((await rectOf(page, selector)).top)));
const scroll = async (page: Page, y: number) => {
  await page.evaluate((top) => scrollTo(0, top), y);
  await page.waitForFunction((top) => Math.abs(scrollY - top) < 2, y);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

describe('a banner at the top of the page', () => {
  it('pushes the page, is as wide as the window, and scrolls away', async () => {
    await create();
    const page = await open();
    const { left, width, height, top } = await rectOf(page, '.box');
    expect([left, top, width]).toEqual([0, 0, await page.evaluate(() => document.documentElement.clientWidth)]);
    expect(await page.locator('.box').evaluate((box) => getComputedStyle(box).boxShadow)).toBe('none');
    expect(await tops(page)).toEqual([0, Math.round(height) + 8]);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await scroll(page, 300);
    expect((await rectOf(page, '.box')).bottom).toBeLessThan(0);
  });

  it('is one line with its button at the end, and stacked on a phone', async () => {
    await create();
    const page = await open();
    const line = async () => {
      const [title, words, act] = await Promise.all(['.title', '.body', '.act'].map((one) => rectOf(page, one)));
      return { title, words, act } as Record<string, DOMRect>;
    };
    const wide = await line();
    expect(wide.words?.left).toBeGreaterThan(wide.title?.right ?? 0);
    expect(wide.act?.left).toBeGreaterThan(800);
    expect((await rectOf(page, '.box')).height).toBeLessThan(64);
    await page.setViewportSize({ width: 375, height: 700 });
    const narrow = await line();
    expect(narrow.words?.top).toBeGreaterThanOrEqual(narrow.title?.bottom ?? 0);
    expect(narrow.act?.top).toBeGreaterThanOrEqual(narrow.words?.bottom ?? 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  });

  it('stays in view if it is sticky', async () => {
    await create({ sticky: true });
    const page = await open();
    const { height } = await rectOf(page, '.box');
    expect(await tops(page)).toEqual([0, Math.round(height) + 8]);
    await scroll(page, 300);
    expect((await tops(page))[0]).toBe(0);
  });

  it.each([false, true])('covers the page if it floats; sticky: %s', async (sticky) => {
    await create({ sticky, overlay: true });
    const page = await open();
    expect(await tops(page)).toEqual([0, 8]);
    await scroll(page, 300);
    expect((await tops(page))[0]).toBe(sticky ? 0 : -300);
  });

  it('leaves nothing behind when it is closed', async () => {
    await create({ sticky: true, reserved_height: 48 });
    const page = await open();
    const root = () =>
      page.evaluate(() => [
        document.documentElement.getAttribute('style'),
        document.querySelectorAll('usher-layer').length,
      ]);
    expect((await root())[0]).toMatch(/--usher-top: ?\d/);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await root()).toEqual([null, 0]);
    expect(Math.round((await rectOf(page, '#head')).top)).toBe(8);
  });

  it('has no close button if it is not dismissible', async () => {
    await create({ dismissible: false });
    const page = await open();
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
  });
});

describe('a banner at the bottom of the page', () => {
  const atBottom = { placement: 'right' };

  it('is at the end of the page', async () => {
    await create({}, atBottom);
    const page = await open();
    const bottom = () => page.evaluate(() => document.documentElement.scrollHeight - scrollY);
    expect(Math.round((await rectOf(page, '.box')).bottom)).toBe(await bottom());
  });

  it('stays in view if it is sticky, and the end of the page is not below it', async () => {
    await create({ sticky: true }, atBottom);
    const page = await open();
    const isAtEdge = async () =>
      Math.round((await rectOf(page, '.box')).bottom) === (await page.evaluate(() => innerHeight));
    expect(await isAtEdge()).toBe(true);
    await scroll(page, await page.evaluate(() => document.documentElement.scrollHeight - innerHeight));
    expect(await isAtEdge()).toBe(true);
    expect((await rectOf(page, 'body > p:last-of-type')).bottom).toBeLessThanOrEqual((await rectOf(page, '.box')).top);
  });

  it('covers the end of the page if it floats', async () => {
    await create({ overlay: true }, atBottom);
    const page = await open();
    await scroll(page, await page.evaluate(() => document.documentElement.scrollHeight - innerHeight));
    expect(Math.round((await rectOf(page, '.box')).bottom)).toBe(await page.evaluate(() => innerHeight));
  });

  it('lets a launcher stand above it', async () => {
    await create({ sticky: true }, atBottom);
    await harness.createReadyLauncher();
    const page = await open();
    await until(async () => (await rectOf(page, '.open')).bottom <= (await rectOf(page, '.box')).top).toBe(true);
  });
});

describe('a banner on a page with fixed bars', () => {
  const fixed = '<header style="position:fixed;inset:0 0 auto;height:60px;background:#eee;z-index:5">Bar</header>';
  const below = `${plain}<style>body{padding-top:60px}</style>`;

  it.each([false, true])('is below a fixed header, and covers neither it nor the page; sticky: %s', async (sticky) => {
    await create({ sticky });
    const page = await open({ head: below, body: fixed + body });
    const { height } = await rectOf(page, '.box');
    expect(await tops(page)).toEqual([60, 60 + Math.round(height) + 8]);
    await scroll(page, 300);
    expect((await tops(page))[0]).toBe(sticky ? 60 : 60 - 300);
  });

  it('is above a header that makes room for it', async () => {
    await create({ sticky: true });
    const page = await open({
      head: `${below}<style>header{top:var(--usher-top,0px)!important}</style>`,
      body: fixed + body,
    });
    const { height } = await rectOf(page, '.box');
    await until(async () => (await tops(page))[0]).toBe(0);
    expect(Math.round((await rectOf(page, 'header')).top)).toBe(Math.round(height));
  });

  it('is below a sticky header while that is at the top', async () => {
    await create({ sticky: true });
    const page = await open({ body: fixed.replace('fixed', 'sticky') + body });
    expect((await tops(page))[0]).toBe(0);
    await scroll(page, 400);
    expect((await tops(page))[0]).toBe(60);
  });

  it('floats over an application that fills the window and cannot scroll', async () => {
    await create();
    const page = await open({ head: '<style>h1{margin:0}body{margin:0;height:100vh;overflow:hidden}</style>' });
    expect(await page.evaluate(() => document.body.getBoundingClientRect().top)).toBe(0);
    expect((await tops(page))[0]).toBe(0);
  });
});

describe('the height of a banner', () => {
  const calls = () => `${reserve};usher.identify(${JSON.stringify(uid)})`;
  const record = `window.shift=0;try{new PerformanceObserver(l=>{for(const e of l.getEntries())window.shift+=e.value}).observe({type:'layout-shift',buffered:true})}catch{}`;
  const shift = (page: Page) => page.evaluate(() => (window as unknown as { shift: number }).shift);
  const settle = (page: Page) => page.waitForTimeout(300);
  // Only Chromium measures layout shifts.
  const canMeasure = inject('browser') !== 'firefox';

  it.each([375, 1280])('is reserved on the second page, which does not move, at %i pixels', async (width) => {
    await create({ reserved_height: 48 });
    // The page paints long before the banner is there.
    harness.beforeRequest = (path) =>
      path.endsWith('visits') ? new Promise((done) => setTimeout(done, 300)) : undefined;
    const page = await harness.open({ head: plain, body, calls: calls(), init: record });
    await page.setViewportSize({ width, height: 700 });
    await page.reload();
    await banner(page).waitFor();
    await settle(page);
    const { height } = await rectOf(page, '.box');
    expect(height).toBeGreaterThanOrEqual(48);
    await page.evaluate(() => sessionStorage.removeItem('usher:reserve'));
    await page.reload();
    await banner(page).waitFor();
    await settle(page);
    if (canMeasure) expect(await shift(page)).toBeGreaterThan(0);
    await page.reload();
    expect(Math.round((await rectOf(page, '#head')).top)).toBe(Math.round(height) + 8);
    await banner(page).waitFor();
    await settle(page);
    if (canMeasure) expect((await shift(page)).toFixed(3)).toBe('0.000');
    expect(Math.round((await rectOf(page, '#head')).top)).toBe(Math.round(height) + 8);
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  });

  it('is not reserved after the banner was closed, and is given back if no banner comes', async () => {
    const { id } = await create({ reserved_height: 48 });
    const page = await harness.open({ head: plain, body, calls: calls(), init: record });
    await banner(page).waitFor();
    await harness.api.patch(`/v3/edit/embeds/${id}`, { published_at: null });
    await page.reload();
    await until(async () => Math.round((await rectOf(page, '#head')).top)).toBe(8);
    expect(await page.evaluate(() => sessionStorage.getItem('usher:reserve'))).toBe('0');
    await page.reload();
    await settle(page);
    if (canMeasure) expect((await shift(page)).toFixed(3)).toBe('0.000');
  });
});

describe('a banner that the user has closed', () => {
  it('comes back after the days of its author', async () => {
    await create({ repeat_days: 3 });
    const page = await open();
    await page.getByRole('button', { name: 'Close' }).click();
    await until(() => harness.received.some(({ body }) => JSON.stringify(body).includes('exited'))).toBe(true);
    const opens = async (days: number) => {
      harness.clockOffsetMs = days * DAY_MS;
      await Promise.all([page.waitForResponse(/visits$/), page.reload()]);
      await page.waitForTimeout(300);
      return (await banner(page).count()) > 0;
    };
    expect(await opens(0)).toBe(false);
    expect(await opens(2.9)).toBe(false);
    expect(await opens(3.1)).toBe(true);
  });
});

describe('an embed in a place of the page', () => {
  it('has no shadow, and is as wide as its place', async () => {
    await create({ style: 'card' }, { elements: [{ selector: '#slot' }], placement: 'auto' });
    for (const css of [
      '',
      'display:flex;flex-direction:column;align-items:center',
      'display:grid;justify-items:start',
    ]) {
      const page = await open({ body: `<div id="slot" style="width:500px;${css}"></div>` });
      expect((await rectOf(page, '.box')).width).toBe(500);
      expect(await page.locator('.box').evaluate((box) => getComputedStyle(box).boxShadow)).toBe('none');
      await page.close();
    }
  });
});

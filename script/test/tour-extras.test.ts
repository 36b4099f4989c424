import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PageExperience, PageStep } from '../src/wire.ts';
import { calls, clear, focused, HREF, load, openPage, type PageOptions, show, violations } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

/* Slideouts, hotspots, choices of times, and the place beside an element, in a real browser without a server. */

let page: Page;
const errors: string[] = [];
beforeAll(async () => {
  page = await openPage();
  page.on('pageerror', ({ message }) => errors.push(message));
});
afterAll(closeContexts);
afterEach(async () => {
  await clear(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(errors.splice(0)).toEqual([]);
});

const tour = (...steps: Partial<PageStep>[]): Partial<PageExperience> => ({
  ...{ id: 'e', kind: 'tour' },
  steps: steps.map((step, at) => ({ id: `s${at}`, title: [`Step ${at}`], ...step }) as PageStep),
});
async function opened(experience: Partial<PageExperience>, options?: PageOptions): Promise<void> {
  await load(page, options);
  await show(page, experience);
}
async function boxOf(selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} has no box`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}
const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' as const });
const dialog = () => page.getByRole('dialog');
const rtl = { html: 'dir="rtl"' };

describe('a slideout', () => {
  const slideout = (place: string, more: Partial<PageStep> = {}) =>
    tour({ screen_position: `slideout_${place}` as NonNullable<PageStep['screen_position']>, ...more });

  it.each([
    ['bottom_start', 'left', 'bottom', {}],
    ['bottom_end', 'right', 'bottom', {}],
    ['middle_start', 'left', 'middle', {}],
    ['middle_end', 'right', 'middle', {}],
    ['bottom_start', 'right', 'bottom', rtl],
    ['middle_end', 'left', 'middle', rtl],
  ])('%s is at the %s, %s', async (place, side, height, options) => {
    await opened(slideout(place), options);
    const box = await boxOf('.box');
    expect(side === 'left' ? box.x : 1280 - box.right).toBe(0);
    if (height === 'middle') expect(Math.abs(box.y + box.bottom - 800)).toBeLessThan(2);
    else expect(800 - box.bottom).toBe(24);
  });

  it('has no backdrop, leaves the page usable, and takes no focus', async () => {
    await opened(slideout('bottom_end', { backdrop: true }));
    expect(await page.locator('.backdrop,.ring').count()).toBe(0);
    expect(await dialog().getAttribute('aria-modal')).toBeNull();
    await page.fill('#search', 'x');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('input');
    expect(await violations(page)).toEqual([]);
  });

  it('slides in from its side, and does not move with reduced motion', async () => {
    const animations = () =>
      page.locator('.box').evaluate((box) =>
        box.getAnimations().map((one) => {
          one.pause();
          one.currentTime = 1;
          return [(one as CSSAnimation).animationName, Math.sign(box.getBoundingClientRect().x - 600)];
        }),
      );
    await opened(slideout('middle_end'));
    expect(await animations()).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    // Animations would be over before a busy machine looks at them.
    const session = await page.context().newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
    await opened(slideout('middle_end'));
    expect(await animations()).toEqual([['slide', 1]]);
    await opened(slideout('middle_end'), rtl);
    expect(await animations()).toEqual([['slide', -1]]);
    await session.detach();
  });

  it.each([375, 320])('is a sheet of the whole width on a phone of %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 640 });
    for (const options of [{}, rtl]) {
      await opened(slideout('middle_start'), options);
      expect(await boxOf('.box')).toMatchObject({ x: 0, width, bottom: 640 });
    }
  });

  it('is a step among others', async () => {
    await opened(tour({ screen_position: 'slideout_bottom_end' }, at('#new'), {}));
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => page.locator('.box:not([inert])').getAttribute('data-side')).toBeTruthy();
    expect(await boxOf('.box:not([inert])')).not.toMatchObject({ bottom: 776 });
  });
});

describe('a hotspot', () => {
  const hotspot = (selector = '#new') => tour({ ...at(selector), hotspot: true }, {});
  const dot = () => page.getByRole('button', { name: 'Step 0', exact: true });

  it('is a dot at the corner of its element, with the title as its name, and reports nothing', async () => {
    await opened(hotspot());
    expect(await dialog().count()).toBe(0);
    const [box, target] = [await boxOf('.hotspot'), await boxOf('#new')];
    expect([(box.x + box.right) / 2, (box.y + box.bottom) / 2]).toEqual([target.right, target.y]);
    expect(await dot().getAttribute('aria-haspopup')).toBe('dialog');
    expect(await violations(page)).toEqual([]);
    expect(await calls(page)).toEqual([]);
  });

  it('is at the other corner in a page from right to left', async () => {
    await opened(hotspot('#one'), rtl);
    const [box, target] = [await boxOf('.hotspot'), await boxOf('#one')];
    expect((box.x + box.right) / 2).toBe(target.x);
  });

  it.each(['click', 'Enter', 'Space'])('opens the first step by %s, which is reported then', async (by) => {
    await opened(hotspot());
    if (by === 'click') await dot().click();
    else {
      await dot().focus();
      await page.keyboard.press(by);
    }
    await dialog().waitFor();
    expect(await page.locator('.hotspot').count()).toBe(0);
    expect(await focused(page)).toBe('Step 0');
    expect(await calls(page)).toEqual([{ state: 'started', step_id: 's0' }]);
    await page.keyboard.press('Escape');
    expect(await calls(page)).toEqual([{ state: 'exited', step_id: 's0' }]);
  });

  it('is dismissed by Escape while it has the focus', async () => {
    await opened(hotspot());
    await page.keyboard.press('Escape');
    expect(await page.locator('.hotspot').count()).toBe(1);
    await dot().focus();
    await page.keyboard.press('Escape');
    expect(await page.locator('.hotspot').count()).toBe(0);
    expect(await calls(page)).toEqual([{ state: 'exited' }]);
  });

  it('opens a step that is not at the element', async () => {
    await opened(tour({ elements: [{ selector: '#new' }], hotspot: true, backdrop: true }));
    await dot().click();
    expect(await dialog().getAttribute('aria-modal')).toBe('true');
  });

  it('waits for its element, follows it, and goes with it', async () => {
    await opened(hotspot('#late'));
    expect(await page.locator('.hotspot').count()).toBe(0);
    await page.evaluate(() => document.querySelector('main')?.insertAdjacentHTML('beforeend', '<b id="late">Late</b>'));
    await dot().waitFor();
    await page.evaluate(() => {
      (document.querySelector('#late') as HTMLElement).style.cssText = 'position:fixed;left:300px;top:400px;width:60px';
    });
    await expect.poll(async () => (await boxOf('.hotspot')).x).toBe(348);
    await page.evaluate(() => document.querySelector('#late')?.remove());
    await expect.poll(() => page.locator('.hotspot').count()).toBe(0);
  });

  it('is at the visible part of an element in a scrolled container, and hides with it', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => `<p id="row${at}" style="margin:0;height:40px">Row</p>`).join(
      '',
    );
    const body = `<div id="list" style="position:absolute;left:100px;top:100px;width:200px;height:90px;overflow:auto">${rows}</div>`;
    await opened(hotspot('#row1'), { body });
    const scroll = (top: number) => page.evaluate((to) => document.querySelector('#list')?.scrollTo(0, to), top);
    const y = async () => (await boxOf('.hotspot')).y + 12;
    expect(await y()).toBe(140);
    await scroll(60);
    await expect.poll(y).toBe(100);
    await scroll(200);
    await expect.poll(() => page.locator('.hotspot').isVisible()).toBe(false);
    await scroll(0);
    await expect.poll(() => page.locator('.hotspot').isVisible()).toBe(true);
  });

  it('pulses, but not with reduced motion, and shifts nothing in the page', async () => {
    const pulses = () =>
      page.locator('.hotspot').evaluate((dot) => dot.getAnimations({ subtree: true }).map((one) => one.playState));
    await opened(hotspot());
    expect(await pulses()).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await load(page);
    const before = [await boxOf('#new'), await boxOf('#one')];
    await show(page, hotspot());
    expect(await pulses()).toEqual(['running']);
    expect([await boxOf('#new'), await boxOf('#one')]).toEqual(before);
  });

  it('has room for a finger on a touch screen', async () => {
    const touch = await openPage({}, { hasTouch: true, isMobile: true, viewport: { width: 375, height: 640 } });
    await show(touch, hotspot());
    expect(await touch.locator('.hotspot').boundingBox()).toMatchObject({ width: 44, height: 44 });
    await touch.close();
  });
});

describe('a reminder', () => {
  const later = { snooze_choices: ['1h', '1d', '3d', '7d'] as const };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const items = () => page.getByRole('menuitem').allTextContents();

  it('lets the user choose one of several times', async () => {
    await opened(tour({ snooze_choices: [...later.snooze_choices], snooze_hours: 0.5 }));
    await press('Remind me later');
    expect(await items()).toEqual(['in 30 minutes', 'in 1 hour', 'tomorrow', 'in 3 days', 'in 1 week']);
    expect(await focused(page)).toBe('in 30 minutes');
    expect(await violations(page)).toEqual([]);
    await calls(page);
    await page.getByRole('menuitem', { name: 'in 3 days' }).click();
    expect(await dialog().count()).toBe(0);
    expect(await calls(page)).toEqual([{ state: 'snoozed', step_id: 's0', snooze_hours: 72 }]);
  });

  it('is chosen with the keyboard', async () => {
    await opened(tour({ snooze_choices: [...later.snooze_choices] }, {}));
    await page.getByRole('button', { name: 'Remind me later' }).focus();
    await page.keyboard.press('Enter');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowUp'])
      await page.keyboard.press(key);
    expect(await focused(page)).toBe('in 1 week');
    await page.keyboard.press('Escape');
    expect(await items()).toEqual([]);
    expect(await focused(page)).toBe('Remind me later');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await calls(page);
    await page.keyboard.press('Enter');
    expect(await calls(page)).toEqual([{ state: 'snoozed', step_id: 's0', snooze_hours: 24 }]);
  });

  it('closes its menu when the button is pressed again, and Escape then ends the tour', async () => {
    await opened(tour(later as never));
    await press('Remind me later');
    await press('Remind me later');
    expect(await items()).toEqual([]);
    await page.keyboard.press('Escape');
    expect((await calls(page)).at(-1)).toEqual({ state: 'exited', step_id: 's0' });
  });

  it('needs no choice if there is one time', async () => {
    await opened(tour({ snooze_choices: ['7d'] }));
    await press('Remind me later');
    expect((await calls(page)).at(-1)).toEqual({ state: 'snoozed', step_id: 's0', snooze_hours: 168 });
  });

  it.each([
    [{}, {}],
    [{ snooze_hours: 2 }, { snooze_hours: 2 }],
  ])('is asked for with a button of the author: %j', async (times, reported) => {
    const buttons = [{ id: 'b', text: ['Not today'], tour_action: 'snooze' as const }];
    await opened(tour({ ...times, buttons }));
    expect(await page.getByRole('button', { name: 'Remind me later' }).count()).toBe(0);
    await press('Not today');
    expect((await calls(page)).slice(1)).toEqual([
      { button_id: 'b', step_id: 's0' },
      { state: 'snoozed', step_id: 's0', ...reported },
    ]);
  });

  it('names the times in the language of the user', async () => {
    await load(page, rtl);
    await page.evaluate(() => Object.assign(window.kinds.config, { labels: { language: 'ar', snooze: 'لاحقا' } }));
    await show(page, tour({ snooze_choices: ['1d', '3d'] }));
    await press('لاحقا');
    expect(await items()).toEqual(['غدًا', 'خلال ٣ أيام'].map((text) => expect.stringMatching(text.slice(0, 2))));
    await page.evaluate(() => Object.assign(window.kinds.config, { labels: undefined }));
  });
});

describe('a step at an element', () => {
  const covers = async () => {
    const [box, target] = [await boxOf('.box'), await boxOf('#target')];
    return box.x < target.right && box.right > target.x && box.y < target.bottom && box.bottom > target.y;
  };
  const side = () => page.locator('.box').getAttribute('data-side');
  const long = { title: ['Hello'], body: [['p', 'Some words. '.repeat(60)]] as never };
  const target = (style: string, around = (inner: string) => inner) => ({
    body: around(`<button id="target" style="position:absolute;width:80px;height:40px;${style}">Here</button>`),
  });

  it.each([
    ['left:20px;top:380px', 'right'],
    ['right:20px;top:380px', 'left'],
    ['left:600px;top:20px', 'bottom'],
    ['left:600px;bottom:20px', 'top'],
  ])('is where there is most room: %s', async (style, expected) => {
    for (const options of [{}, rtl]) {
      await opened(tour(at('#target')), { ...target(style), ...options });
      expect(await side()).toBe(expected);
      expect(await covers()).toBe(false);
    }
  });

  it('is where there is most room after the page has scrolled to its element', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const tall = (inner: string) => `<div style="height:5000px">${inner}</div>`;
    await opened(tour(at('#target')), target('left:20px;top:3000px', tall));
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(2400);
    await expect.poll(side).toBe('right');
    expect(await covers()).toBe(false);
  });

  it('stays at its side while the page scrolls', async () => {
    const tall = (inner: string) => `<div style="height:3000px">${inner}</div>`;
    await opened(tour(at('#target')), target('left:600px;top:780px', tall));
    await page.waitForTimeout(250);
    const seen: (string | null)[] = [];
    for (const top of [400, 430, 460, 430, 400, 430, 460, 500]) {
      await page.evaluate((to) => scrollTo(0, to), top);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      seen.push(await side());
      expect(await covers()).toBe(false);
    }
    expect(new Set(seen).size).toBe(1);
  });

  it('does not cover an element in a scrolled container', async () => {
    const around = (inner: string) =>
      `<div id="list" style="position:absolute;left:400px;top:200px;width:300px;height:300px;overflow:auto"><div style="position:relative;height:1500px">${inner}</div></div>`;
    await opened(tour(at('#target')), target('left:100px;top:300px', around));
    for (const top of [60, 180, 220, 280, 300]) {
      await page.evaluate((to) => document.querySelector('#list')?.scrollTo(0, to), top);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      expect([top, await covers()]).toEqual([top, false]);
    }
  });

  it.each([60, 240, 420])('becomes lower instead of covering an element at %i of a small phone', async (top) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await opened(tour({ ...at('#target'), ...long }), target(`left:120px;top:${top}px`));
    await expect.poll(covers).toBe(false);
    const box = await boxOf('.box');
    expect(box.x >= 0 && box.right <= 320 && box.y >= 0 && box.bottom <= 568).toBe(true);
    expect(await page.getByRole('button', { name: 'Done' }).isVisible()).toBe(true);
    const main = page.locator('.main');
    const before = await boxOf('.box');
    await main.evaluate((element) => element.scrollTo(0, 40));
    await page.evaluate(() => dispatchEvent(new Event('resize')));
    await page.waitForTimeout(250);
    expect(await main.evaluate(({ scrollTop }) => scrollTop)).toBe(40);
    expect(await boxOf('.box')).toEqual(before);
  });
});

describe('a step that waits until the user is about to leave', () => {
  const leaving = (step: Partial<PageStep> = {}) => tour({ secondary_trigger: 'exit_intent', ...step });
  const long = '<div style="height:8000px">Long</div>';
  /** Chromium tells a page that the pointer has left, as if it was moved over the tabs. */
  const leave = (on: Page, clientY: number, into: boolean) =>
    on.evaluate(
      ([clientY, into]) =>
        document.body.dispatchEvent(
          new MouseEvent('mouseout', { clientY, bubbles: true, relatedTarget: into ? document.body : null }),
        ),
      [clientY, into] as const,
    );

  it('shows when the pointer leaves the window at its top, and at no other side', async () => {
    await opened(leaving());
    await leave(page, 400, false);
    await leave(page, 0, true);
    await page.mouse.wheel(0, 400);
    expect(await dialog().count()).toBe(0);
    await leave(page, -1, false);
    await dialog().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('shows when a real pointer leaves the window', async () => {
    await opened(leaving());
    await page.mouse.move(300, 300);
    await page.mouse.move(300, -5);
    await dialog().waitFor();
  });

  it('never keeps the user on the page', async () => {
    await opened(leaving());
    const prompts: string[] = [];
    const record = (prompt: { type(): string; accept(): Promise<void> }) => {
      prompts.push(prompt.type());
      return prompt.accept();
    };
    page.on('dialog', record);
    await page.mouse.click(600, 500);
    await page.goto(`${HREF}next`);
    page.off('dialog', record);
    expect(prompts).toEqual([]);
  });

  it('waits for a fast swipe up on a touch screen, and not for code of the page that scrolls', async () => {
    const phone = await openPage(
      { body: long },
      { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
    );
    await show(phone, leaving());
    /** Moves the page up in four parts, with the finger on it or without. */
    const moveUp = (pause: number, isTouched: boolean) =>
      phone.evaluate(
        async ([pause, isTouched]) => {
          scrollTo({ top: 4000, behavior: 'instant' });
          await new Promise((done) => setTimeout(done, 700));
          for (let part = 1; part <= 4; part++) {
            if (isTouched) document.body.dispatchEvent(new Event('touchmove', { bubbles: true }));
            scrollTo({ top: 4000 - part * 150, behavior: 'instant' });
            await new Promise((done) => setTimeout(done, pause));
          }
        },
        [pause, isTouched] as const,
      );
    await moveUp(30, false);
    await moveUp(250, true);
    expect(await phone.getByRole('dialog').count()).toBe(0);
    await moveUp(30, true);
    await phone.getByRole('dialog').waitFor();
    await phone.close();
  });

  it('waits until a tab is visible again on a touch screen', async () => {
    const phone = await openPage(
      { body: long },
      { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
    );
    await show(phone, leaving());
    const hide = (isHidden: boolean) =>
      phone.evaluate((isHidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    expect(await phone.getByRole('dialog').count()).toBe(0);
    await hide(false);
    await phone.getByRole('dialog').waitFor();
    await phone.close();
  });
});

describe('a step that waits until the user has scrolled', () => {
  const scrolled = (percent: number, step: Partial<PageStep> = {}) =>
    tour({ secondary_trigger: 'scroll_percent', trigger_scroll_percent: percent, ...step });
  const long = (height: number) => `<div id=long style="height:${height}px">Long</div>`;
  const scrollTo = (top: number, selector?: string) =>
    page.evaluate(
      ([top, selector]) =>
        ((selector && document.querySelector(selector)) || document.scrollingElement)?.scrollTo({
          top,
          behavior: 'instant',
        }),
      [top, selector] as const,
    );
  const settled = () => page.evaluate(() => new Promise((done) => setTimeout(done, 300)));

  it('shows at that part of the page, and stays when the user scrolls back', async () => {
    await opened(scrolled(50), { body: long(2800) });
    await scrollTo(900);
    await settled();
    expect(await dialog().count()).toBe(0);
    await scrollTo(1000);
    await dialog().waitFor();
    await scrollTo(0);
    await settled();
    expect(await dialog().count()).toBe(1);
  });

  it('measures the page as long as it is now', async () => {
    await opened(scrolled(50), { body: long(1800) });
    await page.evaluate(() => {
      (document.querySelector('#long') as HTMLElement).style.height = '4800px';
    });
    await scrollTo(600);
    await settled();
    expect(await dialog().count()).toBe(0);
    await scrollTo(2000);
    await dialog().waitFor();
  });

  it('counts a page that is too short to scroll as 100 percent, but only when it stays short', async () => {
    await opened(scrolled(100), { body: '<p>Loading</p>' });
    await settled();
    expect(await dialog().count()).toBe(0);
    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), long(3000));
    await page.evaluate(() => new Promise((done) => setTimeout(done, 1500)));
    expect(await dialog().count()).toBe(0);
    await page.evaluate(() => document.querySelector('#long')?.remove());
    await dialog().waitFor();
  });

  it('measures what its element scrolls in, and not the page', async () => {
    const body = `<div id=box style="height:300px;overflow:auto"><p id=in>In</p>${long(1300)}</div><div style="height:3000px"></div>`;
    for (const selector of ['#box', '#in']) {
      await opened(scrolled(50, { elements: [{ selector }] }), { body });
      await scrollTo(3000);
      await settled();
      expect(await dialog().count()).toBe(0);
      await scrollTo(700, '#box');
      await dialog().waitFor();
      await clear(page);
    }
  });

  it('measures what scrolls in the center where the page itself does not scroll', async () => {
    const body = `<main id=main style="position:fixed;inset:0;overflow:auto;display:block;max-width:none;padding:0">${long(2800)}</main>`;
    await opened(scrolled(50), { body });
    await page.evaluate(() => new Promise((done) => setTimeout(done, 1500)));
    expect(await dialog().count()).toBe(0);
    await scrollTo(1000, '#main');
    await dialog().waitFor();
  });

  it('waits for its delay after that, and shows immediately on a page that is scrolled already', async () => {
    await load(page, { body: long(2800) });
    await scrollTo(1500);
    await show(page, scrolled(50, { trigger_delay: 3 }));
    await settled();
    expect(await dialog().count()).toBe(0);
    await dialog().waitFor();
  });
});

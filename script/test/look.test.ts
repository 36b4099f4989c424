import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageExperience, PageStep } from '../src/wire.ts';
import { afterFrames } from './frames.ts';
import { gallery } from './kinds-gallery.ts';
import { calls, clear, load, openPage, type PageOptions, show, showAlone } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

/** A page with reduced motion. */
let page: Page;
/** A page with motion. */
let moving: Page;
beforeAll(async () => {
  page = await openPage();
  moving = await openPage({}, { reducedMotion: 'no-preference' });
});
afterAll(closeContexts);

const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' as const });
const tour = (...steps: Partial<PageStep>[]): Partial<PageExperience> => ({
  ...{ id: 'e', kind: 'tour' },
  steps: steps.map((step, index) => ({ id: `s${index + 1}`, title: [`Step ${index + 1}`], ...step })),
});
const survey = (...steps: Partial<PageStep>[]): Partial<PageExperience> => ({ ...tour(...steps), kind: 'survey' });
const thanks = { preset: 'thank_you', title: ['Thank you'] };
const rectOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => {
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    return { left, top, right, bottom, width, height };
  });
const styleOf = (page: Page, selector: string, name: string) =>
  page.locator(selector).evaluate((one, key) => getComputedStyle(one).getPropertyValue(key), name);

/** Records the elements of each frame, until it is stopped. */
async function recordFrames(page: Page): Promise<() => Promise<{ left?: number; isDim: boolean; hasBox: boolean }[]>> {
  await page.evaluate(() => {
    const frames: unknown[] = [];
    const record = () => {
      const root = document.querySelector('usher-layer')?.shadowRoot;
      const opacity = (selector: string) =>
        [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])].some(
          (one) => one.checkVisibility({ visibilityProperty: true }) && Number(getComputedStyle(one).opacity) > 0.1,
        );
      frames.push({
        left: root?.querySelector('.box:not([inert])')?.getBoundingClientRect().left,
        isDim: opacity('.dim'),
        hasBox: opacity('.box'),
      });
      if (frames.length < 600) requestAnimationFrame(record);
    };
    Object.assign(window, { frames });
    record();
  });
  return () =>
    page.evaluate(() =>
      (window as unknown as { frames: { left: number; isDim: boolean; hasBox: boolean }[] }).frames.splice(0, 600),
    );
}

describe('the ring around a target', () => {
  it.each([
    ['8px', '12px'],
    ['50%', '50%'],
    ['0', '4px'],
  ])('has a radius that fits a target with a radius of %s', async (radius, expected) => {
    await load(page, { css: `#new{border-radius:${radius}!important}` });
    await show(page, tour({ ...at('#new'), backdrop: true }));
    expect(await styleOf(page, '.ring', 'border-radius')).toBe(expected);
  });

  it('is 4 pixels around its target and follows it, with a backdrop and without', async () => {
    for (const backdrop of [true, false]) {
      await load(page);
      await show(page, tour({ ...at('#one'), backdrop }));
      const distances = async () => {
        const [ring, target] = [await rectOf(page, '.ring'), await rectOf(page, '#one')];
        return [target.left - ring.left, target.top - ring.top, ring.right - target.right, ring.bottom - target.bottom];
      };
      expect(await distances()).toEqual([4, 4, 4, 4]);
      await page.addStyleTag({ content: '#one{transform:translate(40px,90px);width:180px}' });
      await expect.poll(distances).toEqual([4, 4, 4, 4]);
      expect(await styleOf(page, '.ring', 'outline-style')).toBe('solid');
      expect(await page.locator('.dim').count()).toBe(backdrop ? 1 : 0);
    }
  });

  it('receives no clicks', async () => {
    await load(page);
    await page.evaluate(() =>
      document.querySelector('#new')?.addEventListener('click', () => (document.title = 'clicked')),
    );
    await show(page, tour(at('#new')));
    await page.click('#new');
    expect(await page.title()).toBe('clicked');
  });

  it('does not mark the target of a tooltip', async () => {
    await load(page);
    await showAlone(page, 'a tooltip');
    expect(await page.locator('.ring').count()).toBe(0);
  });
});

describe('motion', () => {
  const steps = tour({ ...at('#new'), backdrop: true }, { ...at('#search'), backdrop: true }, { backdrop: true });

  it('lets box and ring glide to the next step, and never dims the page without a box', async () => {
    await load(moving);
    const shifts = await moving.evaluateHandle(() => {
      const entries: number[] = [];
      new PerformanceObserver((list) =>
        entries.push(...list.getEntries().map((entry) => (entry as unknown as { value: number }).value)),
      ).observe({ type: 'layout-shift', buffered: true });
      return entries;
    });
    await show(moving, steps);
    await afterFrames(moving, 25);
    const stop = await recordFrames(moving);
    await moving.getByRole('button', { name: 'Next' }).click();
    await afterFrames(moving, 25);
    const frames = await stop();
    const lefts = new Set(frames.map(({ left }) => left && Math.round(left)));
    // The box was at more places than the first and the last one, so it moved gradually.
    expect(lefts.size).toBeGreaterThan(3);
    expect(frames.filter(({ isDim, hasBox }) => isDim && !hasBox)).toEqual([]);
    expect(frames.filter(({ isDim }) => !isDim)).toEqual([]);
    expect(await moving.locator('.box').count()).toBe(1);
    await moving.getByRole('button', { name: 'Next' }).click();
    await afterFrames(moving, 20);
    expect(await shifts.evaluate((entries) => entries)).toEqual([]);
    await clear(moving);
  });

  it('fades the last step out, which is inert meanwhile, and leaves nothing on the page', async () => {
    await load(moving);
    await show(moving, tour({ backdrop: true }));
    await afterFrames(moving, 20);
    const stop = await recordFrames(moving);
    await moving.keyboard.press('Escape');
    expect(await moving.locator('.box:not([inert])').count()).toBe(0);
    await expect.poll(() => moving.locator('usher-layer').count()).toBe(0);
    const frames = await stop();
    expect(frames.filter(({ isDim, hasBox }) => isDim && !hasBox)).toEqual([]);
  });

  it('stops with reduced motion: the next step is at its place immediately, and the last one is gone', async () => {
    await load(page);
    await show(page, steps);
    await page.getByRole('button', { name: 'Next' }).click();
    const running = await page.evaluate(
      () => document.querySelector('usher-layer')?.shadowRoot?.getAnimations().length ?? 0,
    );
    expect([running, await page.locator('.box').count(), await page.locator('[inert]').count()]).toEqual([0, 1, 0]);
    await page.keyboard.press('Escape');
    expect(await page.locator('usher-layer').count()).toBe(0);
  });
});

describe('the color scheme', () => {
  const dark = 'rgb(29, 33, 43)';
  const light = 'rgb(255, 255, 255)';

  it.each([
    ['of the page that declares dark', ':root{color-scheme:dark}', 'light', dark],
    ['of the page that declares light', ':root{color-scheme:light}', 'dark', light],
    ['of a dark background', 'body{background:#101010!important}', 'light', dark],
    ['of a light background', 'body{background:#fafafa!important}', 'dark', light],
    ['of a dark background in another notation', 'body{background:oklch(0.2 0.02 250)!important}', 'light', dark],
    ['of the background of the root', 'html{background:#111}body{background:none!important}', 'light', dark],
    ['of the browser, which is light without a background', 'body{background:none!important}', 'dark', light],
    [
      'of the user if the page follows it',
      ':root{color-scheme:light dark}body{background:none!important}',
      'dark',
      dark,
    ],
  ] as const)('is the one %s', async (_, css, colorScheme, expected) => {
    await page.emulateMedia({ colorScheme });
    await load(page, { css });
    await showAlone(page, 'a modal');
    expect(await styleOf(page, '.box', 'background-color')).toBe(expected);
    await page.emulateMedia({ colorScheme: 'light' });
  });
});

describe('a phone', () => {
  let phone: Page;
  const options: BrowserContextOptions = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
  beforeAll(async () => {
    phone = await openPage({}, options);
  });

  it('has targets of 44 by 44 pixels', async () => {
    for (const name of Object.keys(gallery)) {
      await showAlone(phone, name);
      const small = await phone.locator('.box :is(button, select, input, .item), .open, .hint').evaluateAll((all) =>
        all.flatMap((one) => {
          const { width, height } = (one.closest('.item') ?? one).getBoundingClientRect();
          // An icon in the page is smaller, but receives the clicks around it.
          const around = getComputedStyle(one, '::after');
          const isHintHit = one.matches('.hint') && around.width === '44px' && around.height === '44px';
          return isHintHit || (width >= 44 && height >= 44) ? [] : [`${one.outerHTML} ${width} × ${height}`];
        }),
      );
      expect([name, small]).toEqual([name, []]);
    }
  });

  it('shows boxes that are not beside an element as sheets at the bottom', async () => {
    const sheets = [
      'a modal',
      'a slideout',
      'an NPS',
      'a question for words',
      'a thank-you',
      'a launcher',
      'a checklist',
    ];
    for (const name of sheets) {
      await showAlone(phone, name);
      const { left, right, bottom } = await rectOf(phone, '.box');
      expect([name, left, right, bottom]).toEqual([name, 0, 375, 740]);
    }
    await showAlone(phone, 'a step at an element');
    expect((await rectOf(phone, '.box')).bottom).toBeLessThan(400);
  });

  it('has the numbers of an NPS in two rows of equal buttons, and a wide window has them in one', async () => {
    const rows = async (page: Page) => {
      await showAlone(page, 'an NPS');
      const rects = await page.locator('.scale .act').evaluateAll((all) =>
        all.map((one) => {
          const { left, width, top, height } = one.getBoundingClientRect();
          return { left, width, top, height };
        }),
      );
      return [...new Set(rects.map(({ top }) => top))].map((row) => {
        const inRow = rects.filter(({ top }) => top === row);
        const widths = inRow.map(({ width }) => Math.round(width));
        expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
        expect(Math.min(...inRow.map(({ width, height }) => Math.min(width, height)))).toBeGreaterThanOrEqual(24);
        return [inRow.length, Math.round(inRow[0]?.left ?? 0), widths[0]];
      });
    };
    const [first, second, ...others] = await rows(phone);
    expect([first?.[0], second?.[0], others]).toEqual([6, 5, []]);
    expect(first?.slice(1)).toEqual(second?.slice(1));
    // With two rows, the label is not below its number, so it names the number.
    expect(
      await phone
        .locator('.ends span')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one, '::before').content)),
    ).toEqual(['"0 – "', '"10 – "']);
    await load(page);
    expect((await rows(page)).map(([count]) => count)).toEqual([11]);
  });
});

describe('the progress of a tour', () => {
  it('is a dot for each step, and numbers for more than seven', async () => {
    const steps = (count: number) => tour(...Array.from({ length: count }, () => ({})));
    await load(page);
    await show(page, steps(7));
    const progress = page.getByRole('img', { name: 'Step 1 of 7' });
    expect([await progress.locator('i').count(), await progress.innerText()]).toEqual([7, '']);
    await clear(page);
    await show(page, steps(12));
    expect(await page.getByRole('img', { name: 'Step 1 of 12' }).innerText()).toBe('1 / 12');
  });
});

describe('the primary button', () => {
  it('is the last one, whatever the order of the author', async () => {
    await load(page);
    const buttons = [
      { id: 'b1', text: ['Show me'], tour_action: 'next' as const },
      { id: 'b2', text: ['No'], tour_action: 'exit' as const },
    ];
    for (const order of [buttons, [...buttons].reverse()]) {
      await show(page, tour({ buttons: order }));
      expect(await page.locator('.acts .act').allInnerTexts()).toEqual(['No', 'Show me']);
      expect(await page.locator('.act.first').innerText()).toBe('Show me');
      await clear(page);
    }
  });
});

describe('the answers of a survey', () => {
  it.each(['light', 'dark'] as const)('have a color each, with a contrast of at least 4.5, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await load(page);
    for (const name of ['an NPS', 'a CES', 'a CSAT']) {
      await showAlone(page, name);
      const contrasts = await page.locator('.scale .act').evaluateAll((all) => {
        const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
        const luminance = (color: string) => {
          context.fillStyle = color;
          context.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
            value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (one: Element) => {
          const { color, backgroundColor } = getComputedStyle(one);
          const [a, b] = [luminance(color), luminance(backgroundColor)];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        };
        return all.map((one) => {
          const plain = [getComputedStyle(one).backgroundColor, contrast(one)] as const;
          one.classList.add('on');
          return [...plain, contrast(one)] as const;
        });
      });
      expect(new Set(contrasts.map(([color]) => color)).size).toBe(contrasts.length);
      // The face of a CSAT is a graphic, which needs a contrast of 3.
      const min = name === 'a CSAT' ? 3 : 4.5;
      expect([name, contrasts.filter(([, plain, selected]) => plain < min || selected < min)]).toEqual([name, []]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('show which one is selected before the next step, and count once', async () => {
    await load(moving);
    await show(moving, survey({ preset: 'survey_nps' }, thanks));
    await calls(moving);
    await moving.evaluate(() => {
      const buttons = document.querySelector('usher-layer')?.shadowRoot?.querySelectorAll<HTMLElement>('.scale .act');
      buttons?.[7]?.click();
      buttons?.[2]?.click();
    });
    expect(await moving.locator('.scale .on').allInnerTexts()).toEqual(['7']);
    await moving.getByRole('dialog', { name: 'Thank you' }).waitFor();
    const responses = (await calls(moving)).filter((call) => (call as { response?: object }).response);
    expect(responses).toMatchObject([{ response: { value: '7' } }]);
    await clear(moving);
  });

  it('do not lead on if the survey is closed meanwhile', async () => {
    await load(moving);
    await moving.clock.install();
    await show(moving, survey({ preset: 'survey_nps' }, thanks));
    await moving.evaluate(() => {
      const root = document.querySelector('usher-layer')?.shadowRoot;
      root?.querySelector<HTMLElement>('.scale .act')?.click();
      root?.querySelector<HTMLElement>('.x')?.click();
    });
    await moving.clock.runFor(1000);
    expect((await calls(moving)).at(-1)).toEqual({ state: 'exited', step_id: 's1' });
  });
});

describe('a thank-you', () => {
  const open = async (step: Partial<PageStep> = {}, options?: PageOptions) => {
    await load(page, options);
    await page.clock.install();
    await page.mouse.move(5, 5);
    await show(page, survey({ ...thanks, screen_position: 'bottom_right', ...step }));
    await calls(page);
  };
  const box = () => page.getByRole('dialog', { name: 'Thank you' });

  it('has a tick and a close button, and closes after a few seconds', async () => {
    await open();
    expect([await box().locator('.tick svg').count(), await box().locator('.x').count()]).toEqual([1, 1]);
    await page.clock.runFor(3500);
    expect(await box().count()).toBe(1);
    await page.clock.runFor(4000);
    expect(await box().count()).toBe(0);
    expect(await calls(page)).toEqual([{ state: 'completed', step_id: 's1' }]);
  });

  it('stays while the pointer is on it, and closes a few seconds after', async () => {
    await open();
    await box().hover();
    await page.clock.runFor(60_000);
    expect(await box().count()).toBe(1);
    await page.mouse.move(5, 5);
    await page.clock.runFor(3500);
    expect(await box().count()).toBe(1);
    await page.clock.runFor(4000);
    expect(await box().count()).toBe(0);
  });

  it('stays while the keyboard has the focus in it', async () => {
    await open({ screen_position: 'center' });
    await page.keyboard.press('Tab');
    await page.clock.runFor(60_000);
    expect(await box().count()).toBe(1);
  });

  it('stays if it has a button', async () => {
    await open({ buttons: [{ id: 'b1', text: ['Read more'] }] });
    await page.clock.runFor(60_000);
    expect(await box().count()).toBe(1);
  });
});

describe('a launcher', () => {
  const fixed = (style: string) => `<p>Words</p><button id=chat style="position:fixed;${style}">Chat</button>`;
  const help: Partial<PageExperience> = { id: 'l', kind: 'launcher', title: ['Help'], items: [] };
  const overlap = async () => {
    const [launcher, chat] = [await rectOf(page, '.open'), await rectOf(page, '#chat')];
    return (
      launcher.left < chat.right &&
      launcher.right > chat.left &&
      launcher.top < chat.bottom &&
      launcher.bottom > chat.top
    );
  };

  it.each([
    ['bottom_right', 'right:20px;bottom:20px;width:60px;height:60px'],
    ['bottom_left', 'left:0;right:0;bottom:0;height:56px;width:100%'],
    ['top_right', 'right:10px;top:10px;width:60px;height:60px'],
  ] as const)('at %s moves away from a fixed button of the page', async (screen_position, style) => {
    await load(page, { body: fixed(style) });
    await show(page, { ...help, screen_position });
    expect(await overlap()).toBe(false);
    await page.locator('.open').click();
    const { top, bottom } = await rectOf(page, '.box');
    expect([top >= 0, bottom <= 800]).toEqual([true, true]);
  });

  it('moves away when the window is resized, and back', async () => {
    await load(page, { body: fixed('left:calc(100vw - 640px);bottom:20px;width:600px;height:60px') });
    await show(page, { ...help, screen_position: 'bottom_left' });
    const before = await rectOf(page, '.open');
    expect(before.bottom).toBe(784);
    await page.setViewportSize({ width: 640, height: 800 });
    await expect.poll(overlap).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => rectOf(page, '.open')).toEqual(before);
  });

  it('stays in its corner over an application that is fixed as a whole', async () => {
    await load(page, { body: '<div style="position:fixed;inset:0;background:#fff">App</div>' });
    await show(page, help);
    expect((await rectOf(page, '.open')).bottom).toBe(784);
  });
});

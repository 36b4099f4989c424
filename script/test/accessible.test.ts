import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageExperience, PageStep } from '../src/wire.ts';
import { gallery } from './kinds-gallery.ts';
import { calls, clear, focused, HREF, load, openPage, show, showAlone, violations } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

let page: Page;
beforeAll(async () => {
  page = await openPage();
});
afterAll(closeContexts);

const names = Object.keys(gallery);
const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' as const });
const dialog = (name?: string) => page.getByRole('dialog', name ? { name } : {});
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
/** Returns the names that Tab reaches, in order. */
async function walk(count: number, key = 'Tab'): Promise<string[]> {
  const walked: string[] = [];
  for (let turn = 0; turn < count; turn++) {
    await page.keyboard.press(key);
    walked.push(await focused(page));
  }
  return walked;
}
const tour = (...steps: PageStep[]): Partial<PageExperience> => ({ id: 'e', kind: 'tour', steps });

describe('every Experience', () => {
  beforeAll(() => load(page));

  it.each(['light', 'dark'] as const)('has no violation that axe finds, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const name of names) {
      await showAlone(page, name);
      expect([name, await violations(page)]).toEqual([name, []]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('has accessible names and closes on Escape unless it is a part of the page', async () => {
    for (const name of names) {
      await showAlone(page, name);
      const unnamed = await page
        .locator('.box, .box :is(button, a, input, textarea, select), .open, .hint')
        .evaluateAll((all) =>
          all.filter((one) => !(one.ariaLabel ?? one.textContent)?.trim()).map(({ outerHTML }) => outerHTML),
        );
      const isPart = await page.locator('.box').evaluate((box) => box.matches('.inline'));
      await press('Escape');
      expect([name, unnamed, await page.locator('.box').count()]).toEqual([name, [], isPart ? 1 : 0]);
    }
  });

  it('is animated only if the user does not prefer reduced motion', async () => {
    const motion = () =>
      page.locator('.box, .act, .ring').evaluateAll((all) =>
        all.map((one) => {
          const { animationName, transitionDuration } = getComputedStyle(one);
          return `${animationName} ${transitionDuration}`;
        }),
      );
    await showAlone(page, 'a modal');
    expect(new Set(await motion())).toEqual(new Set(['none 0s']));
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(new Set(await motion())).toEqual(new Set(['in 0s', 'none 0.12s']));
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  it('is not printed', async () => {
    await showAlone(page, 'a modal');
    await show(page, gallery['an embedded card'] as PageExperience);
    await show(page, gallery['a launcher'] as PageExperience);
    await page.emulateMedia({ media: 'print' });
    const visible = () =>
      page.locator('.box, .open').evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
    expect(await visible()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    expect(await visible()).toBe(3);
  });
});

describe('the contrast that the user prefers', () => {
  const styleOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { borderTopWidth, borderTopColor, outlineStyle, outlineWidth } = getComputedStyle(element);
        return { borderTopWidth, borderTopColor, outline: `${outlineWidth} ${outlineStyle}` };
      });
  beforeAll(() => load(page));
  afterAll(() => page.emulateMedia({ forcedColors: 'none', contrast: 'no-preference' }));

  it('shows the primary button, the selected answer, the focus and the progress with forced colors', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await showAlone(page, 'a modal');
    expect((await styleOf('.act.first')).borderTopWidth).toBe('3px');
    await showAlone(page, 'a CSAT');
    const face = page.locator('.scale .act').first();
    expect((await styleOf('.scale .act')).borderTopWidth).toBe('0px');
    await face.evaluate((element) => element.classList.add('on'));
    expect((await styleOf('.scale .act')).borderTopWidth).toBe('3px');
    await face.focus();
    await press('ArrowRight');
    expect((await styleOf('.scale .act:focus')).outline).toBe('2px solid');
    await showAlone(page, 'a checklist');
    expect((await styleOf('.bar')).outline).toBe('1px solid');
  });

  it('draws borders in the color of the text where the user prefers more contrast', async () => {
    await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
    await showAlone(page, 'an NPS');
    const color = await page.locator('.box').evaluate((box) => getComputedStyle(box).color);
    expect((await styleOf('.box')).borderTopColor).toBe(color);
    expect((await styleOf('.scale .act')).borderTopColor).toBe(color);
  });
});

describe('a window of 320 by 256 pixels, which is 1280 by 1024 zoomed to 400 %', () => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 320, height: 256 });
    await load(page);
  });
  afterAll(() => page.setViewportSize({ width: 1280, height: 800 }));

  it.each(['ltr', 'rtl'])('cuts nothing off, and everything can be scrolled to (%s)', async (dir) => {
    await page.evaluate((value) => document.documentElement.setAttribute('dir', value), dir);
    for (const name of names) {
      await showAlone(page, name);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      const lost = await page
        .locator('.box :is(h2, p, li, button, a, input, textarea, select, .count, .ends span)')
        .evaluateAll((all) =>
          all.flatMap((one) => {
            one.scrollIntoView({ block: 'center' });
            const { left, right, top, bottom } = one.getBoundingClientRect();
            const middle = (top + bottom) / 2;
            const isWithin = left >= 0 && right <= 320 && middle > 0 && middle < 256;
            const hit = (one.getRootNode() as ShadowRoot).elementFromPoint((left + right) / 2, middle);
            // The whole item of a list can be clicked, not only its text.
            const around = one.closest('.item') ?? one;
            return isWithin && (around.contains(hit) || hit?.contains(one)) ? [] : [`${one.outerHTML} ${left},${top}`];
          }),
        );
      expect([name, lost]).toEqual([name, []]);
    }
  });
});

describe('a page from right to left', () => {
  it.each(['a slideout', 'an NPS', 'a checklist', 'an empty launcher', 'a modal', 'a banner'])(
    '%s is mirrored',
    async (name) => {
      const places = async (dir: string) => {
        await load(page, { html: `dir=${dir}` });
        await showAlone(page, name);
        return page.locator('.box, .box .x, .open').evaluateAll((all) =>
          all.map((one) => {
            const { left, right, top, width } = one.getBoundingClientRect();
            return [left, innerWidth - right, top, width].map(Math.round);
          }),
        );
      };
      const [ltr, rtl] = [await places('ltr'), await places('rtl')];
      expect(rtl).toEqual(ltr.map(([left, right, ...rest]) => [right, left, ...rest]));
    },
  );

  it('points the arrow of a box at its element', async () => {
    await load(page, { html: 'dir=rtl' });
    await showAlone(page, 'a step at an element');
    const { target, arrow } = await page.locator('.box').evaluate((box) => {
      const { dataset, style } = box as HTMLElement;
      const isBeside = dataset.side === 'left' || dataset.side === 'right';
      const [start, size] = isBeside ? (['top', 'height'] as const) : (['left', 'width'] as const);
      const element = (document.querySelector('#new') as Element).getBoundingClientRect();
      return {
        target: element[start] + element[size] / 2,
        arrow: box.getBoundingClientRect()[start] + Number.parseFloat(style.getPropertyValue('--arrow')),
      };
    });
    expect(Math.abs(target - arrow)).toBeLessThan(2);
  });
});

describe('the keyboard alone', () => {
  beforeEach(() => load(page));

  it('walks a tour to its end, and the focus goes back', async () => {
    await page.focus('#new');
    await show(
      page,
      tour(
        { id: 's1', title: ['One'], backdrop: true },
        { id: 's2', title: ['Two'], ...at('#churn') },
        { id: 's3', title: ['Three'], screen_position: 'bottom_right' },
      ),
    );
    expect(await focused(page)).toBe('One');
    await press('Tab', 'Enter');
    expect(await focused(page)).toBe('Two');
    expect(await walk(2)).toEqual(['Back', 'Next']);
    await press('Enter');
    expect(await focused(page)).toBe('Three');
    await press('Tab', 'Tab', 'Enter');
    expect(await focused(page)).toBe('New report');
    expect((await calls(page)).at(-1)).toEqual({ state: 'completed', step_id: 's3' });
  });

  it('keeps Tab inside of a modal, and lets it leave any other box', async () => {
    await show(page, tour({ id: 's1', title: ['One'], backdrop: true }));
    expect(await walk(4)).toEqual(['Done', 'Close', 'Done', 'Close']);
    expect(await walk(2, 'Shift+Tab')).toEqual(['Done', 'Close']);
    await clear(page);
    await show(page, tour({ id: 's1', title: ['One'], ...at('#churn') }));
    const walked = await walk(6);
    expect(walked.slice(0, 2)).toEqual(['Done', 'Close']);
    expect(walked).toContain('New report');
    expect(await dialog('One').count()).toBe(1);
  });

  it('answers a survey', async () => {
    await show(page, {
      ...{ id: 'e', kind: 'survey' },
      steps: [
        { id: 'q', title: ['How is it?'], preset: 'survey_nps' },
        { id: 'why', title: ['Why?'], preset: 'response' },
        { id: 'list', title: ['Where from?'], preset: 'survey_dropdown', dropdown_items: [['Search'], ['A friend']] },
        { id: 'bye', title: ['Thanks'], preset: 'thank_you' },
      ],
    });
    expect(await focused(page)).toBe('How is it?');
    await press('Tab', 'ArrowRight', 'ArrowRight', 'Enter');
    expect(await focused(page)).toBe('Why?');
    await press('Tab');
    await page.keyboard.type('So so');
    await press('Tab', 'Tab', 'Enter');
    await press('Tab');
    await page.keyboard.type('A fr');
    await press('Tab', 'Enter');
    expect(await focused(page)).toBe('Thanks');
    await press('Tab', 'Enter');
    expect((await calls(page)).filter((call) => (call as { response?: object }).response)).toEqual([
      { step_id: 'q', href: HREF, response: { value: '2' } },
      { step_id: 'why', href: HREF, response: { input: 'So so' } },
      { step_id: 'list', href: HREF, response: { value: 'A friend', index: 1 } },
    ]);
    expect(await dialog().count()).toBe(0);
  });

  it('reaches, opens and uses a launcher', async () => {
    await show(page, gallery['a checklist'] as PageExperience);
    // The launcher comes after the page in the tab order.
    await page.focus('#search');
    expect(await walk(1)).toEqual(['Get started 1']);
    await press('Enter');
    expect(await focused(page)).toBe('Get started');
    expect(await walk(2)).toEqual(['Connect your data (Completed)', 'Create a report']);
    await press('Enter');
    expect((await calls(page)).at(-1)).toMatchObject({ show: 'c2' });
    expect(await focused(page)).toBe('Get started 1');
  });

  it('opens a tooltip on focus and closes it on blur', async () => {
    await show(page, { id: 'e', kind: 'tooltip', steps: [{ id: 's1', title: ['Make one'], ...at('#new') }] });
    await press('Tab');
    await page.getByRole('tooltip').waitFor();
    expect(await focused(page)).toBe('New report');
    await press('Tab');
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
  });

  it('reaches the buttons of a tooltip from its icon', async () => {
    await show(page, gallery['a tooltip at an icon'] as PageExperience);
    await page.focus('#search');
    expect(await walk(1)).toEqual(['More: Who left.']);
    await press('Enter');
    expect(await walk(1)).toEqual(['Show me']);
    await press('Escape');
    expect(await focused(page)).toBe('More: Who left.');
  });
});

describe('screen readers', () => {
  beforeEach(() => load(page));

  it('hear whether a launcher is open, and the progress of a checklist', async () => {
    await showAlone(page, 'a checklist');
    expect(await page.locator('.open').getAttribute('aria-expanded')).toBe('true');
    const bar = page.getByRole('progressbar', { name: 'Get started' });
    expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')]).toEqual(['1', '2']);
    await press('Escape');
    expect(await page.locator('.open').getAttribute('aria-expanded')).toBe('false');
  });
});

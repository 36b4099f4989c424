import type { RichText } from '@usher/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { PageExperience, PageStep } from '../src/wire.ts';
import { uid, useHarness } from './browser.ts';
import { gallery } from './kinds-gallery.ts';
import { load, openPage, show } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

let page: Page;
beforeAll(async () => {
  page = await openPage();
});
afterAll(closeContexts);
beforeEach(() => load(page));

const step: PageStep = { id: 's1', title: ['Hallo'], body: [['p', 'Willkommen']], backdrop: true };
const tour = (fields: Partial<PageStep> = {}): Partial<PageExperience> => ({
  ...{ id: 'e', kind: 'tour' },
  steps: [{ ...step, ...fields }, { id: 's2' }],
});
const german = { language: 'de', direction: 'ltr' as const };
const arabic = { language: 'ar', direction: 'rtl' as const };

/** Returns the language that browsers and screen readers use for each element. */
const languageOf = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      let node: Element | null = element;
      while (node && !node.hasAttribute('lang'))
        node = node.parentElement ?? (node.getRootNode() as ShadowRoot).host ?? null;
      return node?.getAttribute('lang');
    });
/** Returns which side of the box a text begins at. */
const sideOf = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return text.left - box.left < box.right - text.right ? 'left' : 'right';
    });

describe('the language of texts', () => {
  it('is that of the Experience', async () => {
    await show(page, { ...tour(), ...german });
    expect([await languageOf('.box'), await languageOf('.title'), await languageOf('.body p')]).toEqual([
      'de',
      'de',
      'de',
    ]);
    expect(await page.locator('.box').evaluate((box) => getComputedStyle(box).hyphens)).toBe('auto');
  });

  it('is that of the page when it is unknown', async () => {
    await show(page, tour());
    expect(await page.locator('.box').getAttribute('lang')).toBe(null);
    expect(await languageOf('.title')).toBe('en');
  });

  it('is marked at a text that is not translated, or comes from another language', async () => {
    const body: RichText = [['div', { lang: '' }, ['p', 'Welcome'], ['p', 'back']]];
    await show(page, { ...tour({ title: [['span', { lang: 'pt' }, 'Olá']], body }), language: 'pt-BR' });
    expect([await languageOf('.title span'), await languageOf('.body p')]).toEqual(['pt', '']);
    const gap = await page.locator('.body p').evaluateAll(([first, second]) => {
      const [above, below] = [first, second].map((one) => (one as Element).getBoundingClientRect());
      return (below as DOMRect).top - (above as DOMRect).bottom;
    });
    expect(gap).toBe(8);
  });

  it('is English for the words of the script itself, unless they are translated', async () => {
    await show(page, { ...tour(), ...german });
    for (const name of ['.act', '.x', '.count']) expect([name, await languageOf(name)]).toEqual([name, 'en']);
  });

  it('is that of the announced text', async () => {
    await show(page, { ...tour({ screen_position: 'top_left', backdrop: false }), ...arabic });
    await expect.poll(() => page.locator('[aria-live] span').getAttribute('lang')).toBe('ar');
  });

  it('is that of the texts of a launcher', async () => {
    await show(page, { ...(gallery['a checklist'] as PageExperience), ...german });
    expect(await languageOf('.open')).toBe('de');
  });
});

describe('the direction of texts', () => {
  it('is that of each text: an Arabic one in an English box, and the other way', async () => {
    const title = ['مرحبا بكم!'];
    const body: RichText = [
      ['p', 'Welcome'],
      ['ul', ['li', 'أهلا'], ['li', 'وسهلا']],
      ['p', 'مرحبا'],
    ];
    await show(page, tour({ title, body }));
    expect([await sideOf('.title'), await sideOf('.body p'), await sideOf('.body p:last-child')]).toEqual([
      ...['right', 'left', 'right'],
    ]);
    expect(await page.locator('.body ul').evaluate((list) => getComputedStyle(list).direction)).toBe('rtl');
    await load(page, { html: 'dir=rtl' });
    await show(page, tour({ title: ['Welcome!'] }));
    expect(await sideOf('.title')).toBe('left');
  });

  it('does not move a text under the close button', async () => {
    await show(page, tour({ title: ['مرحبا بكم'] }));
    const { text, close } = await page.locator('.box').evaluate((box) => {
      const range = document.createRange();
      range.selectNodeContents(box.querySelector('.title') as Element);
      return {
        text: range.getBoundingClientRect().right,
        close: (box.querySelector('.x') as Element).getBoundingClientRect().left,
      };
    });
    expect(text).toBeLessThanOrEqual(close);
  });

  it.each([
    ['ltr', arabic, 'left'],
    ['rtl', german, 'right'],
    ['ltr', {}, 'right'],
    ['rtl', {}, 'left'],
  ] as const)('lays the box out by its language, else by the page (%s, %j)', async (dir, language, closeSide) => {
    await load(page, { html: `dir=${dir}` });
    await show(page, { ...tour(), ...language });
    const side = await page.locator('.box').evaluate((box) => {
      const [outer, inner] = [box, box.querySelector('.x') as Element].map((one) => one.getBoundingClientRect());
      return (inner as DOMRect).left - (outer as DOMRect).left < 100 ? 'left' : 'right';
    });
    expect(side).toBe(closeSide);
  });
});

describe('long words in a window of 320 pixels', () => {
  const word = 'Rechtsschutzversicherungsgesellschaftenverzeichnis';
  const launcher: Partial<PageExperience> = {
    ...{ id: 'e', kind: 'launcher', title: [word], trigger_type: 'tab', trigger_text: [word] },
    items: [{ id: 'i', kind: 'tour', campaign_id: 'c', title: [word], description: [['p', word]] }],
  };
  const buttons = [{ id: 'b', text: [word] }];
  const question = (preset: string): Partial<PageExperience> => ({
    ...{ id: 'e', kind: 'survey' },
    steps: [{ id: 's1', title: [word], preset, buttons, label_low: [word], label_high: [word], dismiss_text: [word] }],
  });

  beforeAll(() => page.setViewportSize({ width: 320, height: 640 }));
  afterAll(() => page.setViewportSize({ width: 1280, height: 800 }));

  it.each<[name: string, experience: Partial<PageExperience>]>([
    [
      'a tour',
      tour({
        title: [word],
        body: [
          ['p', word],
          ['h2', word],
          ['ul', ['li', word]],
        ],
        buttons,
      }),
    ],
    [
      'a step at an element',
      tour({ title: [word], elements: [{ selector: '#new' }], position_type: 'snap_to_element' }),
    ],
    ['a launcher', launcher],
    ...['survey_two', 'survey_nps', 'survey_csat', 'survey_input', 'survey_dropdown'].map(
      (preset) => [preset, question(preset)] as [string, Partial<PageExperience>],
    ),
  ])('do not overflow in %s', async (_, experience) => {
    await show(page, { ...experience, ...german });
    if (experience.kind === 'launcher') await page.evaluate(() => window.kinds.open());
    const overflowing = await page.locator('.box, .box *, .open').evaluateAll((all) =>
      all.flatMap((one) => {
        const { left, right } = one.getBoundingClientRect();
        const isTooWide = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline';
        return left < 0 || right > 320 || (isTooWide && !one.matches('svg, path, option')) ? [one.outerHTML] : [];
      }),
    );
    expect(overflowing).toEqual([]);
  });
});

describe('a translated tour of the server', () => {
  const harness = useHarness();

  it('carries the languages of its texts and labels into the page', async () => {
    const { api } = harness;
    const { id, steps } = await harness.createTour([{ title: 'Hello', body: 'Welcome' }]);
    const translated = { id: steps[0]?.id, translations: { title: { text: 'שלום' }, body: { text: '' } } };
    const language = { code: 'he', options: ['default'] };
    const file = { id: api.account.account_id, language, experiences: [{ id, name: 'tour', steps: [translated] }] };
    const form = new FormData();
    form.append('file', new Blob([JSON.stringify(file)]), 'file.json');
    expect((await api.post('/v3/edit/i18n', form)).status).toBe(200);
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    const context = await harness.browser.newContext({ locale: 'he-IL', reducedMotion: 'reduce' });
    onTestFinished(() => context.close());
    const box = (await harness.open({}, { uid, context })).locator('.box');
    await box.waitFor();
    const attributes = await box.evaluate((element) =>
      ['.title', '.body > div', '.act', '.x'].map((selector) => element.querySelector(selector)?.getAttribute('lang')),
    );
    expect([await box.getAttribute('lang'), await box.getAttribute('dir')]).toEqual(['he', 'rtl']);
    expect(attributes).toEqual([null, '', 'he', 'he']);
  });
});

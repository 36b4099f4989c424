import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PageButton, PageExperience, PageStep } from '../src/wire.ts';
import { calls, clear, focused, HREF, load, openPage, type PageOptions, show, violations } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

let page: Page;
const errors: string[] = [];
beforeAll(async () => {
  page = await openPage();
  page.on('pageerror', ({ message }) => errors.push(message));
});
afterAll(closeContexts);
afterEach(() => expect(errors.splice(0)).toEqual([]));

type Question = NonNullable<PageStep['question']>;

const ask = (question: Question, step: Partial<PageStep> = {}): PageStep => ({
  ...{ id: 'q', title: ['Which?'], question, ...step },
});
const end: PageStep = { id: 'end', title: ['The end'] };
async function opened(steps: PageStep[], options?: PageOptions, more: Partial<PageExperience> = {}): Promise<void> {
  await load(page, options);
  await page.evaluate(() => sessionStorage.clear());
  await show(page, { id: 'e', kind: 'survey', steps, ...more });
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const radio = (name: string) => page.getByRole('radio', { name, exact: true });
const check = (name: string) => page.getByRole('checkbox', { name, exact: true });
/** The field in which the user writes. */
const field = () => page.locator('.box :is(input, textarea)');
const error = () => page.getByRole('alert');
const title = () => page.getByRole('dialog').getAttribute('aria-label');
/** The answers that were reported since the last call. */
const answers = async () =>
  (await calls(page)).flatMap((call) => {
    const { response, step_id, href } = call as { response?: object; step_id: string; href: string };
    return response ? [{ [step_id]: response, ...(href !== HREF && { href }) }] : [];
  });
const colors = ['Red', 'Green', 'Blue'].map((text) => ({ id: text.toLowerCase(), text: [text] }));
const button = (text: string, fields: Partial<PageButton> = {}): PageButton => ({
  ...{ id: `b ${text}`, text: [text], ...fields },
});

describe('one of several answers', () => {
  it('is reported by its ID, and leads to the next step', async () => {
    await opened([ask({ kind: 'single', options: colors }), end]);
    await radio('Green').click();
    expect(await title()).toBe('The end');
    expect(await answers()).toEqual([{ q: { value: 'green' } }]);
  });

  it('is chosen with the keyboard: by its number, and with the arrow keys', async () => {
    await opened([ask({ kind: 'single', options: colors, required: true }), end]);
    await page.keyboard.press('3');
    expect(await answers()).toEqual([{ q: { value: 'blue' } }]);
    await opened([ask({ kind: 'single', options: colors, required: true }), end]);
    for (const key of ['Tab', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    expect(await answers()).toEqual([{ q: { value: 'green' } }]);
  });

  it('can be any other answer with a text, which is required and may contain digits', async () => {
    await opened([ask({ kind: 'single', options: colors, other_text: ['Another'], error_text: ['Which one?'] }), end]);
    await radio('Another').click();
    expect(await focused(page)).toBe('Another');
    await press('Next');
    expect(await error().textContent()).toBe('Which one?');
    expect(await focused(page)).toBe('Another');
    await page.keyboard.type('Color 12');
    expect(await error().count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(await answers()).toEqual([{ q: { value: 'other', input: 'Color 12' } }]);
    expect(await title()).toBe('The end');
  });

  it('can be skipped unless it is required', async () => {
    await opened([ask({ kind: 'single', options: colors }), end]);
    await press('Skip');
    expect(await answers()).toEqual([]);
    expect(await title()).toBe('The end');
    await opened([ask({ kind: 'single', options: colors, required: true }), end]);
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['']);
  });

  it('waits for a button if the author has written one', async () => {
    const buttons = [button('Away', { tour_action: 'exit' }), button('On')];
    await opened([ask({ kind: 'single', options: colors, required: true }, { buttons }), end]);
    await press('On');
    expect(await error().textContent()).toMatch(/select one/);
    await radio('Red').click();
    await radio('Blue').click();
    expect(await answers()).toEqual([]);
    await press('On');
    expect(await answers()).toEqual([{ q: { value: 'blue' } }]);
    expect(await title()).toBe('The end');
  });

  it('has its answers in a random order that stays, with any other answer last', async () => {
    const options = Array.from({ length: 12 }, (_, at) => ({ id: `o${at}`, text: [`O${at}`] }));
    const steps = [ask({ kind: 'single', options, random_order: true, other_text: ['Another'] }), end];
    await opened(steps);
    const names = () => page.getByRole('radio').allTextContents();
    const first = await names();
    expect(first.at(-1)).toBe('Another');
    expect(first.slice(0, -1)).not.toEqual(options.map(({ text }) => text[0]));
    expect(first.slice(0, -1).sort()).toEqual(options.map(({ text }) => text[0]).sort());
    await radio('O5').click();
    await press('Back');
    expect(await names()).toEqual(first);
    expect(await radio('O5').getAttribute('aria-checked')).toBe('true');
  });
});

describe('several answers', () => {
  it('are reported by their IDs, with what was written', async () => {
    await opened([ask({ kind: 'multiple', options: colors, other_text: ['Another'] }), end]);
    await check('Blue').click();
    await check('Red').click();
    await check('Green').click();
    await check('Green').click();
    await check('Another').click();
    await page.keyboard.type(' Pink ');
    await press('Next');
    expect(await answers()).toEqual([{ q: { values: ['red', 'blue', 'other'], input: 'Pink' } }]);
  });

  it('are at least and at most as many as the author wants', async () => {
    await opened([ask({ kind: 'multiple', options: colors, min_choices: 2, max_choices: 2, required: true })]);
    await press('Send');
    expect(await error().textContent()).toMatch(/select/);
    await check('Red').click();
    await press('Send');
    expect(await error().textContent()).toBe('Choose at least 2');
    expect(await focused(page)).toBe('Red');
    const group = page.getByRole('group', { name: 'Which?' });
    expect(await group.getAttribute('aria-describedby')).toBe(await error().getAttribute('id'));
    await page.keyboard.press('2');
    expect(await check('Blue').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('3');
    expect(await check('Blue').getAttribute('aria-checked')).toBe('false');
    await page.keyboard.press('Tab');
    await press('Send');
    expect(await answers()).toEqual([{ q: { values: ['red', 'green'] } }]);
    expect((await calls(page)).length).toBe(0);
  });

  it('are chosen and sent with the keyboard alone', async () => {
    await opened([ask({ kind: 'multiple', options: colors }), end]);
    for (const key of ['Tab', 'Space', 'Tab', 'Tab', 'Enter', 'Tab', 'Enter']) await page.keyboard.press(key);
    expect(await answers()).toEqual([{ q: { values: ['red', 'blue'] } }]);
  });
});

describe('numbers', () => {
  it.each([
    [{ kind: 'stars' }, ['1', '2', '3', '4', '5'], '4', '4'],
    [{ kind: 'stars', max: 10 }, Array.from({ length: 10 }, (_, at) => `${at + 1}`), '0', '10'],
    [{ kind: 'scale' }, ['1', '2', '3', '4', '5'], '5', '5'],
    [{ kind: 'scale', min: 0, max: 10 }, Array.from({ length: 11 }, (_, at) => `${at}`), '0', '0'],
    [{ kind: 'scale', min: 1, max: 10, look: 'emoji' }, Array.from({ length: 10 }, (_, at) => `${at + 1}`), '0', '10'],
    [{ kind: 'scale', min: 0, max: 2, look: 'emoji' }, ['0', '1', '2'], '2', '2'],
  ] as [Question, string[], string, string][])(
    '%j has %j, and the key %s chooses %s',
    async (question, all, key, value) => {
      await opened([ask(question, { label_low: ['Bad'], label_high: ['Good'] }), end]);
      const names = await page
        .getByRole('radiogroup')
        .getByRole('radio')
        .evaluateAll((each) => each.map((one) => one.ariaLabel));
      expect(names.map((name) => name?.split(' ')[0])).toEqual(all);
      expect([names[0], names.at(-1)]).toEqual([`${all[0]} – Bad`, `${all.at(-1)} – Good`]);
      await page.keyboard.press(key);
      expect(await answers()).toEqual([{ q: { value } }]);
      await press('Back');
      expect(await page.getByRole('radio', { checked: true }).getAttribute('aria-label')).toMatch(
        new RegExp(`^${value}`),
      );
      await page.getByRole('radio').first().click();
      expect(await answers()).toEqual([{ q: { value: all[0] } }]);
    },
  );
});

describe('what the user writes', () => {
  it.each([
    ['text', { min_length: 3, max_length: 5 }, 'ab', /at least 3/, 'abcdef', 'abcde'],
    ['long_text', { min_length: 3 }, '\nab \n', /at least 3/, 'a\nb', 'a\nb'],
    ['email', {}, 'ann', /@/, 'ann@example.com', 'ann@example.com'],
  ] as const)('%s is checked and reported', async (kind, limits, wrong, problem, right, sent) => {
    await opened([ask({ kind, required: true, ...limits }, { placeholder: ['Here'] }), end]);
    expect(await page.getByRole('textbox', { name: 'Which?' }).count()).toBe(1);
    expect(await field().getAttribute('placeholder')).toBe('Here');
    await press('Next');
    expect(await error().textContent()).toMatch(/fill out/);
    expect(await focused(page)).toBe('Which?');
    expect(await field().getAttribute('aria-invalid')).toBe('true');
    expect(await field().getAttribute('aria-describedby')).toBe(await error().getAttribute('id'));
    await field().fill(wrong);
    expect(await field().getAttribute('aria-invalid')).toBe(null);
    await press('Next');
    expect(await error().textContent()).toMatch(problem);
    await field().fill('');
    await field().pressSequentially(right);
    await page.keyboard.press(kind === 'long_text' ? 'Control+Enter' : 'Enter');
    expect(await answers()).toEqual([{ q: { input: sent } }]);
  });

  it('is a date', async () => {
    await opened([ask({ kind: 'date' }), end]);
    await page.keyboard.press('Tab');
    await page.keyboard.type('0407');
    await press('Next');
    expect(await error().textContent()).not.toBe('');
    await field().fill('2029-04-07');
    await press('Next');
    expect(await answers()).toEqual([{ q: { input: '2029-04-07' } }]);
  });

  it('is nothing if the question is skipped', async () => {
    for (const kind of ['text', 'long_text', 'email', 'date', 'multiple'] as const) {
      await opened([ask({ kind, options: colors }), end]);
      await press('Next');
      expect([kind, await answers(), await title()]).toEqual([kind, [], 'The end']);
    }
  });
});

describe('consent', () => {
  it('is true or false', async () => {
    await opened([ask({ kind: 'consent', label: ['I agree'] }), end]);
    await press('Next');
    await press('Back');
    await check('I agree').click();
    await press('Next');
    expect(await answers()).toEqual([{ q: { value: 'false' } }, { q: { value: 'true' } }]);
  });

  it('is required if the author wants it', async () => {
    await opened([ask({ kind: 'consent', label: ['I agree'], required: true, error_text: ['Please agree'] }), end]);
    await press('Next');
    expect(await error().textContent()).toBe('Please agree');
    expect(await focused(page)).toBe('I agree');
    await page.keyboard.press('Space');
    expect(await error().count()).toBe(0);
    await press('Next');
    expect(await answers()).toEqual([{ q: { value: 'true' } }]);
  });
});

describe('rules', () => {
  const when = (step_id: string, op: string, value: string | string[] | null, go: string) => ({
    ...{ when: { step_id, op, value }, go },
  });
  const step = (id: string, fields: Partial<PageStep>) => ({ id, title: [id], ...fields }) as PageStep;
  const single = { question: { kind: 'single' as const, options: colors } };
  const branches = [
    step('a', { ...single, next: [when('a', 'eq', 'red', 'c'), when('a', 'in', ['blue'], 'end')] as never }),
    step('b', { question: { kind: 'scale' } }),
    step('c', {
      question: { kind: 'text' },
      next: [when('b', 'gt', '3', 'e'), when('b', 'not_answered', null, 'd')] as never,
    }),
    step('d', single),
    step('e', {}),
  ];

  it('lead to another step, and going back leads along the same way with the same answers', async () => {
    await opened(branches);
    await radio('Red').click();
    expect(await title()).toBe('c');
    await field().fill('Hi');
    await press('Next');
    expect(await title()).toBe('d');
    await press('Back');
    expect(await title()).toBe('c');
    expect(await field().inputValue()).toBe('Hi');
    await press('Back');
    expect(await title()).toBe('a');
    expect(await radio('Red').getAttribute('aria-checked')).toBe('true');
    await radio('Green').click();
    expect(await title()).toBe('b');
    await radio('4').click();
    expect(await title()).toBe('c');
    await press('Next');
    expect(await title()).toBe('e');
    await press('Back');
    expect(await title()).toBe('c');
    await press('Back');
    expect(await title()).toBe('b');
  });

  it('end the survey', async () => {
    await opened(branches);
    await radio('Blue').click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await calls(page)).at(-1)).toEqual({ state: 'completed', step_id: 'a' });
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  it('follow the answers to presets, and rules that always match', async () => {
    await opened([
      step('a', { preset: 'survey_nps', next: [when('a', 'lte', '6', 'c')] as never }),
      step('b', {
        preset: 'survey_dropdown',
        dropdown_items: [['X'], ['Y']],
        next: [when('b', 'eq', '1', 'd')] as never,
      }),
      step('c', {
        preset: 'survey_two',
        buttons: [button('Yes'), button('No')],
        next: [when('c', 'eq', 'b No', 'end')] as never,
      }),
      step('d', { next: [{ go: 'f' }] }),
      step('e', {}),
      step('f', {}),
    ]);
    await radio('9').click();
    expect(await title()).toBe('b');
    await page.getByRole('combobox').selectOption('Y');
    await press('Send');
    expect(await title()).toBe('d');
    await press('Next');
    expect(await title()).toBe('f');
    expect(await page.getByRole('button', { name: 'Done' }).count()).toBe(1);
  });

  it('still know the answers on the next page, but not those of another showing', async () => {
    await opened(branches);
    await radio('Green').click();
    await radio('5').click();
    await clear(page);
    // The core begins with the step that was saved.
    const rest = { id: 'e', kind: 'survey' as const, steps: branches };
    await page.reload();
    await show(page, { ...rest, step_id: 'c' }, 'c');
    expect(await title()).toBe('c');
    await press('Next');
    expect(await title()).toBe('e');
    await press('Back');
    await press('Back');
    expect(await radio('5').getAttribute('aria-checked')).toBe('true');
    await clear(page);
    await page.reload();
    await show(page, rest, 'c');
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0);
    await press('Next');
    expect(await title()).toBe('d');
  });
});

describe('earlier answers in texts', () => {
  it('are shown as text, with a fallback', async () => {
    const options = [
      { id: 'x', text: ['<b>Bold</b>'] },
      { id: 'y', text: ['Y'] },
    ];
    const body = (id: string) => [['p', 'You said ', { answer: id, or: 'nothing' }, '.']] as never;
    await opened([
      ask({ kind: 'multiple', options, other_text: ['Another'] }, { id: 'a', body: body('a') }),
      ask(
        { kind: 'single', options },
        { id: 'b', title: ['Why ', { answer: 'a', or: 'not' }, '?'], body: body('none') },
      ),
      ask({ kind: 'scale' }, { id: 'c', body: body('b') }),
      ask({ kind: 'text' }, { id: 'd', body: body('c') }),
      ask({ kind: 'consent', label: ['Yes'] }, { id: 'f', body: body('d') }),
      { id: 'g', body: [['p', { if: { answer: 'f' }, show: ['agreed'], else: ['not agreed'] }]] as never },
    ]);
    const shown = () => page.getByRole('dialog').locator('.body').textContent();
    expect(await shown()).toBe('You said nothing.');
    await check('<b>Bold</b>').click();
    await check('Another').click();
    await page.keyboard.type('<img src=x onerror=alert(1)>');
    await press('Next');
    expect(await title()).toBe('Why <b>Bold</b>, <img src=x onerror=alert(1)>?');
    expect(await page.locator('.box :is(b, img)').count()).toBe(0);
    expect(await shown()).toBe('You said nothing.');
    await radio('Y').click();
    expect(await shown()).toBe('You said Y.');
    await radio('2').click();
    expect(await shown()).toBe('You said 2.');
    await field().fill('{{x}}');
    await press('Next');
    expect(await shown()).toBe('You said {{x}}.');
    await press('Next');
    expect(await shown()).toBe('not agreed');
  });
});

describe('every question', () => {
  const all: Record<string, PageStep> = {
    single: ask({ kind: 'single', options: colors, other_text: ['Another'], required: true }),
    multiple: ask({ kind: 'multiple', options: colors, other_text: ['Another'], required: true, max_choices: 1 }),
    stars: ask({ kind: 'stars', max: 10 }, { label_low: ['Bad'], label_high: ['Good'] }),
    scale: ask({ kind: 'scale', min: 0, max: 10 }, { label_low: ['Bad'], label_high: ['Good'] }),
    emoji: ask({ kind: 'scale', min: 1, max: 7, look: 'emoji' }),
    text: ask({ kind: 'text', required: true }),
    long_text: ask({ kind: 'long_text', required: true }),
    email: ask({ kind: 'email', required: true }),
    date: ask({ kind: 'date', required: true }),
    consent: ask({ kind: 'consent', required: true, label: ['I agree to everything that is written above'] }),
  };

  it.each(Object.keys(all))('%s is accessible, with an error and an answer, in light and dark', async (name) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await opened([all[name] as PageStep, end]);
      expect(await violations(page)).toEqual([]);
      const next = page.getByRole('button', { name: 'Next' });
      if (await next.count()) await next.click();
      expect(await violations(page)).toEqual([]);
      const option = page.getByRole(name === 'multiple' || name === 'consent' ? 'checkbox' : 'radio');
      if (!(await option.count())) continue;
      await option.last().click();
      const back = page.getByRole('button', { name: 'Back' });
      if (await back.count()) await back.click();
      expect(await violations(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it.each(Object.keys(all))('%s fits on a phone, from left to right and from right to left', async (name) => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 375, height: 720 });
    for (const html of ['dir=ltr', 'dir=rtl']) {
      await opened([all[name] as PageStep, end], { html });
      const outside = await page.locator('.box').evaluate((box) => {
        const { left, right } = box.getBoundingClientRect();
        return [...box.querySelectorAll('*')].filter((one) => {
          const rect = one.getBoundingClientRect();
          return rect.width > 0 && (rect.left < left - 1 || rect.right > right + 1);
        }).length;
      });
      expect([html, outside]).toEqual([html, 0]);
    }
    if (size) await page.setViewportSize(size);
  });
});

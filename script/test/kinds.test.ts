import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageButton, PageExperience, PageStep } from '../src/wire.ts';
import { gallery } from './kinds-gallery.ts';
import { calls, clear, focused, HREF, load, openPage, type PageOptions, show, showAlone } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

/** All tests share one page, because opening a page takes longer than most tests. */
let page: Page;
const errors: string[] = [];
beforeAll(async () => {
  page = await openPage();
  page.on('pageerror', ({ message }) => errors.push(message));
});
afterAll(closeContexts);
beforeEach(() => page.mouse.move(1, 1));
afterEach(() => expect(errors.splice(0)).toEqual([]));

async function open(options?: PageOptions): Promise<Page> {
  await load(page, options);
  return page;
}

async function opened(experience: Partial<PageExperience>, options?: PageOptions): Promise<Page> {
  await open(options);
  await show(page, { id: 'e', ...experience });
  return page;
}

const dialog = (page: Page, name?: string) => page.getByRole('dialog', name ? { name } : {});
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' as const });
const button = (text: string, fields: Partial<PageButton> = {}): PageButton => ({
  id: `b ${text}`,
  text: [text],
  ...fields,
});
const titled = (...titles: string[]): PageStep[] => titles.map((title) => ({ id: title, title: [title] }));

describe('a tour', () => {
  it('walks through its steps and back, and reports each step once', async () => {
    const page = await opened({ kind: 'tour', steps: titled('One', 'Two', 'Three') });
    expect(await dialog(page, 'One').getByRole('img', { name: 'Step 1 of 3' }).count()).toBe(1);
    await press(page, 'Next');
    await press(page, 'Back');
    await press(page, 'Next');
    await press(page, 'Next');
    expect(await dialog(page).getAttribute('aria-label')).toBe('Three');
    await press(page, 'Done');
    expect(await dialog(page).count()).toBe(0);
    expect(await calls(page)).toEqual([
      { state: 'started', step_id: 'One' },
      { step_id: 'Two' },
      { step_id: 'Three' },
      { state: 'completed', step_id: 'Three' },
    ]);
  });

  it.each(['Escape', 'Close', 'Not now'])('exits on %s', async (by) => {
    const steps = [{ id: 's1', title: ['Hi'], dismiss_text: ['Not now'] }];
    const page = await opened({ kind: 'tour', steps });
    if (by === 'Escape') await page.keyboard.press(by);
    else await press(page, by);
    expect(await dialog(page).count()).toBe(0);
    expect((await calls(page)).at(-1)).toEqual({ state: 'exited', step_id: 's1' });
  });

  it('is snoozed for the hours of the step', async () => {
    const page = await opened({ kind: 'tour', steps: [{ id: 's1', title: ['Hi'], snooze_hours: 3 }] });
    await press(page, 'Remind me later');
    expect((await calls(page)).at(-1)).toEqual({ state: 'snoozed', step_id: 's1', snooze_hours: 3 });
  });

  it('moves to the next step, then runs the actions of the button', async () => {
    const more = { additional_actions: ['property' as const] };
    const buttons = [
      button('Stay', more),
      button('Go', { ...more, tour_action: 'next' }),
      button('Leave', { tour_action: 'exit' }),
    ];
    const [one, two] = titled('One', 'Two');
    const page = await opened({
      kind: 'tour',
      steps: [
        { ...(one as PageStep), buttons },
        { ...(two as PageStep), buttons },
      ],
    });
    await calls(page);
    await press(page, 'Stay');
    expect(await calls(page)).toEqual([{ button_id: 'b Stay', step_id: 'One' }, { visit: true }]);
    await press(page, 'Go');
    expect(await calls(page)).toEqual([{ button_id: 'b Go', step_id: 'One' }, { step_id: 'Two' }, { visit: true }]);
    await press(page, 'Leave');
    expect(await calls(page)).toEqual([
      { button_id: 'b Leave', step_id: 'Two' },
      { state: 'exited', step_id: 'Two' },
    ]);
  });

  it('keeps the focus inside of a modal, and moves it back at the end', async () => {
    const page = await open();
    await page.focus('#new');
    await show(page, {
      id: 'e',
      kind: 'tour',
      steps: [{ ...(titled('One')[0] as PageStep), backdrop: true }, ...titled('Two')],
    });
    expect(await dialog(page).getAttribute('aria-modal')).toBe('true');
    const walked = [];
    for (let turn = 0; turn < 4; turn++) {
      walked.push(await focused(page));
      await page.keyboard.press('Tab');
    }
    expect(walked).toEqual(['One', 'Next', 'Close', 'Next']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('Close');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('New report');
  });

  it('can be used by keyboard alone', async () => {
    const page = await opened({
      kind: 'tour',
      steps: [{ id: 'One', title: ['One'], ...at('#new') }, ...titled('Two')],
    });
    expect(await focused(page)).toBe('One');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Two');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('One');
  });

  it('does not take the focus from a user who is typing, and announces its text', async () => {
    const page = await open();
    await page.fill('#search', 'a');
    await show(page, {
      id: 'e',
      kind: 'tour',
      steps: [{ id: 's1', title: ['Hi'], body: [['p', 'there']], ...at('#one') }],
    });
    await page.keyboard.type('b');
    expect(await page.inputValue('#search')).toBe('ab');
    await expect.poll(() => page.locator('[aria-live]').textContent()).toBe('Hi\nthere');
  });

  it('lets clicks through to its target only', async () => {
    const page = await open();
    await page.evaluate(() => {
      const clicks: string[] = [];
      Object.assign(window, { clicks });
      document.addEventListener('click', ({ target }) =>
        clicks.push((target as Element).id || (target as Element).localName),
      );
    });
    await show(page, { id: 'e', kind: 'tour', steps: [{ id: 's1', title: ['Hi'], ...at('#new'), backdrop: true }] });
    for (const selector of ['#new', '#head']) {
      const box = await page.locator(selector).boundingBox();
      await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    }
    expect(await page.evaluate(() => (window as unknown as { clicks: string[] }).clicks)).toEqual(['new']);
  });

  it('continues when the user triggers the next step, if a step has no buttons', async () => {
    const next: PageStep = { id: 'Two', title: ['Two'], secondary_trigger: 'click', elements: [{ selector: '#new' }] };
    const page = await opened({ kind: 'tour', steps: [{ id: 'One', title: ['One'], ...at('#new') }, next] });
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
    await page.click('#new');
    await dialog(page, 'Two').waitFor();
    expect(await dialog(page).count()).toBe(1);
    expect(await calls(page)).toEqual([{ state: 'started', step_id: 'One' }, { step_id: 'Two' }]);
  });

  it('is hidden while its target is gone, and reports no step twice', async () => {
    const page = await opened({ kind: 'tour', steps: [{ id: 's1', title: ['Hi'], ...at('#new') }] });
    await page.evaluate(() => document.querySelector('#new')?.toggleAttribute('hidden'));
    await page.addStyleTag({ content: '[hidden]{display:none}' });
    await dialog(page).waitFor({ state: 'detached' });
    await page.evaluate(() => document.querySelector('#new')?.toggleAttribute('hidden'));
    await dialog(page).waitFor();
    expect(await calls(page)).toEqual([{ state: 'started', step_id: 's1' }]);
  });
});

describe('a survey', () => {
  const ask = (step: Partial<PageStep>, ...more: PageStep[]): Partial<PageExperience> => ({
    kind: 'survey',
    steps: [{ id: 'q', title: ['How is it?'], ...step }, ...more],
  });

  it.each([2, 3, 4, 5])('of %i buttons reports which one was clicked', async (count) => {
    const preset = `survey_${['two', 'three', 'four', 'five'][count - 2]}`;
    const buttons = ['A', 'B', 'C', 'D', 'E'].slice(0, count).map((text) => button(text));
    const page = await opened(ask({ preset, buttons }));
    const last = buttons.at(-1) as PageButton;
    await press(page, last.text?.[0] as string);
    expect(await calls(page)).toEqual([
      { state: 'started', step_id: 'q' },
      { step_id: 'q', href: HREF, response: { button_id: last.id } },
      { button_id: last.id, step_id: 'q' },
      { state: 'completed', step_id: 'q' },
    ]);
  });

  it.each([
    ['survey_nps', 11, '0', '10'],
    ['survey_csat', 5, '1', '5'],
    ['survey_ces', 7, '1', '7'],
  ])('%s has %i answers, from %s to %s', async (preset, count, lowest, highest) => {
    for (const value of [lowest, highest]) {
      const page = await opened(ask({ preset, label_low: ['Bad'], label_high: ['Good'] }));
      const scale = page.getByRole('radiogroup', { name: 'How is it?' }).getByRole('radio');
      expect(await scale.count()).toBe(count);
      await scale.nth(value === lowest ? 0 : -1).click();
      const reported = (await calls(page)).filter((call) => (call as { response?: object }).response);
      expect(reported).toEqual([{ step_id: 'q', href: HREF, response: { value } }]);
    }
  });

  it('names the ends of a scale for screen readers', async () => {
    const page = await opened(ask({ preset: 'survey_nps', label_low: ['Bad'], label_high: ['Good'] }));
    const names = await page
      .getByRole('radiogroup')
      .getByRole('radio')
      .evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect([names[0], names[5], names[10]]).toEqual(['0 – Bad', '5', '10 – Good']);
  });

  it('has one tab stop for a scale, whose arrow keys go round', async () => {
    const page = await opened(ask({ preset: 'survey_nps' }));
    await page.keyboard.press('Tab');
    const names: string[] = [];
    for (const key of ['ArrowLeft', 'ArrowRight', 'End', 'ArrowUp', 'Home', 'ArrowDown']) {
      await page.keyboard.press(key);
      names.push(await focused(page));
    }
    expect(names).toEqual(['10', '0', '10', '9', '0', '1']);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Close');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('1');
    await page.keyboard.press('Space');
    expect(await calls(page)).toContainEqual({ step_id: 'q', href: HREF, response: { value: '1' } });
  });

  it('moves along a scale with the arrow keys, in the direction of the page', async () => {
    for (const [dir, key] of [
      ['ltr', 'ArrowRight'],
      ['rtl', 'ArrowLeft'],
    ] as const) {
      const page = await opened(ask({ preset: 'survey_ces' }), { html: `dir=${dir}` });
      await page.keyboard.press('Tab');
      for (let turn = 0; turn < 3; turn++) await page.keyboard.press(key);
      expect(await focused(page)).toBe('4');
      await page.keyboard.press('Enter');
      expect(await calls(page)).toContainEqual({ step_id: 'q', href: HREF, response: { value: '4' } });
    }
  });

  it('sends a written answer, but not an empty one', async () => {
    const page = await opened(ask({ preset: 'survey_input', placeholder: ['I wish'] }));
    await press(page, 'Send');
    expect(await focused(page)).toBe('How is it?');
    await page.getByPlaceholder('I wish').fill('  More cats\nplease ');
    await press(page, 'Send');
    expect(await calls(page)).toEqual([
      { state: 'started', step_id: 'q' },
      { step_id: 'q', href: HREF, response: { input: 'More cats\nplease' } },
      { state: 'completed', step_id: 'q' },
    ]);
  });

  it('reports the text and the index of a list item', async () => {
    const page = await opened(
      ask({ preset: 'survey_dropdown', dropdown_items: [['Suche'], ['Freunde']], other_text: ['Anderes'] }),
    );
    await press(page, 'Send');
    await page.getByRole('combobox').selectOption('Freunde');
    await press(page, 'Send');
    const [, answer] = await calls(page);
    expect(answer).toEqual({ step_id: 'q', href: HREF, response: { value: 'Freunde', index: 1 } });
  });

  it('asks for a text if the user chooses the other answer', async () => {
    const page = await opened(ask({ preset: 'survey_dropdown', dropdown_items: [['Search']], other_text: ['Other'] }));
    expect(await dialog(page).getByRole('textbox').count()).toBe(0);
    await page.getByRole('combobox').selectOption('Other');
    await press(page, 'Send');
    await page.getByRole('textbox', { name: 'Other' }).fill('A dream');
    await page.keyboard.press('Enter');
    expect((await calls(page))[1]).toEqual({
      step_id: 'q',
      href: HREF,
      response: { value: 'Other', input: 'A dream', index: 1 },
    });
  });

  it('reports the answer of a follow-up as a step of its own', async () => {
    const more: PageStep[] = [
      { id: 'why', preset: 'response', title: ['Why?'] },
      { id: 'bye', preset: 'thank_you', title: ['Thanks'] },
    ];
    const page = await opened(ask({ preset: 'survey_csat' }, ...more));
    await page.getByRole('radio').nth(3).click();
    await page.getByRole('textbox', { name: 'Why?' }).fill('So so');
    await page.keyboard.press('Control+Enter');
    await dialog(page, 'Thanks').waitFor();
    expect(await calls(page)).toEqual([
      { state: 'started', step_id: 'q' },
      { step_id: 'q', href: HREF, response: { value: '4' } },
      { step_id: 'why' },
      { step_id: 'why', href: HREF, response: { input: 'So so' } },
      { step_id: 'bye' },
      { state: 'completed', step_id: 'bye' },
    ]);
    await press(page, 'Close');
    expect(await calls(page)).toEqual([{ state: 'completed', step_id: 'bye' }]);
  });

  it('reports no answer for a follow-up that is skipped', async () => {
    const page = await opened(ask({ preset: 'survey_csat' }, { id: 'why', preset: 'response', title: ['Why?'] }));
    await page.getByRole('radio').first().click();
    await calls(page);
    await press(page, 'Skip');
    expect(await calls(page)).toEqual([{ state: 'completed', step_id: 'why' }]);
  });

  it('is completed by the last answer, and exited if a question is closed', async () => {
    const two = { preset: 'survey_two', buttons: [button('Yes', { tour_action: 'exit' }), button('No')] };
    const page = await opened(ask(two, { id: 'why', preset: 'survey_input' }));
    await press(page, 'Yes');
    expect((await calls(page)).at(-1)).toEqual({ state: 'completed', step_id: 'q' });
    await show(page, { id: 'e', ...ask(two) });
    await press(page, 'Close');
    expect((await calls(page)).at(-1)).toEqual({ state: 'exited', step_id: 'q' });
  });
});

describe('a launcher', () => {
  const items: PageExperience['items'] = [
    { id: 'i1', kind: 'tour', campaign_id: 'c1', title: ['Tour'], completed: true },
    { id: 'i2', kind: 'survey', campaign_id: 'c2', title: ['Survey'] },
    { id: 'i3', kind: 'divider' },
    { id: 'i4', title: ['Guide'], url: '/guide', description: [['p', 'All of it']] },
    { id: 'i5', title: ['Nowhere'] },
  ];
  const help: Partial<PageExperience> = { kind: 'launcher', title: ['Help'], items };
  const opener = (page: Page) => page.getByRole('button', { name: 'Help' });

  it('opens and closes, and reports it', async () => {
    const page = await opened(help);
    expect(await calls(page)).toEqual([{ state: 'displayed' }]);
    await opener(page).click();
    expect(await calls(page)).toEqual([{ state: 'started' }]);
    expect([await focused(page), await opener(page).getAttribute('aria-expanded')]).toEqual(['Help', 'true']);
    await opener(page).click();
    expect(await dialog(page).count()).toBe(0);
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 500),
      () => press(page, 'Close'),
    ]) {
      await opener(page).click();
      expect(await dialog(page).count()).toBe(1);
      await close();
      expect(await dialog(page).count()).toBe(0);
    }
    expect(await opener(page).getAttribute('aria-expanded')).toBe('false');
  });

  it('moves the focus back to the element that opened it', async () => {
    const page = await opened(help);
    await opener(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Tour');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Help');
  });

  it('starts the Experience of an item, and reports it', async () => {
    const page = await opened({ ...help, id: 'l' });
    await opener(page).click();
    await calls(page);
    await press(page, 'Survey');
    expect(await calls(page)).toEqual([{ button_id: 'i2' }, { show: 'c2', group_kind: 'launcher', group_id: 'l' }]);
    expect(await dialog(page).count()).toBe(0);
    await opener(page).click();
    await page.getByRole('link', { name: 'Guide' }).click();
    await page.waitForURL('**/guide');
  });

  it('leaves out an item without an allowed address', async () => {
    const page = await opened(help);
    await opener(page).click();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['Tour', 'Survey', 'Guide\n\nAll of it']);
  });

  it('shows the progress of a checklist and the open tasks', async () => {
    const page = await opened({ ...help, list_type: 'checklist' });
    expect(await opener(page).innerText()).toBe('1');
    await opener(page).click();
    const bar = page.getByRole('progressbar');
    expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')]).toEqual(['1', '2']);
    expect(await page.getByRole('button', { name: 'Tour (Completed)' }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Survey', exact: true }).count()).toBe(1);
  });

  it('shows a checklist without anything to complete as a list of links', async () => {
    const links = { ...help, items: items?.filter(({ kind }) => !kind) ?? [] };
    const iconOf = (one: Page) => opener(one).locator('path').getAttribute('d');
    const plain = await iconOf(await opened(links));
    const page = await opened({ ...links, list_type: 'checklist' });
    expect([await iconOf(page), await opener(page).innerText()]).toEqual([plain, '']);
    await opener(page).click();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['Guide\n\nAll of it']);
    expect([await page.getByRole('progressbar').count(), await page.locator('.mark:not(.to)').count()]).toEqual([0, 0]);
  });

  it('shows the text of the author for an empty list', async () => {
    const page = await opened({ kind: 'launcher', title: ['Help'], empty_state_content: [['p', 'Nothing yet']] });
    await opener(page).click();
    expect(await dialog(page).innerText()).toContain('Nothing yet');
  });

  it.each([
    ['a dot', { badge: 'dot' }, 'Help', ''],
    ['a text', { badge: 'text', badge_text: ['New'] }, 'Help New', 'New'],
  ] as const)('has %s as a badge until the list was opened', async (_, fields, name, words) => {
    const page = await opened({ ...help, ...fields, id: `with ${name}` } as Partial<PageExperience>);
    const badge = page.locator('.left');
    expect([await opener(page).getAttribute('aria-label'), await badge.innerText()]).toEqual([name, words]);
    await opener(page).click();
    expect([await opener(page).getAttribute('aria-label'), await badge.count()]).toEqual(['Help', 0]);
    await page.keyboard.press('Escape');
    expect(await badge.count()).toBe(0);
  });

  it('has no badge if its author wants none', async () => {
    const page = await opened({ ...help, list_type: 'checklist', badge: 'none' });
    expect(await page.locator('.left').count()).toBe(0);
  });

  it('has an icon of its author', async () => {
    const paths = new Set<string | null>();
    const names = 'help,info,list,chat,star,bell,book,bulb,flag,gift,heart,play,rocket,user'.split(',');
    for (const trigger of names) {
      await clear(page);
      const shown = await opened({ ...help, trigger });
      paths.add(await opener(shown).locator('path').getAttribute('d'));
    }
    expect(paths.size).toBe(names.length);
  });

  it('has an icon of the size of its author, in a round button', async () => {
    for (const icon_size of [undefined, 16, 64]) {
      await clear(page);
      const shown = await opened({ ...help, ...(icon_size !== undefined && { icon_size }) });
      const sizes = await opener(shown).evaluate((one) => {
        const { width, height } = one.getBoundingClientRect();
        const icon = one.querySelector('svg')?.getBoundingClientRect();
        return { icon: icon?.width, width, height, radius: Number.parseFloat(getComputedStyle(one).borderRadius) };
      });
      const icon = icon_size ?? 24;
      expect(sizes).toMatchObject({ icon, width: icon + 28, height: icon + 28 });
      expect(sizes.radius).toBeGreaterThanOrEqual((icon + 28) / 2);
    }
  });

  it('stands at the distances of its author from the corner, in the direction of the page', async () => {
    for (const dir of ['ltr', 'rtl']) {
      const page = await opened({ ...help, offset_x: 40, offset_y: 100 }, { html: `dir=${dir}` });
      const { left, right, bottom, top } = await opener(page).evaluate((one) => one.getBoundingClientRect());
      const width = await page.evaluate(() => document.documentElement.clientWidth);
      expect([dir === 'ltr' ? width - right : left, 800 - bottom]).toEqual([40, 100]);
      await opener(page).click();
      const list = await dialog(page).evaluate((one) => one.getBoundingClientRect());
      expect(list.bottom).toBeLessThanOrEqual(top);
      expect(list.top).toBeGreaterThanOrEqual(0);
    }
  });

  it('stays in a small window, whatever the distances are', async () => {
    await page.setViewportSize({ width: 375, height: 400 });
    const shown = await opened({ ...help, offset_x: 500, offset_y: 500 });
    const { left, top } = await opener(shown).evaluate((one) => one.getBoundingClientRect());
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  describe('with a shortcut', () => {
    const withShortcut: Partial<PageExperience> = { ...help, shortcut: 'shift+alt+h' };
    const isOpen = async () => (await dialog(page).count()) === 1;

    it('opens and closes by it, and names it for screen readers', async () => {
      await opened(withShortcut);
      expect(await opener(page).getAttribute('aria-keyshortcuts')).toBe('Alt+Shift+H');
      await page.keyboard.press('Alt+h');
      await page.keyboard.press('Shift+h');
      expect(await isOpen()).toBe(false);
      await page.keyboard.press('Alt+Shift+h');
      expect([await isOpen(), await focused(page)]).toEqual([true, 'Help']);
      await page.keyboard.press('Alt+Shift+h');
      expect(await isOpen()).toBe(false);
    });

    it('does nothing while the user types, or if the page has handled the key', async () => {
      await opened(withShortcut);
      await page.focus('#search');
      await page.keyboard.press('Alt+Shift+h');
      expect(await isOpen()).toBe(false);
      await page.focus('#new');
      await page.evaluate(() => document.body.addEventListener('keydown', (event) => event.preventDefault()));
      await page.keyboard.press('Alt+Shift+h');
      expect(await isOpen()).toBe(false);
    });

    it('counts the place of the key where Alt types another character', async () => {
      await opened({ ...help, shortcut: 'Alt+H' });
      const press = (key: string, code: string) =>
        page.evaluate(
          (init) => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, altKey: true, bubbles: true })),
          { key, code },
        );
      // On a French keyboard, A is at the place of Q.
      await press('q', 'KeyH');
      expect(await isOpen()).toBe(false);
      await press('˙', 'KeyH');
      expect(await isOpen()).toBe(true);
    });

    it('leaves no attribute at an element of the page', async () => {
      await opened({ ...withShortcut, trigger_type: 'element', trigger: '#new' });
      expect(await page.getAttribute('#new', 'aria-keyshortcuts')).toBe('Alt+Shift+H');
      await clear(page);
      expect(await page.getAttribute('#new', 'aria-keyshortcuts')).toBeNull();
    });
  });

  it('opens from a tab and from an element of the page', async () => {
    const page = await opened({ ...help, trigger_type: 'tab', trigger_text: ['Need help?'] });
    await press(page, 'Need help?');
    expect(await dialog(page, 'Help').count()).toBe(1);
    await clear(page);
    await show(page, { id: 'f', ...help, trigger_type: 'element', trigger: '#new', position_type: 'snap_to_trigger' });
    await page.click('#new');
    expect(await dialog(page, 'Help').getAttribute('data-side')).toBe('bottom');
    await clear(page);
    expect(await page.getAttribute('#new', 'aria-expanded')).toBeNull();
    await page.click('#new');
    expect(await dialog(page).count()).toBe(0);
  });
});

describe('a tooltip', () => {
  const hint: PageStep = { id: 's1', body: [['p', 'Who left']], ...at('#churn') };
  const tip = (page: Page) => page.locator('.tip');

  it('opens on hover, and stays open while the pointer is on it', async () => {
    const page = await opened({ kind: 'tooltip', steps: [hint] });
    expect(await calls(page)).toEqual([{ state: 'displayed', step_id: 's1' }]);
    await page.hover('#churn');
    await tip(page).hover();
    expect(await tip(page).getAttribute('role')).toBe('tooltip');
    expect(await calls(page)).toEqual([{ state: 'started', step_id: 's1' }]);
    await page.mouse.move(5, 790);
    await tip(page).waitFor({ state: 'detached' });
  });

  it('opens on focus, announces its text, and closes on Escape', async () => {
    const page = await opened({ kind: 'tooltip', steps: [{ ...hint, ...at('#new') }] });
    await page.focus('#new');
    await tip(page).waitFor();
    await expect.poll(() => page.locator('[aria-live]').textContent()).toContain('Who left');
    await page.keyboard.press('Escape');
    expect([await tip(page).count(), await focused(page)]).toEqual([0, 'New report']);
  });

  it('opens only on click if its author chose that', async () => {
    const page = await opened({ kind: 'tooltip', steps: [{ ...hint, ...at('#new'), secondary_trigger: 'click' }] });
    await page.focus('#new');
    expect(await tip(page).count()).toBe(0);
    await page.click('#new');
    expect(await tip(page).count()).toBe(1);
    await page.mouse.click(5, 790);
    expect(await tip(page).count()).toBe(0);
  });

  it('can have its own icon in the page, and buttons', async () => {
    const more = { additional_actions: ['property' as const] };
    const step: PageStep = {
      ...hint,
      position_type: 'inline',
      secondary_trigger: 'click',
      buttons: [button('Got it', more)],
    };
    const page = await opened({ kind: 'tooltip', steps: [step] });
    await press(page, 'More: Who left');
    await calls(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await calls(page)).toEqual([{ button_id: 'b Got it', step_id: 's1' }, { visit: true }]);
    expect(await tip(page).count()).toBe(0);
    await clear(page);
    expect(await page.locator('#churn *').count()).toBe(0);
  });

  it('has its primary button last, by the same rule as a tour', async () => {
    const buttons = [button('Hide', { tour_action: 'exit' }), button('Read more')];
    const step: PageStep = { ...hint, position_type: 'inline', secondary_trigger: 'click', buttons };
    const page = await opened({ kind: 'tooltip', steps: [step] });
    await press(page, 'More: Who left');
    expect(await tip(page).locator('.act').allInnerTexts()).toEqual(['Hide', 'Read more']);
    expect(await tip(page).locator('.act.first').innerText()).toBe('Read more');
  });
});

describe('an embed', () => {
  const inside = (selector: string) => ({ elements: [{ selector }], position_type: 'inline' as const });
  const region = (page: Page) => page.getByRole('region', { name: 'Hi' });

  it('is a part of the page, and disappears when it is closed', async () => {
    const page = await opened({ kind: 'embed', steps: [{ id: 's1', title: ['Hi'], ...inside('#slot') }] });
    expect(await page.locator('#slot').getByRole('region', { name: 'Hi' }).count()).toBe(1);
    await press(page, 'Close');
    expect(await region(page).count()).toBe(0);
    expect(await page.locator('#slot *').count()).toBe(0);
    expect(await calls(page)).toEqual([
      { state: 'displayed', step_id: 's1' },
      { state: 'exited', step_id: 's1' },
    ]);
  });

  it.each([
    ['top', 'head', 'slot'],
    ['bottom', 'slot', ''],
  ] as const)('with the placement %s is outside of its element', async (placement, before, after) => {
    const page = await opened({
      kind: 'embed',
      style: 'card',
      steps: [{ id: 's1', title: ['Hi'], placement, ...inside('#slot') }],
    });
    const beside = await page
      .locator('usher-layer:not([popover])')
      .evaluate((host) => [host.previousElementSibling?.id, host.nextElementSibling?.id]);
    expect(beside).toEqual([before, after]);
  });

  it('takes no focus, and has no close button as a card', async () => {
    const page = await open();
    await page.focus('#new');
    await show(page, {
      id: 'e',
      kind: 'embed',
      style: 'card',
      steps: [{ id: 's1', title: ['Hi'], ...inside('#slot') }],
    });
    expect(await focused(page)).toBe('New report');
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await region(page).count()).toBe(1);
  });
});

describe('whatever is shown', () => {
  it('takes its colors, font and radius from the page', async () => {
    const css = ':root{--usher-accent:#087f5b;--usher-radius:3px;--usher-font:"Courier";--usher-background:#fffbe6}';
    await open({ css });
    await showAlone(page, 'a modal');
    const look = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const { backgroundColor, fontFamily, borderRadius } = getComputedStyle(one);
          return [backgroundColor, fontFamily, borderRadius];
        });
    expect(await look('.box')).toEqual(['rgb(255, 251, 230)', 'Courier', '3px']);
    expect((await look('.act.first'))[0]).toBe('rgb(8, 127, 91)');
  });

  it('is dark if the user prefers that, unless the page sets a scheme', async () => {
    const colours = async (scheme: string) => {
      await open({ css: `:root{--usher-scheme:${scheme}}` });
      await showAlone(page, 'a modal');
      return page.locator('.box').evaluate((one) => {
        const { backgroundColor, color } = getComputedStyle(one);
        return [backgroundColor, color];
      });
    };
    const [light, dark] = [await colours('light'), await colours('dark')];
    expect(light).not.toEqual(dark);
    expect(await colours('light dark')).toEqual(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colours('light dark')).toEqual(dark);
    expect(await colours('light')).toEqual(light);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('leaves nothing on the page when it is cleared', async () => {
    await open();
    const before = await page.evaluate(() => document.documentElement.outerHTML);
    for (const name of ['a banner', 'an embedded card', 'a checklist', 'a tooltip at an icon'])
      await show(page, gallery[name] as PageExperience);
    await clear(page);
    expect(await page.evaluate(() => document.documentElement.outerHTML)).toBe(before);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageButton, PageExperience, PageStep } from '../src/wire.ts';
import { gallery } from './kinds-gallery.ts';
import { calls, clear, focused, load, openPage, show } from './kinds-page.ts';
import { closeContexts } from './shared-browser.ts';

/* Tests everything that a user can do with the keyboard alone. */

let page: Page;
beforeAll(async () => {
  page = await openPage();
});
afterAll(closeContexts);
beforeEach(() => load(page));

const at = (selector: string) => ({ elements: [{ selector }], position_type: 'snap_to_element' as const });
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const pressed = async (...keys: string[]) => {
  await press(...keys);
  return focused(page);
};
/** Returns the names that a key reaches, in order. */
const walk = async (count: number, key = 'Tab') => {
  const names: string[] = [];
  for (let turn = 0; turn < count; turn++) names.push(await pressed(key));
  return names;
};
const tour = (...steps: Partial<PageStep>[]): Partial<PageExperience> => ({
  ...{ id: 'e', kind: 'tour' },
  steps: steps.map((step, index) => ({ id: `s${index + 1}`, title: [`Step ${index + 1}`], ...step })),
});
const button = (text: string, fields: Partial<PageButton> = {}): PageButton => ({ id: text, text: [text], ...fields });
const title = () => page.locator('.box').getAttribute('aria-label');
const responses = async () =>
  (await calls(page)).flatMap((call) => (call as { response?: object }).response ?? []) as object[];

describe('the arrow keys', () => {
  it('go to the next and the previous step of a tour', async () => {
    await show(page, tour({}, {}, {}));
    expect(await pressed('ArrowRight')).toBe('Step 2');
    expect(await pressed('ArrowRight')).toBe('Step 3');
    expect(await pressed('ArrowLeft')).toBe('Step 2');
    expect(await calls(page)).toEqual([{ state: 'started', step_id: 's1' }, { step_id: 's2' }, { step_id: 's3' }]);
  });

  it('neither leave the first step nor end the tour', async () => {
    await show(page, tour({}, {}));
    expect(await pressed('ArrowLeft')).toBe('Step 1');
    expect(await pressed('ArrowRight', 'ArrowRight', 'ArrowRight')).toBe('Step 2');
  });

  it.each([['of the page', {}] as const, ['of the texts', { language: 'ar', direction: 'rtl' }] as const])(
    'are mirrored where the direction %s is from right to left',
    async (_, language) => {
      await load(page, { html: 'language' in language ? '' : 'dir=rtl' });
      await show(page, { ...tour({}, {}), ...language });
      expect(await pressed('ArrowRight')).toBe('Step 1');
      expect(await pressed('ArrowLeft')).toBe('Step 2');
      expect(await pressed('ArrowRight')).toBe('Step 1');
    },
  );

  it('press the only button of the author that leads there, and report it', async () => {
    const buttons = [button('Back', { tour_action: 'previous' }), button('On', { tour_action: 'next' })];
    await show(page, tour({ buttons: [button('Start'), button('Leave', { tour_action: 'exit' })] }, { buttons }, {}));
    expect(await pressed('ArrowRight')).toBe('Step 2');
    expect(await pressed('ArrowLeft')).toBe('Step 1');
    expect(await calls(page)).toContainEqual({ button_id: 'Back', step_id: 's2' });
  });

  it.each<[what: string, buttons: PageButton[]]>([
    ['choose one of several answers', [button('Yes', { tour_action: 'next' }), button('No', { tour_action: 'next' })]],
    [
      'choose the answer that has no action',
      [button('Yes', { tour_action: 'next', additional_actions: ['tag_user'] }), button('No')],
    ],
    ['run an action', [button('Go', { tour_action: 'next', additional_actions: ['cta_url'], action_url: '/a' })]],
    ['leave the tour', [button('Leave', { tour_action: 'exit' })]],
  ])('do not %s', async (_, buttons) => {
    await show(page, tour({ buttons }, {}));
    expect(await pressed('ArrowRight', 'ArrowLeft', 'a', '0')).toBe('Step 1');
    expect(await calls(page)).toEqual([{ state: 'started', step_id: 's1' }]);
  });

  it('do not skip a step that waits for an action of the user', async () => {
    await show(page, tour({}, { secondary_trigger: 'click', ...at('#new') }));
    expect(await pressed('ArrowRight')).toBe('Step 1');
  });

  it('do nothing with a modifier, which makes them a command of the browser', async () => {
    await show(page, tour({}, {}));
    for (const modifier of ['Alt', 'Control', 'Shift', 'Meta']) await press(`${modifier}+ArrowRight`);
    expect(await title()).toBe('Step 1');
  });

  it('belong to the page while the focus is there', async () => {
    await page.focus('#search');
    await page.keyboard.type('ab');
    await show(page, tour({ ...at('#new'), backdrop: true }, {}));
    await press('ArrowLeft', 'c');
    expect([await page.inputValue('#search'), await title()]).toEqual(['acb', 'Step 1']);
  });

  it('move the caret in a field and the focus on a scale', async () => {
    const questions = { id: 'q', preset: 'survey_input', title: ['Why?'] };
    const scale = { id: 'n', preset: 'survey_nps', title: ['How likely?'] };
    await show(page, { id: 'e', kind: 'survey', steps: [{ id: 's0', title: ['Hi'] }, questions, scale] });
    expect(await pressed('ArrowRight')).toBe('Why?');
    await press('Tab');
    await page.keyboard.type('ab');
    await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'c', 'Control+Enter');
    expect(await responses()).toEqual([{ input: 'cab' }]);
    expect(await pressed('Tab', 'ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowRight')).toBe('2');
  });
});

describe('Tab', () => {
  const outside = ['New report', ''];

  it('stays inside of a step with a backdrop', async () => {
    await show(page, tour({ backdrop: true }));
    expect(await walk(4)).toEqual(['Done', 'Close', 'Done', 'Close']);
    expect(await walk(2, 'Shift+Tab')).toEqual(['Done', 'Close']);
  });

  it('also reaches the highlighted element, and nothing else of the page', async () => {
    await show(page, tour({ backdrop: true, ...at('#new') }));
    expect(await walk(4)).toEqual(['Done', 'Close', 'New report', 'Done']);
    expect(await walk(2, 'Shift+Tab')).toEqual(['New report', 'Close']);
  });

  it('reaches what is inside of the highlighted element', async () => {
    await show(page, tour({ backdrop: true, ...at('label') }));
    expect(await walk(4)).toEqual(['Done', 'Close', '', 'Done']);
  });

  it('leads into the step from anywhere under the backdrop', async () => {
    await page.focus('#search');
    await show(page, tour({ backdrop: true, ...at('#churn') }));
    expect(await focused(page)).toBe('');
    expect(await walk(3)).toEqual(['Done', 'Close', 'Done']);
  });

  it('leaves a step without a backdrop', async () => {
    await show(page, tour({ ...at('#churn') }));
    const names = await walk(6);
    expect(names.slice(0, 2)).toEqual(['Done', 'Close']);
    expect(names).toEqual(expect.arrayContaining(outside));
  });

  it('is free again after the step', async () => {
    await show(page, tour({ backdrop: true }));
    await press('Escape');
    await page.focus('#new');
    expect(await walk(1)).toEqual(['']);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
  });
});

describe('the focus', () => {
  const long =
    '<div style="height:3000px">A long page</div><button id="far">Far</button><div style="height:3000px"></div>';
  const isShown = () => page.locator('.box').evaluate((box) => getComputedStyle(box).visibility === 'visible');
  beforeEach(() => load(page, { body: long }));

  it('stays in a step that scrolls into view', async () => {
    await show(page, tour({}, at('#far')));
    expect(await pressed('ArrowRight')).toBe('Step 2');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000);
    await expect.poll(isShown).toBe(true);
    expect(await focused(page)).toBe('Step 2');
  });

  it('stays at the same button of a step that scrolls out of view and back', async () => {
    await show(page, tour({}, at('#far')));
    await press('ArrowRight', 'Tab', 'Tab');
    expect(await focused(page)).toBe('Done');
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(isShown).toBe(false);
    // The button that leads back has the focus meanwhile.
    await expect.poll(() => focused(page)).toBe('Back to step');
    await press('Enter');
    await expect.poll(isShown).toBe(true);
    await expect.poll(() => focused(page)).toBe('Done');
  });

  it('stays where the user moved it while the step was away', async () => {
    await show(page, tour(at('#far')));
    await expect.poll(isShown).toBe(true);
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('afterbegin', '<button id="top">Top</button>');
      scrollTo(0, 0);
    });
    await expect.poll(isShown).toBe(false);
    await page.focus('#top');
    await page.evaluate(() => document.querySelector('#far')?.scrollIntoView({ block: 'center' }));
    await expect.poll(isShown).toBe(true);
    expect(await focused(page)).toBe('Top');
  });
});

describe('a survey', () => {
  const thanks = { id: 'bye', title: ['Thanks'], preset: 'thank_you' };
  const answered = async (name: string, keys: string[]) => {
    const [step] = gallery[name]?.steps ?? [];
    await show(page, {
      id: 'e',
      kind: 'survey',
      steps: [{ ...(step as PageStep), screen_position: 'center' }, thanks],
    });
    expect(await focused(page)).toBe('How easy was it to create a report?');
    await press(...keys);
    expect(await focused(page)).toBe('Thanks');
    return responses();
  };

  it.each<[name: string, keys: string[], response: object]>([
    ['a question of two', ['Tab', 'Enter'], { button_id: 'b0' }],
    ['a question of three', ['Tab', 'Tab', 'Space'], { button_id: 'b1' }],
    ['a question of four', ['Tab', 'Tab', 'Tab', 'Tab', 'Enter'], { button_id: 'b3' }],
    ['a question of five', ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Enter'], { button_id: 'b4' }],
    ['an NPS', ['Tab', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Enter'], { value: '1' }],
    ['a CSAT', ['Tab', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Space'], { value: '4' }],
    ['a CES', ['Tab', 'ArrowRight', 'Enter'], { value: '2' }],
    ['a question for words', ['Tab', 'o', 'k', 'Tab', 'Enter'], { input: 'ok' }],
    ['a question with a list', ['Tab', 'ArrowDown', 'ArrowDown', 'Tab', 'Enter'], { value: 'A friend', index: 1 }],
    ['a follow-up', ['Tab', 'o', 'k', 'Control+Enter'], { input: 'ok' }],
  ])('is answered without a pointer: %s', async (name, keys, response) => {
    expect(await answered(name, keys)).toEqual([response]);
    expect(await pressed('Escape')).not.toBe('Thanks');
    expect(await page.locator('.box').count()).toBe(0);
  });

  it('lets the user write the other answer of a list', async () => {
    const keys = ['Tab', 'End', 'x', 'Tab', 'Enter'];
    expect(await answered('a question with a list', keys)).toEqual([{ value: 'Other', input: 'x', index: 2 }]);
  });

  it('skips a follow-up', async () => {
    expect(await answered('a follow-up', ['Tab', 'Tab', 'Enter'])).toEqual([]);
  });
});

describe('a checklist', () => {
  it('is opened, used and closed, and the focus goes back to where it was opened', async () => {
    await show(page, gallery['a checklist'] as PageExperience);
    await page.focus('#search');
    expect(await pressed('Tab')).toBe('Get started 1');
    expect(await pressed('Enter')).toBe('Get started');
    expect(await walk(4)).toEqual(['Connect your data (Completed)', 'Create a report', 'Read the guide', 'Close']);
    expect(await pressed('Enter')).toBe('Get started 1');
    await press('Space', 'Tab', 'Tab', 'Enter');
    expect((await calls(page)).at(-1)).toMatchObject({ show: 'c2' });
    expect(await focused(page)).toBe('Get started 1');
  });
});

describe('a tooltip', () => {
  it('opens on focus, closes on Escape, and stays closed', async () => {
    await show(page, { id: 'e', kind: 'tooltip', steps: [{ id: 's1', title: ['Make one'], ...at('#new') }] });
    await press('Tab');
    await page.getByRole('tooltip').waitFor();
    expect(await pressed('Escape')).toBe('New report');
    expect(await page.getByRole('tooltip').count()).toBe(0);
    await clear(page);
  });
});

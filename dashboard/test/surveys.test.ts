import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Dashboard, focused, startDashboard } from './browser.ts';
import { tabTo } from './by-hand.ts';
import { addExperience, field, publishButton, readExperience, saveNow, settings } from './editor-page.ts';
import { expectGoodLooks } from './looks.ts';

/* Tests the editor of questions and of the rules that say which step comes next. */

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
beforeEach(() => dashboard.api.replaceAccounts());
afterAll(() => dashboard.stop());

const add = (steps: object[]) => addExperience(dashboard, 'survey', { steps });
const show = (id: string) => readExperience(dashboard, id);
const open = (id: string, options = {}) => dashboard.open(`/app/experiences/${id}`, options);

const select = (page: Page, name: string | RegExp, at = 0) => settings(page).getByRole('button', { name }).nth(at);
async function choose(page: Page, name: string | RegExp, option: string | RegExp, at = 0): Promise<void> {
  await select(page, name, at).click();
  await page.getByRole('option', { name: option }).click();
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const rule = (page: Page, place: number) => settings(page).getByRole('group', { name: `Rule ${place}`, exact: true });

const single = (...texts: string[]) => ({
  kind: 'single',
  options: texts.map((text) => ({ id: text.toLowerCase().replaceAll(' ', '_'), text })),
});
const threeSteps = [
  { title: 'How would you feel?', question: single('Very sad', 'Fine') },
  { title: 'Why?', question: { kind: 'long_text' } },
  { title: 'How easy is it?', question: { kind: 'scale' } },
];

describe('a survey with questions and rules', () => {
  it('is written and published by mouse', async () => {
    const id = await add([]);
    const page = await open(id);
    await button(page, 'Add the first step').click();
    await field(page, 'Title').fill('How would you feel?');
    await choose(page, /Question type$/, /^One answer/);
    await field(page, 'Answer 1').fill('Very sad');
    await field(page, 'Answer 2').fill('Fine');
    await settings(page).getByText('An answer is required').click();
    await button(page, 'Add step').click();
    await field(page, 'Title').fill('Why?');
    await choose(page, /Question type$/, /^Long text/);
    await button(page, 'Add step').click();
    await field(page, 'Title').fill('How easy is it?');
    await choose(page, /Question type$/, /^Scale/);
    await field(page, 'Highest number').fill('7');
    await button(page, /^1 How would you feel/).click();
    await button(page, 'Add rule').click();
    await choose(page, /Value$/, 'Fine');
    await button(page, /^2 Why/).click();
    await button(page, 'Add rule').click();
    await choose(page, /When$/, /^Answer to Step 1/);
    await choose(page, /Go to$/, 'End of the survey');
    await expectGoodLooks(page, 'survey-rules', 'section[aria-label="Settings"]');
    await page.getByText('Nothing to fix').waitFor();
    await saveNow(page);
    const { steps } = await show(id);
    expect(steps[0]).toMatchObject({
      preset: null,
      question: {
        ...{ kind: 'single', required: true },
        options: [
          { id: 'very_sad', text: 'Very sad' },
          { id: 'fine', text: 'Fine' },
        ],
      },
      next: [{ when: { step_id: steps[0].id, op: 'eq', value: 'fine' }, go: steps[2].id }],
    });
    expect(steps[1]).toMatchObject({
      question: { kind: 'long_text' },
      next: [{ when: { step_id: steps[0].id, op: 'eq', value: 'very_sad' }, go: 'end' }],
    });
    expect(steps[2]).toMatchObject({ question: { kind: 'scale', max: 7 } });
    await button(page, 'Publish…').click();
    await publishButton(page).click();
    await expect.poll(async () => (await show(id)).state).toBe('live');
  });

  it('is written by keyboard alone', async () => {
    const id = await add(threeSteps.map(({ title }) => ({ title })));
    const page = await open(id);
    const { keyboard } = page;
    const pick = async (name: RegExp, typed: string, at = 0) => {
      await tabTo(page, select(page, name, at));
      await keyboard.press('Enter');
      await page.getByRole('listbox').waitFor();
      await keyboard.type(typed);
      await keyboard.press('Enter');
      await page.getByRole('listbox').waitFor({ state: 'hidden' });
      // The focus comes back to the button a moment after the list is gone.
      const hasFocus = () => select(page, name, at).evaluate((element) => element === document.activeElement);
      await expect.poll(hasFocus).toBe(true);
    };
    await pick(/Question type$/, 'One answer');
    await tabTo(page, field(page, 'Answer 1'));
    await keyboard.type('Fine');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('input Answer 2');
    await keyboard.type('Very sad');
    await keyboard.press('Alt+ArrowUp');
    await expect.poll(() => focused(page)).toBe('input Answer 1');
    expect(await field(page, 'Answer 1').inputValue()).toBe('Very sad');
    // The third answer is empty.
    await tabTo(page, button(page, 'More for answer 3'));
    await keyboard.press('Enter');
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('input Answer 2');
    await tabTo(page, button(page, 'Add rule'));
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/More for rule 1|This answer/);
    await pick(/Value$/, 'Fine');
    await tabTo(page, button(page, 'Add rule'));
    await keyboard.press('Enter');
    await rule(page, 2).waitFor();
    await pick(/Comparison$/, 'is missing', 1);
    await keyboard.press('Alt+ArrowUp');
    await rule(page, 1)
      .getByRole('button', { name: /is missing/ })
      .waitFor();
    await saveNow(page);
    const { steps } = await show(id);
    expect(steps[0]).toMatchObject({
      question: {
        options: [
          { id: 'very_sad', text: 'Very sad' },
          { id: 'fine', text: 'Fine' },
        ],
      },
      next: [{ when: { op: 'not_answered' } }, { when: { op: 'eq', value: 'fine' }, go: steps[2].id }],
    });
  });

  it('says which step is on no path, and goes to its rules from the list and from the drawing', async () => {
    const id = await add([{ ...threeSteps[0], next: [{ go: '2' }] }, ...threeSteps.slice(1)]);
    const page = await open(id);
    await button(page, '1 thing to fix').click();
    await button(page, /Step 2.*no path leads to it/).click();
    await expect.poll(() => focused(page)).toBe('button Add rule');
    await settings(page).getByText('No path leads to it').waitFor();
    await button(page, 'Show paths').click();
    const drawing = page.getByRole('dialog', { name: 'Paths through the survey' });
    await drawing.getByText('No path leads to it').waitFor();
    await drawing.getByText('leads to Step 3: How easy is it?').waitFor({ state: 'attached' });
    await expectGoodLooks(page, 'survey-paths-problem', '[role=dialog]');
    await drawing.getByRole('button', { name: /How would you feel/ }).click();
    await rule(page, 1).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await button(page, 'More for rule 1').click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('Nothing to fix').waitFor();
  });

  it('draws the paths', async () => {
    const [first, ...others] = threeSteps;
    const next = [
      { when: { step_id: '0', op: 'eq', value: 'very_sad' }, go: '1' },
      { when: { step_id: '0', op: 'eq', value: 'fine' }, go: '2' },
      { when: { filters: [{ kind: 'property', prop: 'role', op: 'eq', value: 'admin' }] }, go: 'end' },
    ];
    const page = await open(
      await add([
        { ...first, next },
        { ...others[0], next: [{ when: { step_id: '1', op: 'not_answered' }, go: 'end' }] },
        { ...others[1], next: [{ when: { step_id: '2', op: 'lt', value: '3' }, go: '3' }] },
        { title: 'Thank you', preset: 'thank_you' },
      ]),
    );
    await button(page, 'Show paths').click();
    const drawing = page.getByRole('dialog', { name: 'Paths through the survey' });
    await drawing.getByText('Answer is “Very sad”').waitFor();
    await drawing.getByText('Answer is less than “3”').waitFor();
    await expect.poll(() => drawing.locator('svg g').count()).toBe(9);
    await expectGoodLooks(page, 'survey-paths', '[role=dialog]');
  });

  it('goes to a step for users who match filters', async () => {
    const id = await add(threeSteps);
    const page = await open(id);
    await button(page, 'Add rule').click();
    await choose(page, /When$/, 'The user matches');
    await rule(page, 1).getByRole('combobox', { name: 'Add condition' }).fill('role');
    await page.getByRole('option', { name: 'Property “role”' }).click();
    await page.keyboard.type('admin');
    await page.keyboard.press('Enter');
    await saveNow(page);
    await expect
      .poll(async () => (await show(id)).steps[0].next)
      .toMatchObject([{ when: { filters: [{ kind: 'property', prop: 'role', value: 'admin' }] } }]);
    // The rule still says so when the last condition is removed, although it matches always then.
    await rule(page, 1).getByRole('button', { name: 'Remove role' }).click();
    await saveNow(page);
    await expect.poll(async () => (await show(id)).steps[0].next[0].when).toBeNull();
    await rule(page, 1)
      .getByRole('button', { name: /^The user matches/ })
      .waitFor();
  });

  it('offers earlier answers in texts', async () => {
    const id = await add(threeSteps);
    const page = await open(id);
    await button(page, /^2 Why/).click();
    await field(page, 'Title').fill('Why {{');
    const dialog = page.getByRole('dialog', { name: 'Insert a value of the user' });
    await dialog.getByRole('combobox', { name: 'Property or answer' }).click();
    await page.getByRole('option', { name: 'Answer to Step 1: How would you feel?' }).click();
    await dialog.getByLabel('If it is empty, say').fill('so');
    await dialog.getByRole('button', { name: 'Insert value' }).click();
    await saveNow(page);
    const { steps } = await show(id);
    expect(steps[1].title).toBe(`Why {{answer "${steps[0].id}" | fallback: "so"}}`);
    // The step itself and later ones are not offered.
    await button(page, /^1 How would you feel/).click();
    await field(page, 'Title').fill('How would you feel? {{');
    await dialog.getByRole('combobox', { name: 'Property', exact: true }).waitFor();
  });
});

describe('the answers of a question', () => {
  it('keep their IDs when their texts change, and rules follow an ID that is changed', async () => {
    const rules = [{ when: { step_id: '0', op: 'eq', value: 'fine' }, go: '2' }];
    const id = await add([{ ...threeSteps[0], next: rules }, ...threeSteps.slice(1)]);
    const page = await open(id);
    await field(page, 'Answer 2').fill('All is well');
    await settings(page).getByText('More about the answer').click();
    await settings(page).getByText('IDs of the answers').click();
    const ids = settings(page).getByLabel('ID of “All is well”');
    expect(await ids.inputValue()).toBe('fine');
    await ids.fill('Not an ID');
    await settings(page).getByText('Write lowercase letters, digits, - and _').waitFor();
    await ids.fill('well');
    await field(page, 'Answer 1').focus();
    await saveNow(page);
    const [step] = (await show(id)).steps;
    expect(step.question.options[1]).toEqual({ id: 'well', text: 'All is well' });
    expect(step.next[0].when.value).toBe('well');
  });

  it('stay when the type changes, and come from the buttons of a preset', async () => {
    const buttons = ['Yes', 'No'].map((text) => ({ text, tour_action: 'next' }));
    const id = await add([{ title: 'Well?', preset: 'survey_two', buttons }]);
    const page = await open(id);
    await choose(page, /Question type$/, /^Several answers/);
    await field(page, 'Answer 2').waitFor();
    await choose(page, /Question type$/, /^One answer/);
    await saveNow(page);
    const [step] = (await show(id)).steps;
    expect(step).toMatchObject({
      ...{ preset: null, buttons: [] },
      question: {
        kind: 'single',
        options: [
          { id: 'yes', text: 'Yes' },
          { id: 'no', text: 'No' },
        ],
      },
    });
    await choose(page, /Question type$/, /^One of a list/);
    await saveNow(page);
    expect((await show(id)).steps[0]).toMatchObject({
      ...{ preset: 'survey_dropdown', question: null },
      dropdown_items: ['Yes', 'No'],
    });
  });

  it('go to the answer without a text', async () => {
    const page = await open(
      await add([
        {
          ...threeSteps[0],
          question: {
            ...single('Yes', 'No'),
            options: [
              { id: 'a', text: 'A' },
              { id: 'b', text: '' },
            ],
          },
        },
      ]),
    );
    await button(page, '1 thing to fix').click();
    await button(page, /answer 2 has no text/i).click();
    await expect.poll(() => focused(page)).toBe('input Answer 2');
  });

  it('go from a rule that compares with an answer that is gone', async () => {
    const next = [{ when: { step_id: '0', op: 'eq', value: 'maybe' }, go: '2' }];
    const page = await open(await add([{ ...threeSteps[0], next }, ...threeSteps.slice(1)]));
    await button(page, '1 thing to fix').click();
    await button(page, /"maybe" is none of the answers/).click();
    await expect.poll(() => focused(page)).toBe('button maybe');
    await choose(page, /Value$/, 'Fine');
    await page.getByText('Nothing to fix').waitFor();
  });

  it('are translated', async () => {
    await dashboard.api.post('/v3/edit/languages', { code: 'de' });
    const question = { ...single('Very sad', 'Fine'), error_text: 'Choose one', other_text: 'Something else' };
    const id = await add([{ title: 'How would you feel?', question }]);
    const page = await dashboard.open(`/app/experiences/${id}/languages?language=de`);
    const step = '1 How would you feel?';
    for (const name of ['Title', 'Text of the error', 'Name of any other answer', 'Answer 1'])
      await page.getByRole('textbox', { name: `German: ${name}, ${step}`, exact: true }).waitFor();
    await page.getByRole('textbox', { name: `German: Answer 2, ${step}`, exact: true }).click();
    await page.keyboard.type('Gut');
    await page.keyboard.press('Control+s');
    await expect
      .poll(async () => JSON.stringify((await dashboard.api.get(`/v3/edit/surveys/${id}/translations`)).body))
      .toContain('"Gut"');
  });
});

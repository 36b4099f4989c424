import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterFrames } from '../../script/test/frames.ts';
import { launchTestBrowser } from '../../scripts/test-browser.ts';
import { apps } from './apps.ts';
import { api, box, createUser, expectNoTrace, openApp, press, readRecords } from './host.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());

const at = (selector: string, fields: object = {}) => ({
  ...{ position_type: 'snap_to_element', elements: [{ selector }] },
  ...fields,
});
/** Types what applications use as shortcuts, and edits the text. */
async function typeShortcuts(page: Page) {
  await page.keyboard.type('qwe123/?[]+- ');
  for (const key of ['Control+a', 'Control+c', 'Control+x', 'Control+v', 'Control+z', 'Delete', 'Backspace', 'Home'])
    await page.keyboard.press(key);
  for (const key of ['Control+a', 'Delete', 'Tab', 'Shift+Tab', 'ArrowUp', 'Control+Shift+f'])
    await page.keyboard.press(key);
  await page.keyboard.type('Fine');
}
async function scroll(page: Page, selector: string) {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
  const { height: windowHeight } = page.viewportSize() ?? { height: 0 };
  await page.mouse.move(x + width / 2, Math.min(y + height, windowHeight) - 40);
  for (const distance of [300, 300, 300, -300, -300, -300, -300]) {
    await page.mouse.wheel(0, distance);
    await afterFrames(page, 5);
  }
}

describe.each(apps)('in $name', (app) => {
  it('shows a tour with a backdrop, never without its box, and leaves no trace', async () => {
    const user = await createUser();
    const steps = app.targets.map((target, index) => at(target, { title: `Step ${index + 1}`, backdrop: true }));
    await user.create('tour', { steps });
    const page = await openApp(browser, app, user);
    for (let load = 0; load < 2; load++) {
      await box(page, 'Step 1').waitFor();
      await afterFrames(page, 20);
      const { backdropFrames, darkFrames } = await readRecords(page);
      expect({ darkFrames, hasBackdrop: backdropFrames > 0 }).toEqual({ darkFrames: [], hasBackdrop: true });
      if (load < 1) await page.reload();
      await app.ready(page);
    }
    await app.prepare?.(page);
    const state = await app.state(page);
    await readRecords(page);
    await press(page, 'Next');
    await box(page, 'Step 2').waitFor();
    await press(page, 'Back');
    await press(page, 'Next');
    await expectNoTrace(page);
    if (app.scroller) await scroll(page, app.scroller);
    await box(page, 'Step 2')
      .or(page.getByRole('button', { name: 'Back to step' }))
      .waitFor();
    await expectNoTrace(page);
    if (!(await box(page, 'Step 2').isVisible())) await press(page, 'Back to step');
    await box(page, 'Step 2').waitFor();
    await page.keyboard.press('Escape');
    await box(page, 'Step 2').waitFor({ state: 'detached' });
    await expectNoTrace(page);
    expect(await app.state(page)).toEqual(state);
  });

  it('asks a survey and opens a checklist, whose keys and clicks do not reach the application', async () => {
    const user = await createUser();
    const survey = await user.create('survey', {
      steps: [
        { title: 'How likely?', preset: 'survey_nps', screen_position: 'bottom_left' },
        { title: 'Why?', preset: 'survey_input', screen_position: 'bottom_left' },
        { title: 'Thanks', preset: 'thank_you', screen_position: 'bottom_left' },
      ],
    });
    const tour = await user.create('tour', { style: 'manual', steps: [{ title: 'From the list' }] });
    await user.create('launcher', {
      ...{ title: 'Checklist', list_type: 'checklist', screen_position: 'bottom_right' },
      items: [{ kind: 'tour', campaign_id: tour.id, title: 'First task' }],
    });
    const page = await openApp(browser, app, user);
    await box(page, 'How likely?').waitFor();
    await app.prepare?.(page);
    const state = await app.state(page);
    await readRecords(page);
    await answerSurvey(page);
    expect(await app.state(page)).toEqual(state);
    await useChecklist(page);
    expect(await app.state(page)).toEqual(state);
    await expect
      .poll(() => api<object>('GET', `/v3/analyze/responses?id=${survey.id}`).then((body) => JSON.stringify(body)))
      .toMatch(/"9".*"Fine"|"Fine".*"9"/);
  });
});

async function answerSurvey(page: Page) {
  const survey = box(page, 'How likely?');
  await survey.getByRole('radio', { name: '3' }).focus();
  for (const key of ['ArrowRight', 'ArrowLeft', 'Tab', 'Delete', 'd']) await page.keyboard.press(key);
  await press(page, '9');
  const field = page.locator('usher-layer textarea');
  await field.click();
  await typeShortcuts(page);
  expect(await field.inputValue()).toBe('Fine');
  await field.dblclick();
  await field.click({ button: 'right' });
  await press(page, 'Send');
  await box(page, 'Thanks').waitFor();
  await expectNoTrace(page);
  await page.keyboard.press('Escape');
  await box(page, 'Thanks').waitFor({ state: 'detached' });
  await expectNoTrace(page);
}

async function useChecklist(page: Page) {
  const opener = page.locator('usher-layer').getByRole('button', { name: 'Checklist 1' });
  await opener.click();
  await box(page, 'Checklist').waitFor();
  await page.keyboard.press('Escape');
  await box(page, 'Checklist').waitFor({ state: 'detached' });
  await opener.click();
  await press(page, 'First task');
  await press(page, 'Done');
  await box(page, 'From the list').waitFor({ state: 'detached' });
  await expectNoTrace(page);
}

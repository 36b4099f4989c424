import axe from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { until, useHarness } from './browser.ts';

/* The public page of a survey, as the server sends it, in a real browser. */

const harness = useHarness();
const steps = [
  { title: 'Would you recommend us?', preset: 'survey_nps', label_low: 'No', label_high: 'Sure' },
  { title: 'What would make it better?', preset: 'response' },
  { title: 'Thank you', body: 'We read every answer.', preset: 'thank_you' },
];

interface Survey {
  id: string;
  public_page_url: string;
}
async function addSurvey(fields: object = {}): Promise<Survey> {
  const { body } = await harness.api.post('/v3/edit/surveys', {
    ...{ name: 'Asks', steps, style: 'manual', public_page: true, published_at: '$now' },
    ...fields,
  });
  return body.survey;
}
const responsesOf = async ({ id }: Survey) =>
  (await harness.api.get('/v3/analyze/responses', { query: `id=${id}` })).body.responses;
const addressOf = ({ public_page_url }: Survey, query = '') =>
  `${harness.api.url}${new URL(public_page_url).pathname}${query}`;

let context: BrowserContext;
/** The errors and the messages of the policy in the console. */
let problems: string[];
beforeEach(async () => {
  context = await newContext();
});

async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const created = await harness.browser.newContext({ reducedMotion: 'reduce', ...options });
  onTestFinished(() => created.close());
  return created;
}

async function openPage(survey: Survey, query = '', of = context): Promise<Page> {
  const page = await of.newPage();
  problems = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(addressOf(survey, query));
  return page;
}
const region = (page: Page, name: string) => page.getByRole('region', { name });
const radio = (page: Page, name: string) => page.getByRole('radio', { name });
const finish = async (page: Page) => {
  await page.getByRole('button', { name: 'Skip' }).click();
  await region(page, 'Thank you').waitFor();
};

describe('the public page of a survey', () => {
  it('takes answers, and thanks', async () => {
    const survey = await addSurvey();
    const page = await openPage(survey);
    await region(page, 'Would you recommend us?').waitFor();
    expect(await page.title()).toBe('Would you recommend us?');
    await radio(page, '7').click();
    await region(page, 'What would make it better?').waitFor();
    await page.getByRole('textbox').fill('Less of it');
    await page.getByRole('button', { name: 'Send' }).click();
    await region(page, 'Thank you').waitFor();
    await until(async () => (await responsesOf(survey))[0]).toMatchObject({
      ...{ button_text: '7', input_text: 'Less of it', source: 'link', finished_at: expect.any(String) },
    });
    expect(problems).toEqual([]);
  });

  it('stores and sends nothing before an answer', async () => {
    const survey = await addSurvey();
    const countProfiles = async () => (await harness.api.get('/v3/analyze/profiles/count')).body.count;
    const before = await countProfiles();
    const page = await openPage(survey);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await region(page, 'Would you recommend us?').waitFor();
    await page.reload();
    await region(page, 'Would you recommend us?').waitFor();
    expect(sent.filter((request) => request.startsWith('POST'))).toEqual([]);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(await countProfiles()).toBe(before);
  });

  it('takes one answer of a browser', async () => {
    const survey = await addSurvey();
    const page = await openPage(survey);
    await radio(page, '7').click();
    await finish(page);
    await until(() => page.evaluate(() => Object.values(localStorage))).toEqual(['done']);
    const again = await openPage(survey);
    await again.getByText('You have already answered this survey.').waitFor();
    // The text takes the focus for screen readers, and is no field.
    expect(await again.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
      'none',
    );
    expect(await responsesOf(survey)).toHaveLength(1);
    const other = await openPage(survey, '', await newContext());
    await radio(other, '3').click();
    await until(async () => (await responsesOf(survey)).length).toBe(2);
  });

  it('goes on with the same Response after the page was loaded again', async () => {
    const survey = await addSurvey();
    const page = await openPage(survey);
    await radio(page, '7').click();
    await until(() => page.evaluate(() => localStorage.length)).toBe(1);
    await page.reload();
    await radio(page, '8').click();
    await finish(page);
    await until(async () =>
      (await responsesOf(survey)).map((one: Record<string, unknown>) => [one.button_text, !!one.finished_at]),
    ).toEqual([['8', true]]);
  });

  it('shows the score of the address, which counts after a click', async () => {
    const survey = await addSurvey();
    const page = await openPage(survey, '?score=9');
    await region(page, 'Would you recommend us?').waitFor();
    expect(await radio(page, '9').getAttribute('aria-checked')).toBe('true');
    expect(await responsesOf(survey)).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await region(page, 'What would make it better?').waitFor();
    await until(async () => (await responsesOf(survey))[0]?.button_text).toBe('9');
    for (const wrong of ['11', '-1', 'x', '', '9.5', '%3Cimg%3E']) {
      const opened = await openPage(survey, `?score=${wrong}`, await newContext());
      await region(opened, 'Would you recommend us?').waitFor();
      expect([wrong, await opened.getByRole('radio', { checked: true }).count()]).toEqual([wrong, 0]);
    }
  });

  it('belongs to the user of a signed link, once', async () => {
    const survey = await addSurvey();
    const { body } = await harness.api.post('/v3/edit/survey_links', { survey_id: survey.id, uids: ['ann'] });
    const { search } = new URL(body.survey_links[0].url);
    const page = await openPage(survey, `${search}&score=10`);
    await page.getByRole('button', { name: 'Send' }).click();
    await finish(page);
    await until(async () => (await responsesOf(survey))[0]?.finished_at).not.toBeNull();
    expect((await responsesOf(survey))[0].profile.uid).toBe('ann');
    expect((await responsesOf(survey))[0].href).not.toContain('link');
    const again = await openPage(survey, search, await newContext());
    await again.getByText('You have already answered this survey.').waitFor();
  });

  it('sends again what the server has not got', async () => {
    const survey = await addSurvey();
    const page = await openPage(survey);
    await region(page, 'Would you recommend us?').waitFor();
    let failures = 0;
    await page.route(/\/s\//, (route) =>
      route.request().method() === 'POST' && failures++ < 1 ? route.abort() : route.continue(),
    );
    await radio(page, '7').click();
    await page.getByText('Your answer has not been sent yet.').waitFor();
    await until(async () => (await responsesOf(survey)).length).toBe(1);
    await until(() => page.getByText('Your answer has not been sent yet.').count()).toBe(0);
  });

  it('says when the survey was closed meanwhile', async () => {
    const survey = await addSurvey();
    const page = await openPage(survey);
    await region(page, 'Would you recommend us?').waitFor();
    await harness.api.patch(`/v3/edit/surveys/${survey.id}`, { published_at: null });
    await radio(page, '7').click();
    await page.getByText('This survey is not open.').waitFor();
  });

  it('works with the keyboard alone', async () => {
    const survey = await addSurvey();
    const page = await openPage(survey);
    await region(page, 'Would you recommend us?').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await region(page, 'What would make it better?').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Nothing');
    await page.keyboard.press('Control+Enter');
    await region(page, 'Thank you').waitFor();
    await until(async () => (await responsesOf(survey))[0]).toMatchObject({ button_text: '10', input_text: 'Nothing' });
  });

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const)('fits, and has no violation that axe finds: %i, %s', async (width, colorScheme) => {
    const survey = await addSurvey();
    const of = await newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
    const page = await openPage(survey, '?score=9', of);
    await region(page, 'Would you recommend us?').waitFor();
    await page.evaluate(axe.source);
    const check = async () => {
      const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    };
    await check();
    await page.getByRole('button', { name: 'Send' }).click();
    await region(page, 'What would make it better?').waitFor();
    await check();
    await finish(page);
    await check();
  });
});

describe('questions on the public page', () => {
  it('are painted, follow rules, and show the score of the address', async () => {
    const survey = await addSurvey({
      steps: [
        { title: 'How many stars?', question: { kind: 'stars' } },
        { title: 'What went wrong?', question: { kind: 'text' } },
        { title: 'Thank you', preset: 'thank_you' },
      ],
      published_at: null,
    });
    const { body } = await harness.api.get(`/v3/edit/surveys/${survey.id}`);
    const [first, , last] = body.survey.steps;
    const next = [{ when: { step_id: first.id, op: 'gte', value: 4 }, go: last.id }];
    await harness.api.patch(`/v3/edit/surveys/${survey.id}/steps/${first.id}`, { next });
    const published = await harness.api.patch(`/v3/edit/surveys/${survey.id}`, { published_at: '$now' });
    expect([published.status, published.body.messages]).toEqual([200, undefined]);
    const page = await openPage(published.body.survey, '?score=5');
    await region(page, 'How many stars?').waitFor();
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Send' }).click();
    await region(page, 'Thank you').waitFor();
    await until(async () => (await responsesOf(survey))[0]).toMatchObject({ button_text: '5', source: 'link' });
    expect(problems).toEqual([]);
  });
});

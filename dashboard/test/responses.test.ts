import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { addResponse } from '../../server/test/use-rows.ts';
import { accessibilityProblems, type Dashboard, startDashboard, takePicture } from './browser.ts';

let dashboard: Dashboard;
let owner: TestAdmin;
let survey: { id: string; steps: { id: string }[] };
const people: string[] = [];
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  await dashboard.api.replaceAccounts();
  owner = await addSignedIn(dashboard.api, 'owner');
  people.length = 0;
  const options = [
    { id: 'fast', text: 'It is fast' },
    { id: 'cheap', text: 'It is cheap' },
  ];
  const steps = [
    { title: 'How likely?', preset: 'survey_nps' },
    { title: 'What do you like?', question: { kind: 'multiple', options, other_text: 'Something else' } },
    { title: 'Why?', preset: 'survey_input' },
  ];
  const { status, body } = await owner.browser.post('/v3/edit/surveys', {
    name: 'How is it?',
    steps,
    published_at: '$now',
  });
  expect([status, body.messages]).toEqual([201, undefined]);
  survey = body.survey;
});

/** Each person gives a score from 0; every second one likes that it is cheap, and writes why. */
async function answer(count: number): Promise<void> {
  const [nps, liked, why] = survey.steps.map(({ id }) => id);
  for (let n = 0; n < count; n++) {
    const params = { uid: `user-${n}`, first_name: `Ann ${n}`, plan: n < 2 ? 'pro' : 'free' };
    const { body } = await dashboard.api.post('/v3/observe/hooks/profiles', params);
    people.push(body.profile.id);
    const of = {
      account_id: dashboard.api.account.account_id,
      experience_id: survey.id,
      profile_id: body.profile.id,
    };
    const score = String(n % 11);
    const id = n % 2 === 0 ? 'fast' : 'cheap';
    const choices = JSON.stringify([{ id, text: id === 'fast' ? 'It is fast' : 'It is cheap' }]);
    await addResponse(
      dashboard.api.app,
      of,
      { step_id: nps ?? '', value: score, button_index: n % 11, button_text: score, finished_at: Date.now() },
      { step_id: liked ?? '', choices },
      ...(n % 2 === 1 ? [{ step_id: why ?? '', input: `Comment ${n}` }] : []),
    );
  }
}

const open = (options: object = {}) =>
  dashboard.open(`/app/experiences/${survey.id}/responses`, { admin: owner, ...options });
const rows = (page: Page) => page.getByRole('list', { name: 'Responses' }).getByRole('listitem');
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe('the responses of a survey', () => {
  it('say what will be here while there is nothing, and are no part of a tour', async () => {
    const page = await open();
    await page.getByText('No Responses yet').waitFor();
    const { body } = await owner.browser.post('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello' }] });
    await page.goto(page.url().replace(survey.id, body.tour.id));
    await page.getByText('This page does not exist').waitFor();
  });

  it('show what each person answered, and find it by what they wrote, chose and got as a Tag', async () => {
    await answer(6);
    const page = await open();
    await page.getByText('6 Responses').waitFor();
    const first = rows(page).first();
    expect(await first.innerText()).toMatch(/Score 5[\s\S]*Ann 5[\s\S]*It is cheap[\s\S]*Comment 5/);
    expect(await first.getByRole('link').getAttribute('href')).toBe(`/app/people/${people[5]}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, 'responses');
    await page.setViewportSize({ width: 375, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    await takePicture(page, 'responses-dark-phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });

    await page.getByLabel('Search comments').fill('COMMENT 3');
    await page.getByText('1 Response', { exact: true }).waitFor();
    expect(page.url()).toContain('search=COMMENT');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose(page, 'Answer', 'What do you like?: It is fast');
    await page.getByText('3 Responses').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose(page, 'Score from', '1');
    await choose(page, 'Score to', '2');
    await page.getByText('2 Responses', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose(page, 'Order', 'Lowest score first');
    await rows(page).first().getByText('Score 0').waitFor();

    for (const n of [0, 1]) await page.getByRole('checkbox', { name: `response of Ann ${n}` }).press('Space');
    await page.getByText('2 Responses selected').first().waitFor();
    await page.getByRole('button', { name: 'Add Tag' }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill('pricing');
    await page.getByRole('dialog').getByRole('button', { name: 'Add Tag' }).click();
    await rows(page).first().getByText('pricing').waitFor();
    await choose(page, 'Any Tag', 'pricing');
    await page.getByText('2 Responses', { exact: true }).waitFor();

    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await downloaded).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('pricing');
  });

  it('are in the file until today also where the account is a day ahead of the browser', async () => {
    await answer(1);
    const page = await open({ isNew: true });
    await page.clock.setFixedTime(Date.now() - 24 * 60 * 60_000);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await downloaded).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
  });

  it('load page by page', async () => {
    await answer(52);
    const page = await open();
    await page.getByText('50 Responses so far').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('52 Responses').waitFor();
  });

  it('say that the search has stopped, and go on', async () => {
    await answer(1);
    const page = await open();
    await page.getByText('1 Response', { exact: true }).waitFor();
    // The server has looked at only a part of a long list.
    await page.route('**/v3/analyze/responses?*', async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.has('before')) {
        url.searchParams.delete('before');
        return route.continue({ url: url.href });
      }
      const cursor = { limit: 50, before: 'f'.repeat(24) };
      return route.fulfill({ json: { responses: [], is_complete: false, cursor } });
    });
    await choose(page, 'Score from', '0');
    await page.getByText('The search stopped after two seconds.').waitFor();
    await page.getByText('0 Responses so far').waitFor();
    await page.getByRole('button', { name: 'Search further' }).click();
    await page.getByText('1 Response', { exact: true }).waitFor();
    expect(await page.getByText('The search stopped').count()).toBe(0);
  });

  it('cannot be tagged by a viewer', async () => {
    await answer(1);
    const viewer = await addSignedIn(dashboard.api, 'viewer');
    const page = await dashboard.open(`/app/experiences/${survey.id}/responses`, { admin: viewer });
    await page.getByText('1 Response', { exact: true }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});

it('shows the distribution of a question with options', async () => {
  await answer(5);
  const page = await dashboard.open(`/app/experiences/${survey.id}/results`, { admin: owner });
  const table = page.getByRole('table', { name: /What do you like/ });
  await table.waitFor();
  expect(await table.getByRole('row').filter({ hasText: 'It is fast' }).getByRole('cell').allTextContents()).toEqual([
    '3',
    '60%',
  ]);
});

it('ends a survey after a number of responses', async () => {
  const page = await dashboard.open(`/app/experiences/${survey.id}/targeting`, { admin: owner });
  await page.getByRole('checkbox', { name: 'End after a number of Responses' }).press('Space');
  await page.getByLabel('Responses', { exact: true }).fill('200');
  await expect
    .poll(async () => (await owner.browser.get(`/v3/edit/surveys/${survey.id}`)).body.survey.stop_after_responses)
    .toBe(200);
});
